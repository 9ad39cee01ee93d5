package toolschema

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/mcperr/mcperr/interpret"
)

var english = message.NewPrinter(language.English)

// hints makes a hint of every leaf of an error. Of alternatives, none of which fits, it says that and no more: each has another leaf.
func (t *tool) hints(e *jsonschema.ValidationError, list []interpret.Hint) []interpret.Hint {
	path := strings.Join(e.InstanceLocation, ".")
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		return append(list, interpret.Hint{Path: path, Problem: "fits none, or not one alone, of the forms that are allowed", BySchema: true})
	case *kind.Required:
		for _, name := range k.Missing {
			h := interpret.Hint{Path: join(path, name), Problem: "missing", BySchema: true}
			h.Expected, h.Allowed = t.wanted(e.SchemaURL, name)
			list = append(list, h)
		}
		return list
	case *kind.AdditionalProperties:
		for _, name := range k.Properties {
			list = append(list, interpret.Hint{Path: join(path, name), Problem: "unexpected", BySchema: true})
		}
		return list
	}
	if len(e.Causes) == 0 {
		h := leaf(e.ErrorKind)
		h.Path, h.BySchema = path, true
		return append(list, h)
	}
	for _, c := range e.Causes {
		list = t.hints(c, list)
	}
	return list
}

func leaf(k jsonschema.ErrorKind) interpret.Hint {
	switch k := k.(type) {
	case *kind.Type:
		return interpret.Hint{Expected: strings.Join(k.Want, " or "), Received: k.Got}
	case *kind.Enum:
		return interpret.Hint{Allowed: values(k.Want), Received: value(k.Got)}
	case *kind.Const:
		return interpret.Hint{Allowed: value(k.Want), Received: value(k.Got)}
	case *kind.Minimum:
		return bound(">=", k.Want, k.Got)
	case *kind.Maximum:
		return bound("<=", k.Want, k.Got)
	case *kind.ExclusiveMinimum:
		return bound(">", k.Want, k.Got)
	case *kind.ExclusiveMaximum:
		return bound("<", k.Want, k.Got)
	case *kind.MultipleOf:
		return bound("a multiple of", k.Want, k.Got)
	case *kind.Pattern:
		return interpret.Hint{Allowed: k.Want, Received: k.Got}
	case *kind.MinLength:
		return interpret.Hint{Allowed: fmt.Sprintf("at least %d characters", k.Want), Received: fmt.Sprint(k.Got)}
	case *kind.MaxLength:
		return interpret.Hint{Allowed: fmt.Sprintf("at most %d characters", k.Want), Received: fmt.Sprint(k.Got)}
	case *kind.MinItems:
		return interpret.Hint{Allowed: fmt.Sprintf("at least %d items", k.Want), Received: fmt.Sprint(k.Got)}
	case *kind.MaxItems:
		return interpret.Hint{Allowed: fmt.Sprintf("at most %d items", k.Want), Received: fmt.Sprint(k.Got)}
	}
	return interpret.Hint{Problem: k.LocalizedString(english)}
}

func bound(sign string, want, got *big.Rat) interpret.Hint {
	return interpret.Hint{Allowed: sign + " " + number(want), Received: number(got)}
}

func number(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	return strings.TrimRight(r.FloatString(10), "0")
}

// wanted says what a missing property should be, as far as the schema says so in its place.
func (t *tool) wanted(schemaURL, name string) (expected, allowed string) {
	_, pointer, _ := strings.Cut(schemaURL, "#")
	within, ok := t.source, true
	if pointer != "" {
		within, ok = at(t.source, "#"+pointer)
	}
	schema, _ := within.(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	property, _ := properties[name].(map[string]any)
	if !ok || property == nil {
		return "", ""
	}
	switch kind := property["type"].(type) {
	case string:
		expected = kind
	case []any:
		expected = strings.ReplaceAll(values(kind), ", ", " or ")
	}
	if enum, ok := property["enum"].([]any); ok {
		allowed = values(enum)
	}
	return expected, allowed
}

func values(list []any) string {
	var parts []string
	for _, v := range list {
		parts = append(parts, value(v))
	}
	return strings.Join(parts, ", ")
}

// value writes a string as it is, and anything else as JSON.
func value(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, _ := json.Marshal(v)
	return string(b)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
