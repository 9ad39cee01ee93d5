package interpret

import (
	"regexp"
	"strings"
)

// rpcPrefix is what SDKs put before a message they pass on.
var rpcPrefix = regexp.MustCompile(`^(?:MCP error -?\d+: )+`)

// unwrap takes a message out of what it was wrapped in: the prefix of an SDK, the body that a bridge quotes ("HTTP 400: {…}"), an exception
// that was serialized as JSON. A list of issues becomes hints; what an object says of fields does, too.
func (w *words) unwrap(s string, depth int) string {
	s = strings.TrimSpace(rpcPrefix.ReplaceAllString(strings.TrimSpace(s), ""))
	if depth >= mostNested {
		return s
	}
	before, value, after := quotedJSON(s)
	switch {
	case isArray(value) && aboutOutput.MatchString(before): // nothing the arguments could mend
		return before + issuesAsText(value) + after
	case isArray(value) && w.issues(value):
		return strings.TrimSpace(before + after)
	case isObject(value):
		names := messageNames
		if before == "" {
			names = append(names[:len(names):len(names)], "title", "reason")
		}
		inner := innerMessage(value, names, 0)
		known := len(w.hints)
		w.data(value, inner, 0)
		switch {
		case inner != "":
			return w.unwrap(before+inner+after, depth+1)
		case len(w.hints) > known:
			return strings.TrimSpace(before + after)
		}
	}
	return s
}

func issuesAsText(array []byte) string {
	var w words
	if !w.issues(array) {
		return string(array)
	}
	var parts []string
	for _, h := range w.hints {
		parts = append(parts, strings.TrimPrefix(h.Path+": "+h.Problem, ": "))
	}
	return strings.Join(parts, "; ")
}

// quotedJSON finds an object or an array of objects that stands at the beginning of s or behind white space, and reaches to the end of s
// or nearly so. It looks at the first few places only.
func quotedJSON(s string) (before string, value []byte, after string) {
	const places, mostAfter = 4, 200
	for i, tried := 0, 0; tried < places; i++ {
		next := strings.IndexAny(s[i:], "{[")
		if next < 0 {
			break
		}
		i += next
		if i > 0 && !strings.ContainsRune(" \n\t", rune(s[i-1])) {
			continue
		}
		tried++
		t := newTokens([]byte(s[i:]))
		v := t.value()
		rest := string(t.rest())
		failed := t.err != nil
		t.done()
		if failed || len(rest) > mostAfter || isArray(v) && !holdsObjects(v) {
			continue
		}
		return s[:i], v, rest
	}
	return s, nil, ""
}

func holdsObjects(array []byte) (yes bool) {
	elements(array, func(v []byte) bool {
		yes = isObject(v)
		return false
	})
	return yes
}

// messageNames are the members that carry a message, the innermost first.
var messageNames = []string{"jsonRpcError", "error", "message", "error_description", "detail"}

// innerMessage returns the message that an object carries under one of the names, the innermost one.
func innerMessage(object []byte, names []string, depth int) string {
	if depth >= mostNested {
		return ""
	}
	for _, name := range names {
		v := member(object, name)
		if isObject(v) {
			if m := innerMessage(v, names, depth+1); m != "" {
				return m
			}
		}
		if name == "error" && text(v) != nil { // OAuth (RFC 6749, section 5.2): the description says more
			if m := text(member(object, "error_description")); len(m) > 0 {
				return string(m)
			}
		}
		if m := text(v); len(m) > 0 {
			return string(m)
		}
	}
	return ""
}
