package interpret

import "strings"

// pathOf reads the place of a field: a list of steps, or a string in one of the ways in which validators write it.
func pathOf(v []byte) string {
	if s := text(v); s != nil {
		return dotted(string(s))
	}
	var steps []string
	elements(v, func(e []byte) bool {
		steps = append(steps, showValue(e))
		return len(steps) < 16
	})
	return inArguments(steps)
}

// dotted makes "items.0.sku" of a JSON pointer (RFC 6901), of a JSON path ("$.items[0].sku") and of JavaScript's "items[0].sku".
func dotted(s string) string {
	s = strings.TrimSpace(clean(s)) // before a terminal code falls into steps, of which none is one
	switch {
	case strings.HasPrefix(s, "/"), strings.HasPrefix(s, "#/"):
		steps := strings.Split(s[strings.Index(s, "/")+1:], "/")
		for i, step := range steps {
			steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		}
		return inArguments(steps)
	case s == "$", s == "#", s == "<root>":
		return ""
	}
	s = strings.TrimPrefix(s, "$")
	s = strings.NewReplacer("[", ".", "]", "", `"`, "", "'", "").Replace(s)
	return inArguments(strings.Split(strings.TrimPrefix(s, "."), "."))
}

// inArguments joins the steps, from the arguments on: "params.arguments.a" is the model's "a", and what stands above them stays as it is.
func inArguments(steps []string) string {
	if len(steps) > 0 && steps[0] == "params" && len(steps) > 1 && steps[1] == "arguments" {
		steps = steps[1:]
	}
	if len(steps) > 1 && steps[0] == "arguments" {
		steps = steps[1:]
	}
	return strings.Join(steps, ".")
}
