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
	case *kind.PropertyNames:
		return append(list, interpret.Hint{Path: join(path, k.Property), Problem: "not a name that is allowed", BySchema: true})
	case *kind.RefCycle, *kind.InvalidJsonValue:
		return list // the validator gave up
	}
	if len(e.Causes) == 0 {
		h := leaf(e.ErrorKind)
		h.Path, h.BySchema = path, true
		return append(list, h)
	}
	for _, c := range evaluated(e) {
		list = t.hints(c, list)
	}
	return list
}

// evaluated returns the causes of an error, without those of "unevaluatedProperties" and "unevaluatedItems" if there are others: what another keyword
// fails on it does not evaluate, so that what is merely wrong would be unexpected too.
func evaluated(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	of := e.SchemaURL
	if k, ok := e.ErrorKind.(*kind.Reference); ok {
		of = k.URL
	}
	var others []*jsonschema.ValidationError
	for _, c := range e.Causes {
		if !strings.HasPrefix(c.SchemaURL, of+"/unevaluated") {
			others = append(others, c)
		}
	}
	if len(others) == 0 {
		return e.Causes
	}
	return others
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
	case *kind.FalseSchema:
		return interpret.Hint{Problem: "unexpected"}
	case *kind.Not:
		return interpret.Hint{Problem: "has a form that is not allowed"}
	case *kind.Contains:
		return interpret.Hint{Problem: "has no item of the form that is required"}
	case *kind.MinContains:
		return interpret.Hint{Problem: fmt.Sprintf("has fewer than %d items of the form that is required", k.Want)}
	case *kind.MaxContains:
		return interpret.Hint{Problem: fmt.Sprintf("has more than %d items of a form that is limited", k.Want)}
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
	within, _ := at(t.source, strings.TrimPrefix(schemaURL, location))
	schema, _ := within.(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	property, _ := properties[name].(map[string]any)
	if property == nil {
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
