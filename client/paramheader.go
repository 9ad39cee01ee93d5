package client

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcperr/mcperr/interpret"
)

// paramHeader says that an argument of a tool is mirrored into an Mcp-Param header.
type paramHeader struct {
	name string   // after "Mcp-Param-"
	path []string // property names from the arguments down
}

// schemaDepth bounds how deep a tool's schema is searched for x-mcp-header.
const schemaDepth = 32

// paramHeaders collects the x-mcp-header annotations of an inputSchema.
// An annotation that breaks the transport's rules is an error: the specification wants such a tool left out of the list.
func paramHeaders(schema json.RawMessage) ([]paramHeader, error) {
	var found []paramHeader
	if err := collect(schema, nil, &found); err != nil {
		return nil, err
	}
	seen := make(map[string]bool)
	for _, p := range found {
		lower := strings.ToLower(p.name)
		if seen[lower] {
			return nil, fmt.Errorf("x-mcp-header %q comes twice", p.name)
		}
		seen[lower] = true
	}
	return found, nil
}

func collect(schema json.RawMessage, path []string, found *[]paramHeader) error {
	if len(path) > schemaDepth {
		return fmt.Errorf("the schema is nested more than %d levels deep", schemaDepth)
	}
	var s map[string]json.RawMessage
	var properties map[string]json.RawMessage
	if json.Unmarshal(schema, &s) != nil || json.Unmarshal(s["properties"], &properties) != nil {
		return nil // no properties, nothing to mirror
	}
	for name, raw := range properties {
		path := append(slices.Clone(path), name)
		var p map[string]json.RawMessage
		if json.Unmarshal(raw, &p) != nil {
			continue // a boolean schema
		}
		if annotation, ok := p["x-mcp-header"]; ok {
			h, err := annotated(annotation, p["type"], path)
			if err != nil {
				return fmt.Errorf("property %q: %w", brief([]byte(strings.Join(path, "."))), err)
			}
			*found = append(*found, h)
		}
		if err := collect(raw, path, found); err != nil {
			return err
		}
	}
	return nil
}

func annotated(annotation, kind json.RawMessage, path []string) (paramHeader, error) {
	h := paramHeader{path: path}
	if json.Unmarshal(annotation, &h.name) != nil || !isToken(h.name) {
		return h, fmt.Errorf("x-mcp-header %s is no header name", brief(annotation))
	}
	switch string(kind) {
	case `"string"`, `"integer"`, `"boolean"`:
	default:
		return h, fmt.Errorf("x-mcp-header on type %s: only string, integer and boolean are mirrored", brief(kind))
	}
	return h, nil
}

// isToken reports whether s is a token of RFC 9110, section 5.6.2.
func isToken(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !('0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || strings.ContainsRune("!#$%&'*+-.^_`|~", r))
	})
}

// maxSafeInteger is the largest integer that every reader of JSON numbers keeps exactly.
const maxSafeInteger = 1<<53 - 1

// value returns what the header says for these arguments.
// An argument that is absent, null or not of a mirrored type has no header.
func (p paramHeader) value(arguments object) (string, bool) {
	raw := arguments.get(p.path[0])
	for _, name := range p.path[1:] {
		inner, err := parseObject(raw)
		if err != nil {
			return "", false
		}
		raw = inner.get(name)
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return "", false
	}
	switch v := v.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case float64:
		if n := int64(v); float64(n) == v && -maxSafeInteger <= n && n <= maxSafeInteger {
			return strconv.FormatInt(n, 10), true
		}
	}
	return "", false
}

// brief is what an error quotes of a server's words.
func brief(raw []byte) string { return new(interpret.Scrubber).Line(string(raw), 100) }
