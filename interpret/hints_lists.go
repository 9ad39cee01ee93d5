package interpret

import (
	"regexp"
	"strings"
)

// Readers of the wordings that list several faults: one a validator. Those of Go's are in hints_go.go.

const fieldPath = `[A-Za-z_$][\w$-]*(?:\.[\w$-]+|\[\d+\])*`

var pydanticItem = regexp.MustCompile(`^ *(.+?) \[type=(\w+), input_value=(.*), input_type=\w+\]$`)

// readPydantic reads pydantic's listing: a line for the place, an indented one for what is wrong with it.
func readPydantic(s string) (list []Hint) {
	path := ""
	for line := range strings.SplitSeq(strings.TrimSpace(s), "\n") {
		if !strings.HasPrefix(line, " ") {
			path = line
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(line), "For further information visit") {
			continue
		}
		m := pydanticItem.FindStringSubmatch(line)
		if m == nil {
			return nil
		}
		h := Hint{Path: dotted(path), Problem: m[1], Received: m[3]}
		if strings.HasPrefix(m[2], "missing") { // what was received is all the rest
			h.Received = ""
		}
		list = append(list, h)
	}
	return list
}

var (
	zodAfter  = regexp.MustCompile(`^(.+) at (` + fieldPath + `)$`)
	zodBefore = regexp.MustCompile(`(?s)^(` + fieldPath + `): (.+)$`)
	zodNext   = regexp.MustCompile(`, ` + fieldPath + `: [A-Z]`)
)

// readZod reads zod's issues in prose: "problem at path" on lines of their own, or "path: problem" with commas between them.
func readZod(s string) (list []Hint) {
	if lines := strings.Split(s, "\n"); zodAfter.MatchString(lines[0]) {
		for _, line := range lines {
			if m := zodAfter.FindStringSubmatch(line); m != nil {
				list = append(list, Hint{Path: dotted(m[2]), Problem: m[1]})
			} else {
				list = append(list, Hint{Problem: line})
			}
		}
		return list
	}
	for _, item := range splitAt(s, zodNext, 2) {
		m := zodBefore.FindStringSubmatch(item)
		if m == nil {
			return nil
		}
		list = append(list, Hint{Path: dotted(m[1]), Problem: m[2]})
	}
	return list
}

// splitAt cuts s where re matches, and leaves out the first skip bytes of each match.
func splitAt(s string, re *regexp.Regexp, skip int) (parts []string) {
	from := 0
	for _, at := range re.FindAllStringIndex(s, mostCounted) {
		parts = append(parts, s[from:at[0]])
		from = at[0] + skip
	}
	return append(parts, s[from:])
}

var (
	ajvNext = regexp.MustCompile(`, (?:data(?:[/.]\S+)?|/\S+) must `)
	ajvItem = regexp.MustCompile(`^(?:data)?((?:[/.][^\s/.]+)*) (must .+)$`)
	ajvName = regexp.MustCompile(`^must have required property '(.+)'$`)
)

// readAjv reads the errors' text of ajv, and what is worded like it.
func readAjv(s string) (list []Hint) {
	for _, item := range splitAt(s, ajvNext, 2) {
		m := ajvItem.FindStringSubmatch(item)
		if m == nil || m[1] == "" && !strings.HasPrefix(item, "data") {
			return nil
		}
		h := Hint{Path: dotted(m[1]), Problem: m[2]}
		if n := ajvName.FindStringSubmatch(m[2]); n != nil {
			h = Hint{Path: join(h.Path, n[1]), Problem: "missing"}
		}
		list = append(list, h)
	}
	return list
}

var (
	networkntItem = regexp.MustCompile(`^([/$]\S*): (.+)$`)
	networkntNext = regexp.MustCompile(`, [/$]\S*: `)
	networkntName = regexp.MustCompile(`^required property '(.+)' not found$`)
)

// readNetworknt reads networknt's validator, the Java SDK's.
func readNetworknt(s string) (list []Hint) {
	for _, item := range splitAt(strings.Trim(s, "[]"), networkntNext, 2) {
		m := networkntItem.FindStringSubmatch(item)
		if m == nil {
			return nil
		}
		h := Hint{Path: dotted(m[1]), Problem: m[2]}
		if n := networkntName.FindStringSubmatch(m[2]); n != nil {
			h = Hint{Path: join(h.Path, n[1]), Problem: "missing"}
		}
		list = append(list, h)
	}
	return list
}
