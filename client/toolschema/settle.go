package toolschema

import (
	"encoding/json"
	"math"
	"math/big"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// settler goes through a compiled schema, gives to judges what is theirs, and weighs it: a reference may lead elsewhere than it seemed to before
// its identifiers were known.
type settler struct {
	t       *tool
	weights map[*jsonschema.Schema]int // too much while it is being weighed, so that a circle is too much
}

func (w *settler) settle(s *jsonschema.Schema) int {
	if n, ok := w.weights[s]; ok {
		return n
	}
	w.weights[s] = mostParts + 1
	if s.RecursiveRef != nil && s.RecursiveRef.RecursiveAnchor || s.DynamicRef != nil && s.DynamicRef.Anchor != "" {
		return mostParts + 1 // it is for whoever refers to it to say what it stands for
	}
	n := 1
	for _, part := range parts(s) {
		n = min(n+w.settle(part), mostParts+1)
	}
	w.weights[s] = n
	source, _ := at(w.t.source, strings.TrimPrefix(s.Location, location))
	raw, _ := source.(map[string]any)
	settleBounds(s, raw)
	j := &judge{t: w.t, vague: settleFormat(s, raw)}
	if j.vague || s.Pattern != nil || s.PropertyNames != nil || s.PatternProperties != nil || s.Contains != nil ||
		s.Not != nil || s.OneOf != nil || s.If != nil {
		j.s = *s
		s.Pattern, s.PropertyNames, s.Contains, s.Not, s.OneOf, s.If = nil, nil, nil, nil, nil, nil
		if s.PatternProperties != nil {
			s.PatternProperties, s.AdditionalProperties = nil, nil
		}
		s.Extensions = append(s.Extensions, j)
	}
	return n
}

// formats that the validator checks, by the draft that first has them. Of the drafts since 2019 they are not checked: there a format is a remark.
// What another draft, or nobody, has may mean something else to the server.
var formats = map[string]int{
	"date-time": 4, "email": 4, "hostname": 4, "ipv4": 4, "ipv6": 4, "uri": 4,
	"json-pointer": 6, "uri-reference": 6, "uri-template": 6,
	"date": 7, "iri": 7, "iri-reference": 7, "relative-json-pointer": 7, "time": 7,
}

// settleFormat reports whether the schema has a format, or an encoding, that is not checked.
func settleFormat(s *jsonschema.Schema, raw map[string]any) bool {
	if s.Format != nil {
		if since := formats[s.Format.Name]; since == 0 || s.DraftVersion < since {
			s.Format = nil
		}
	}
	return raw["format"] != nil && s.Format == nil || raw["contentEncoding"] != nil || raw["contentMediaType"] != nil
}

// settleBounds mends those that do not fit into the validator's integers: it keeps their last bits. There is nothing that large.
func settleBounds(s *jsonschema.Schema, raw map[string]any) {
	for name, bound := range map[string]*int{
		"minLength": s.MinLength, "minItems": s.MinItems, "minProperties": s.MinProperties, "minContains": s.MinContains,
		"maxLength": s.MaxLength, "maxItems": s.MaxItems, "maxProperties": s.MaxProperties, "maxContains": s.MaxContains,
	} {
		written, _ := raw[name].(json.Number)
		n, ok := new(big.Rat).SetString(written.String())
		if bound != nil && ok && n.Cmp(new(big.Rat).SetInt64(math.MaxInt)) > 0 {
			*bound = math.MaxInt
		}
	}
}

// parts returns the schemas that a schema consists of or refers to.
func parts(s *jsonschema.Schema) []*jsonschema.Schema {
	list := []*jsonschema.Schema{
		s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties,
		s.Contains, s.Items2020, s.UnevaluatedItems, s.ContentSchema,
	}
	if s.DynamicRef != nil {
		list = append(list, s.DynamicRef.Ref)
	}
	list = slices.Concat(list, s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems)
	either := []any{s.AdditionalProperties, s.Items, s.AdditionalItems}
	for _, p := range s.Properties {
		list = append(list, p)
	}
	for _, p := range s.PatternProperties {
		list = append(list, p)
	}
	for _, p := range s.DependentSchemas {
		list = append(list, p)
	}
	for _, p := range s.Dependencies {
		either = append(either, p)
	}
	for _, e := range either {
		switch e := e.(type) {
		case *jsonschema.Schema:
			list = append(list, e)
		case []*jsonschema.Schema:
			list = append(list, e...)
		}
	}
	return slices.DeleteFunc(list, func(s *jsonschema.Schema) bool { return s == nil })
}
