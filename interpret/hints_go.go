package interpret

import (
	"regexp"
	"strconv"
	"strings"
)

// Readers of what Go servers say: jsonschema-go in the official SDK, encoding/json, and mcp-go.

var (
	goStep       = regexp.MustCompile(`^validating (\S+): `)
	goQuoted     = regexp.MustCompile(`"(?:[^"\\]|\\.)*"`)
	goMissing    = regexp.MustCompile(`^required: missing properties: \[(.*)\]$`)
	goUnexpected = regexp.MustCompile(`^unexpected additional properties \[(.*)\]$`)
	goType       = regexp.MustCompile(`^type: (.*) has type "(\w+)", want (?:one of )?"([\w, ]+)"$`)
	goKeyword    = regexp.MustCompile(`^([A-Za-z]+): (.+)$`)
)

// readGoSchema reads github.com/google/jsonschema-go, as the Go SDK passes it on: the way down the schema, then the first fault.
func readGoSchema(s string) []Hint {
	path := ""
	s = strings.TrimPrefix(s, `validating "arguments": `)
	for {
		m := goStep.FindStringSubmatch(s)
		if m == nil {
			break
		}
		if m[1] != "root" {
			path = schemaPath(m[1])
		}
		s = s[len(m[0]):]
	}
	if m := goMissing.FindStringSubmatch(s); m != nil {
		return perProperty(path, m[1], "missing")
	}
	if m := goUnexpected.FindStringSubmatch(s); m != nil {
		return perProperty(path, m[1], "unexpected")
	}
	if m := goType.FindStringSubmatch(s); m != nil {
		received := m[2]
		if value := m[1]; value != "<invalid reflect.Value>" && value != received {
			received = value + " (" + received + ")"
		}
		return []Hint{{Path: path, Expected: m[3], Received: received}}
	}
	if rest, ok := strings.CutPrefix(s, "unmarshaling arguments: "); ok {
		return inside("arguments", readGoJSON(rest))
	}
	if m := goKeyword.FindStringSubmatch(s); m != nil {
		return []Hint{{Path: path, Problem: m[2]}}
	}
	return nil
}

// perProperty makes a hint of each quoted name.
func perProperty(path, names, problem string) (list []Hint) {
	for _, q := range goQuoted.FindAllString(names, mostHints) {
		name, err := strconv.Unquote(q)
		if err != nil {
			name = strings.Trim(q, `"`)
		}
		list = append(list, Hint{Path: join(path, name), Problem: problem})
	}
	return list
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// schemaPath makes the path of a field of a pointer into its schema: /properties/items/items/properties/sku is items.*.sku.
func schemaPath(pointer string) string {
	var path []string
	steps := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i := 0; i < len(steps); i++ {
		switch steps[i] {
		case "properties":
			if i++; i < len(steps) {
				path = append(path, steps[i])
			}
		case "items", "additionalProperties":
			path = append(path, "*")
		}
	}
	return strings.Join(path, ".")
}

// inside puts a path before hints that have none.
func inside(path string, list []Hint) []Hint {
	for i := range list {
		if list[i].Path == "" {
			list[i].Path = path
		}
	}
	return list
}

var goJSON = regexp.MustCompile(`json: cannot unmarshal (.+) into Go (?:struct field (\S+)|value) of type (.+)$`)

// readGoJSON reads encoding/json (Go).
func readGoJSON(s string) []Hint {
	m := goJSON.FindStringSubmatch(s)
	if m == nil {
		return nil
	}
	path := ""
	if field := m[2]; field != "" {
		_, path, _ = strings.Cut(field, ".")
		if i := strings.Index("."+path, ".arguments"); i >= 0 {
			path = path[i:]
		} else if i := strings.LastIndex(path, "."); i >= 0 {
			path = path[i+1:]
		}
		path = inArguments(strings.Split(path, "."))
	}
	return []Hint{{Path: path, Expected: jsonTypeOfGo(m[3]), Received: typeOfText(m[1])}}
}

// jsonTypeOfGo names a Go type as JSON does, as far as a server's message shows it.
func jsonTypeOfGo(t string) string {
	switch {
	case strings.HasPrefix(t, "map["), strings.HasPrefix(t, "struct "):
		return "object"
	case strings.HasPrefix(t, "[]"):
		return "array"
	case strings.HasPrefix(t, "int"), strings.HasPrefix(t, "uint"):
		return "integer"
	case strings.HasPrefix(t, "float"):
		return "number"
	case t == "bool":
		return "boolean"
	}
	return t
}

// typeOfText names the type of a value that is quoted as text, in quotes of its own; a name of a type stays.
func typeOfText(s string) string {
	value, err := strconv.Unquote(s)
	if err != nil || value == "" {
		return s
	}
	switch value[0] {
	case '{':
		return "object"
	case '[':
		return "array"
	case '"':
		return "string"
	case 't', 'f':
		return "boolean"
	case 'n':
		return "null"
	}
	return "number"
}

var (
	mcpGoNext = regexp.MustCompile(`; (?:/|<root>: )`)
	mcpGoItem = regexp.MustCompile(`^(/\S*|<root>): &\{(.*)\}$`)
	mcpGoGot  = regexp.MustCompile(`^Got:(.*) Want:(.*)$`)
	mcpGoList = regexp.MustCompile(`^(Missing|Properties):\[(.*)\]$`)
	ratio     = regexp.MustCompile(`^(-?\d+)/1$`)
)

// readMCPGo reads mcp-go's printing of the structures of github.com/santhosh-tekuri/jsonschema.
func readMCPGo(s string) (list []Hint) {
	for _, item := range splitAt(s, mcpGoNext, 2) {
		m := mcpGoItem.FindStringSubmatch(item)
		if m == nil {
			return nil
		}
		path, body := dotted(m[1]), m[2]
		if l := mcpGoList.FindStringSubmatch(body); l != nil {
			problem := map[string]string{"Missing": "missing", "Properties": "unexpected"}[l[1]]
			for _, name := range strings.Fields(l[2]) {
				list = append(list, Hint{Path: join(path, name), Problem: problem})
			}
			continue
		}
		g := mcpGoGot.FindStringSubmatch(body)
		if g == nil {
			list = append(list, Hint{Path: path, Problem: body})
			continue
		}
		h := Hint{Path: path, Received: g[1]}
		want, listed := strings.CutPrefix(g[2], "[")
		want = strings.TrimSuffix(want, "]")
		switch n := ratio.FindStringSubmatch(g[2]); {
		case n != nil: // it does not say which bound
			h.Allowed, h.Received = "limit "+n[1], strings.TrimSuffix(g[1], "/1")
		case listed && isTypeWords(want):
			h.Expected = want
		case listed:
			h.Allowed = want
		default:
			h.Allowed = g[2]
		}
		list = append(list, h)
	}
	return list
}

func isTypeWords(s string) bool {
	for f := range strings.FieldsSeq(s) {
		if !isJSONType([]byte(`"` + f + `"`)) {
			return false
		}
	}
	return true
}
