package toolschema

import (
	"encoding/json"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// judge has those keywords of a schema that the validator, which knows valid and invalid, cannot judge when a part of it is [unsure]. What is unsure
// passes, so that an error is one whatever the dialect; and tool.unsure is set, so that what passes is known for a guess where passing is a fault.
type judge struct {
	t     *tool
	s     jsonschema.Schema // the keywords are taken out of the validator's own
	vague bool              // it has a format, or an encoding, that need not be checked and is not
}

// Validate is that of [jsonschema.SchemaExt].
func (j *judge) Validate(ctx *jsonschema.ValidatorContext, v any) {
	switch v := v.(type) {
	case string:
		j.pattern(ctx, v)
	case json.Number:
		j.t.unsure = j.t.unsure || j.vague // int32 is a format
	case []any:
		if j.s.Contains != nil {
			j.contains(ctx, v)
		}
	case map[string]any:
		j.names(ctx, v)
		if j.s.PatternProperties != nil {
			j.properties(ctx, v)
		}
	}
	if j.s.Not != nil {
		switch j.try(ctx, j.s.Not, v) {
		case yes:
			ctx.AddError(&kind.Not{})
		case unsure:
			j.t.unsure = true
		}
	}
	if len(j.s.OneOf) > 0 {
		j.oneOf(ctx, v)
	}
	if j.s.If != nil {
		j.conditional(ctx, v)
	}
}

// try asks a part of the schema about the value, or about what is at the path in it. It leaves tool.unsure as it was.
func (j *judge) try(ctx *jsonschema.ValidatorContext, s *jsonschema.Schema, v any, path ...string) verdict {
	before := j.t.unsure
	j.t.unsure = false
	err := ctx.Validate(s, v, path)
	guessed := j.t.unsure
	j.t.unsure = before
	switch {
	case err != nil:
		return no
	case guessed:
		return unsure
	}
	return yes
}

func (j *judge) pattern(ctx *jsonschema.ValidatorContext, v string) {
	j.t.unsure = j.t.unsure || j.vague
	if p, ok := j.s.Pattern.(*pattern); ok {
		switch p.matches(v) {
		case no:
			ctx.AddError(&kind.Pattern{Got: v, Want: p.source})
		case unsure:
			j.t.unsure = true
		}
	}
}

func (j *judge) contains(ctx *jsonschema.ValidatorContext, v []any) {
	sure, perhaps := 0, 0
	for i, item := range v {
		switch j.try(ctx, j.s.Contains, item, strconv.Itoa(i)) {
		case no:
			continue
		case yes:
			sure++
		case unsure:
			perhaps++
			j.t.unsure = true
		}
		if j.s.DraftVersion >= 2020 {
			ctx.EvaluatedItem(i)
		}
	}
	switch least, most := j.s.MinContains, j.s.MaxContains; {
	case least == nil && sure+perhaps == 0:
		ctx.AddError(&kind.Contains{})
	case least != nil && sure+perhaps < *least:
		ctx.AddError(&kind.MinContains{Want: *least})
	case most != nil && sure > *most:
		ctx.AddError(&kind.MaxContains{Want: *most})
	}
}

// names has each name that is not allowed under its own path; the validator has them under that of whatever it came to next.
func (j *judge) names(ctx *jsonschema.ValidatorContext, v map[string]any) {
	if j.s.PropertyNames == nil {
		return
	}
	for name := range v {
		if j.s.PropertyNames.Validate(name) != nil {
			ctx.AddError(&kind.PropertyNames{Property: name})
		}
	}
}

// properties judges those that a pattern names, and the additional ones, which none does.
func (j *judge) properties(ctx *jsonschema.ValidatorContext, v map[string]any) {
	var unexpected []string
	for name, value := range v {
		_, known := j.s.Properties[name]
		for key, s := range j.s.PatternProperties {
			switch key.(*pattern).matches(name) {
			case yes:
				known = true
				ctx.AddErr(ctx.Validate(s, value, []string{name}))
			case unsure:
				known = true
				j.t.unsure = true
			}
		}
		if !known {
			switch additional := j.s.AdditionalProperties.(type) {
			case nil:
				continue
			case bool:
				if !additional {
					unexpected = append(unexpected, name)
				}
			case *jsonschema.Schema:
				ctx.AddErr(ctx.Validate(additional, value, []string{name}))
			}
		}
		ctx.EvaluatedProp(name)
	}
	if len(unexpected) > 0 {
		ctx.AddError(&kind.AdditionalProperties{Properties: unexpected})
	}
}

func (j *judge) oneOf(ctx *jsonschema.ValidatorContext, v any) {
	sure, perhaps := 0, 0
	for _, s := range j.s.OneOf {
		switch j.try(ctx, s, v) {
		case yes:
			sure++
		case unsure:
			perhaps++
		}
	}
	switch {
	case sure > 1 || sure+perhaps == 0:
		ctx.AddError(&kind.OneOf{})
	case perhaps > 0:
		j.t.unsure = true
	}
}

func (j *judge) conditional(ctx *jsonschema.ValidatorContext, v any) {
	branch := j.s.Then
	switch j.try(ctx, j.s.If, v) {
	case no:
		branch = j.s.Else
	case unsure: // then each branch may be the one, and what it looks at may be all
		j.t.unsure = true
		switch v := v.(type) {
		case map[string]any:
			for name := range v {
				ctx.EvaluatedProp(name)
			}
		case []any:
			for i := range v {
				ctx.EvaluatedItem(i)
			}
		}
		return
	}
	if branch != nil {
		ctx.AddErr(ctx.Validate(branch, v, nil))
	}
}
