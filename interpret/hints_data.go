package interpret

import (
	"slices"
	"strings"
)

// Names under which servers tell what was wrong, in data and in structuredContent, without dividers and in small letters.
var (
	pathNames       = []string{"field", "path", "loc", "pointer", "param", "parameter", "argument", "property", "instancepath", "fieldname", "key"}
	problemNames    = []string{"message", "issue", "msg", "problem", "reason", "detail", "description", "error", "errormessage"}
	expectedNames   = []string{"expected", "expectedtype", "type"}
	allowedNames    = []string{"allowed", "allowedrange", "allowedvalues", "enum", "options", "values", "pattern"}
	receivedNames   = []string{"received", "input", "actual", "got", "value", "receivedvalue"}
	suggestionNames = []string{"suggestion", "fixsuggestion", "hint", "fix", "didyoumean"}
	strategyNames   = []string{"resolutionstrategy"}
	minimumNames    = []string{"minimum", "min"}
	maximumNames    = []string{"maximum", "max"}
	listNames       = []string{"errors", "issues", "violations", "fieldviolations", "validationerrors", "fielderrors", "details", "detail", "envelope", "error"}
)

// jsonTypes are the words that "type" must be to say what was expected; elsewhere it classifies the fault.
var jsonTypes = []string{"string", "number", "integer", "boolean", "object", "array", "null"}

// data takes in what a value says of fields: an object by its known names, and the lists within it. A hint that says no more than the
// message says is none.
func (w *words) data(raw []byte, message string, depth int) {
	if depth >= mostNested {
		return
	}
	if isArray(raw) {
		elements(raw, func(v []byte) bool {
			w.data(v, message, depth+1)
			return w.looked < mostCounted
		})
		return
	}
	if !isObject(raw) {
		return
	}
	w.looked++
	known := len(w.hints)
	own := readFields(raw)
	own.each(listNames, func(name string, v []byte) {
		if isObject(v) && name == "errors" {
			w.byField(v, message, depth+1)
		} else {
			w.data(v, message, depth+1)
		}
	})
	h := own.hint()
	if len(w.hints) > known && h.Path == "" { // a headline over the list
		h = Hint{Suggestion: h.Suggestion}
	}
	if h != (Hint{Problem: message}) {
		w.add(h)
	}
}

// byField takes in an object of problems by the name of their field, as some frameworks write "errors".
func (w *words) byField(raw []byte, message string, depth int) {
	members(raw, func(name, v []byte) bool {
		path := string(name)
		switch {
		case isObject(v):
			w.data(v, message, depth)
		default:
			w.looked++
			w.add(Hint{Path: path, Problem: showValue(v)})
		}
		return w.looked < mostCounted
	})
}

// issues takes in a list of issues as zod writes it, and reports whether it was one.
func (w *words) issues(array []byte) bool {
	known := len(w.hints)
	elements(array, func(v []byte) bool {
		if isObject(v) && (member(v, "path") != nil || member(v, "code") != nil || member(v, "loc") != nil || member(v, "instancePath") != nil) {
			w.data(v, "", mostNested-1)
		}
		return w.looked < mostCounted
	})
	return len(w.hints) > known
}

// fields are the members of an object by their names without dividers.
type fields map[string][]byte

var undivided = strings.NewReplacer("_", "", "-", "")

// mostFields is how many members of an object are looked at, a name that comes again counted again.
const mostFields = 64

func readFields(raw []byte) fields {
	f, visited := fields{}, 0
	members(raw, func(name, v []byte) bool {
		n := strings.ToLower(undivided.Replace(string(name)))
		if _, twice := f[n]; !twice {
			f[n] = v
		}
		visited++
		return visited < mostFields
	})
	return f
}

func (f fields) each(names []string, visit func(string, []byte)) {
	for _, n := range names {
		if v, ok := f[n]; ok && (isObject(v) || isArray(v)) {
			visit(n, v)
		}
	}
}

// first returns the first of the names that holds something to show.
func (f fields) first(names []string, ok func(v []byte) bool) string {
	for _, n := range names {
		if v, there := f[n]; there && (ok == nil || ok(v)) {
			if s := showValue(v); s != "" {
				return s
			}
		}
	}
	return ""
}

func isText(v []byte) bool     { return len(v) > 0 && v[0] == '"' }
func isScalar(v []byte) bool   { return len(v) > 0 && !isObject(v) && !isArray(v) }
func notObject(v []byte) bool  { return !isObject(v) }
func isJSONType(v []byte) bool { return slices.Contains(jsonTypes, string(text(v))) || isArray(v) }

// hint reads the object as one hint; it is empty if none of the names that say something is there.
func (f fields) hint() Hint {
	kind := string(text(f["type"]))
	h := Hint{
		Problem:    f.first(problemNames, isScalar),
		Expected:   f.first(expectedNames[:2], notObject),
		Allowed:    f.first(allowedNames, notObject),
		Received:   f.first(receivedNames, isScalar),
		Suggestion: f.first(suggestionNames, notObject),
	}
	if s := f.first(strategyNames, isText); h.Suggestion == "" {
		h.Suggestion = s
	} else if s != "" {
		h.Suggestion += " (" + s + ")"
	}
	for _, n := range pathNames {
		if v := f[n]; h.Path == "" && (isText(v) || isArray(v)) {
			h.Path = pathOf(v)
		}
	}
	if keys := f["keys"]; h.Path == "" && isArray(keys) { // zod: unrecognized_keys
		h.Path = showValue(keys)
	}
	if h.Expected == "" && isJSONType(f["type"]) {
		h.Expected = showValue(f["type"])
	}
	if b := f.bounds(); b != "" && h.Allowed == "" {
		h.Allowed = b
	}
	if strings.HasPrefix(kind, "missing") {
		h.Received = ""
	}
	if h.Path == "" && h.Problem == "" && h.Suggestion == "" && h.Expected == kind { // an object with a type and no fault
		return Hint{}
	}
	return h
}

// bounds reads a least and a greatest value, or length.
func (f fields) bounds() string {
	strict := ""
	if string(f["inclusive"]) == "false" {
		strict = "strict"
	}
	var parts []string
	for _, b := range []struct {
		names []string
		signs map[string]string
	}{{minimumNames, map[string]string{"": ">= ", "strict": "> "}}, {maximumNames, map[string]string{"": "<= ", "strict": "< "}}} {
		if v := f.first(b.names, isScalar); v != "" {
			parts = append(parts, b.signs[strict]+v)
		}
	}
	if parts == nil {
		return ""
	}
	of := ""
	for _, n := range []string{"origin", "type"} { // zod 4 and 3: what is measured
		switch string(text(f[n])) {
		case "string":
			of = "length "
		case "array", "set":
			of = "items "
		}
	}
	return of + strings.Join(parts, " and ")
}

// showValue writes a value as a reader wants it: a string without its quotes, a list of plain values with commas.
func showValue(v []byte) string {
	if s := text(v); s != nil {
		return string(s)
	}
	if !isArray(v) {
		if string(v) == "null" {
			return ""
		}
		return string(v)
	}
	var parts []string
	elements(v, func(e []byte) bool {
		if s := text(e); s != nil {
			parts = append(parts, string(s))
		} else {
			parts = append(parts, string(e))
		}
		return len(parts) < 32
	})
	return strings.Join(parts, ", ")
}
