package toolschema

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// check returns the hints of a schema, each as its path and what is wrong there.
func check(t *testing.T, s *Set, arguments string) (found []string) {
	t.Helper()
	for _, h := range s.CheckArguments("tool", []byte(arguments)) {
		found = append(found, strings.Join(strings.Fields(fmt.Sprint(h.Path, " ", h.Problem, " ", h.Expected, " ", h.Allowed)), " "))
	}
	return found
}

func setOf(t *testing.T, schema string) *Set {
	t.Helper()
	var s Set
	if err := s.Add("tool", []byte(schema)); err != nil {
		t.Fatalf("%s: %v", schema, err)
	}
	return &s
}

// unjudged is the validator alone.
func unjudged(t *testing.T, schema string) *jsonschema.Schema {
	t.Helper()
	doc, err := decode([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(location, doc); err != nil {
		t.Fatal(err)
	}
	return c.MustCompile(location)
}

// What a pattern that Go does not have says is not known, and what depends on it is no hint; what does not is one still.
func TestWhatIsNotKnownIsNoHint(t *testing.T) {
	for _, c := range []struct{ schema, arguments, want string }{
		{`{"properties":{"a":{"pattern":"^(?!x)"},"b":{"type":"null"}}}`, `{"a":"q","b":1}`, "b null"},
		{`{"patternProperties":{"^(?!x-)":{"type":"string"}}}`, `{"x-n":1}`, ""},
		{`{"patternProperties":{"^(?!x-)":{"type":"string"}},"additionalProperties":false}`, `{"x-n":1}`, ""},
		{`{"patternProperties":{"^(?!x-)":{"type":"string"},"n$":{"type":"string"}},"additionalProperties":false}`, `{"x-n":1,"m":1}`, "x-n string"},
		{`{"properties":{"a":{"type":"null"}},"patternProperties":{"^(?!x-)":true},"additionalProperties":false}`, `{"a":1}`, "a null"},
		{`{"patternProperties":{"^(?!x-)":true},"unevaluatedProperties":false}`, `{"x-n":1}`, ""},
		{`{"properties":{"name":{"not":{"pattern":"^(?!ok)"}},"b":{"type":"null"}}}`, `{"name":"ok","b":1}`, "b null"},
		{`{"properties":{"name":{"not":{"pattern":"^(?!ok)","maxLength":1}}}}`, `{"name":"ok"}`, ""},
		{`{"properties":{"name":{"not":{"not":{"pattern":"^(?!ok)"}}}}}`, `{"name":"ok"}`, ""},
		{`{"not":{"properties":{"name":{"pattern":"^(?!ok)"},"b":{"type":"null"}}}}`, `{"name":"ok"}`, ""},
		{`{"not":{"not":{"not":{"patternProperties":{"^(?!x-)":{"type":"string"}}}}}}`, `{"x-n":1}`, ""},
		{`{"not":{"required":["a"],"properties":{"a":{"$ref":"#/$defs/p"}}},"$defs":{"p":{"anyOf":[{"type":"null"},{"pattern":"^(?=z)"}]}}}`, `{"a":"q"}`, ""},
		{`{"if":{"properties":{"a":{"pattern":"^(?=z)"}}},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"a":"q"}`, ""},
		{`{"if":{"properties":{"a":{"pattern":"^(?=z)","maxLength":0}}},"then":{"required":["b"]},"else":{"required":["c"]}}`, `{"a":"q"}`, "c missing"},
		{`{"if":{"properties":{"a":{"pattern":"^(?=z)"}}},"then":{"properties":{"b":true}},"unevaluatedProperties":false}`, `{"a":"q","b":1}`, ""},
		{`{"if":{"prefixItems":[{"pattern":"^(?=z)"}]},"then":{"items":true},"unevaluatedItems":false}`, `["q","r"]`, ""},
		{`{"properties":{"a":{"oneOf":[{"pattern":"^(?=z)"},{"type":"string"}]}}}`, `{"a":"q"}`, ""},
		{`{"properties":{"a":{"oneOf":[{"pattern":"^(?=z)"},{"type":"null"}]}}}`, `{"a":"q"}`, ""},
		{`{"properties":{"a":{"oneOf":[{"pattern":"^(?=z)"},true,{"type":"string"}]}}}`, `{"a":"q"}`, "a fits none, or not one alone, of the forms that are allowed"},
		{`{"properties":{"a":{"anyOf":[{"pattern":"^(?=z)"},{"type":"null"}]}}}`, `{"a":"q"}`, ""},
		{`{"properties":{"a":{"anyOf":[{"pattern":"^(?=z)","maxLength":0},{"type":"null"}]}}}`, `{"a":"q"}`, "a fits none, or not one alone, of the forms that are allowed"},
		{`{"properties":{"a":{"contains":{"pattern":"^(?=z)"},"maxContains":1}}}`, `{"a":["q","r"]}`, ""},
		{`{"properties":{"a":{"contains":{"pattern":"^(?=z)"},"minContains":3}}}`, `{"a":["q","r"]}`, "a has fewer than 3 items of the form that is required"},
		{`{"properties":{"a":{"not":{"contains":{"pattern":"^(?=z)"}}}}}`, `{"a":["q"]}`, ""},
		{`{"contains":{"pattern":"^(?=z)"},"unevaluatedItems":false}`, `["q"]`, ""},
		{`{"dependentSchemas":{"a":{"not":{"properties":{"a":{"pattern":"^(?=z)"}}}}}}`, `{"a":"q"}`, ""},
		{`{"propertyNames":{"pattern":"^(?!x)"}}`, `{"xa":1}`, ""},
		{`{"propertyNames":{"not":{"pattern":"^(?!x)"}}}`, `{"a":1}`, ""},
		{`{"not":{"propertyNames":{"pattern":"^(?!x)"}}}`, `{"xa":1}`, ""},
	} {
		if got := strings.Join(check(t, setOf(t, c.schema), c.arguments), "; "); got != c.want {
			t.Errorf("%s\n of %s\n got %q\nwant %q", c.arguments, c.schema, got, c.want)
		}
	}
}

// Go has the pattern, and other dialects have another by the same signs.
func TestWhatDialectsReadDifferently(t *testing.T) {
	for source, of := range map[string]map[string]verdict{
		`^[A-Z]{3}$`:   {"ZRH": yes, "Zürich": no, "Zurich": no, "ZRH\n": unsure, "\x00": unsure},
		`^\w+$`:        {"Zurich": yes, "a b": no, "Zürich": unsure},
		`^\D+$`:        {"abc": yes, "٣": unsure},
		`(?i)^k$`:      {"K": yes, "x": no, "\u212a": unsure},
		`^.$`:          {"a": yes, "ab": no, "é": yes, "😀": unsure, "\u2028": unsure, "\u0085": unsure, "\ufffd": unsure},
		`\Aa\z`:        {"a": unsure},
		`^[[:upper:]]`: {"a": unsure},
		`^a{,3}$`:      {"a": unsure},
		`^[a-z&&[b]]`:  {"c": unsure},
		`^(?!a)`:       {"a": unsure},
		`^(a)\1$`:      {"a": unsure},
		`^a{1,2000}$`:  {"b": unsure},
		`^\u0041$`:     {"A": unsure},
		`(`:            {"a": unsure},
	} {
		re, err := newPattern(source)
		if err != nil {
			t.Fatal(err)
		}
		for s, want := range of {
			if got := re.(*pattern).matches(s); got != want {
				t.Errorf("%q of %s: %v, want %v", s, source, got, want)
			}
		}
	}
}

// A format that need not be checked, or means what the server has it mean, decides nothing.
func TestFormatsThatAreNotChecked(t *testing.T) {
	const draft7 = `"$schema":"http://json-schema.org/draft-07/schema#",`
	for _, c := range []struct{ schema, arguments, want string }{
		{`{"properties":{"a":{"oneOf":[{"format":"uri"},{"format":"email"}]},"b":{"type":"null"}}}`, `{"a":"q","b":1}`, "b null"},
		{`{"properties":{"a":{"oneOf":[{"format":"uri"},{"type":"null"}]},"b":{"type":"null"}}}`, `{"a":"q","b":1}`, "b null"},
		{`{"properties":{"a":{"oneOf":[{"format":"int32"},{"format":"int64"}]}}}`, `{"a":7}`, ""},
		{`{"properties":{"a":{"not":{"format":"email"}}}}`, `{"a":"q"}`, ""},
		{`{"properties":{"a":{"not":{"contentEncoding":"base64"}}}}`, `{"a":"q"}`, ""},
		{`{` + draft7 + `"properties":{"a":{"not":{"format":"regex"}}}}`, `{"a":"("}`, ""},
		{`{` + draft7 + `"properties":{"a":{"format":"duration"},"b":{"format":"period"},"c":{"format":"semver"}}}`, `{"a":"5m","b":"weekly","c":"v1"}`, ""},
		{`{` + draft7 + `"properties":{"a":{"format":"ipv4"}}}`, `{"a":"q"}`, "a 'q' is not valid ipv4: expected four decimals"},
	} {
		if got := strings.Join(check(t, setOf(t, c.schema), c.arguments), "; "); got != c.want {
			t.Errorf("%s\n of %s\n got %q\nwant %q", c.arguments, c.schema, got, c.want)
		}
	}
}

// What the validator reports and is not so, or is so elsewhere.
func TestHintsOfTheRightPlace(t *testing.T) {
	for _, c := range []struct{ schema, arguments, want string }{
		{`{"properties":{"a":{"contains":{"type":"null"}}}}`, `{"a":[1,2]}`, "a has no item of the form that is required"}, // no item must be null
		{`{"items":{"propertyNames":{"maxLength":1}}}`, `[{"xx":1},{"y":1},{"z":1}]`, "0.xx not a name that is allowed"},
		{`{"allOf":[{"properties":{"a":{"type":"null"}}}],"unevaluatedProperties":false}`, `{"a":1}`, "a null"}, // and not unexpected
		{`{"$ref":"#/$defs/o","$defs":{"o":{"allOf":[{"properties":{"a":{"type":"null"}}}],"unevaluatedProperties":false}}}`, `{"a":1}`, "a null"},
		{`{"allOf":[{"properties":{"a":true}}],"unevaluatedProperties":false}`, `{"a":1,"b":1}`, "b unexpected"},
		{`{"maxLength":18446744073709551615,"maxProperties":18446744073709551616,"maxItems":1e30}`, `{"a":"q"}`, ""},
		{`{"maxLength":18446744073709551615}`, `"q"`, ""},
		{`{"properties":{"a":{"required":["b"],"properties":{"b":{"type":"null"}}}}}`, `{"a":{}}`, "a.b missing null"},
		{`{"properties":{"a b/c":{"required":["b"],"properties":{"b":{"type":"null"}}}}}`, `{"a b/c":{}}`, "a b/c.b missing null"},
	} {
		if got := strings.Join(check(t, setOf(t, c.schema), c.arguments), "; "); got != c.want {
			t.Errorf("%s\n of %s\n got %q\nwant %q", c.arguments, c.schema, got, c.want)
		}
	}
}

// Of schemas made at random: where all is known the verdict is the validator's own, and a hint that there is while patterns are not known is there
// whatever they say.
func TestJudgesAreRight(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	readings := []string{`^a`, `b`, `^$`, `.`, `^.?$`, `$x`}
	hinted := 0
	for range 80 {
		schema := randomSchema(r, 3)
		half := setOf(t, schema)
		var known []*Set
		var plain []*jsonschema.Schema
		for range 2 {
			read := schema
			for i := range 3 {
				read = strings.ReplaceAll(read, fmt.Sprintf("(?=%d)", i), readings[r.IntN(len(readings))])
			}
			known, plain = append(known, setOf(t, read)), append(plain, unjudged(t, read))
		}
		for range 100 {
			arguments := randomValue(r, 3)
			hints := check(t, half, arguments)
			if len(hints) > 0 && strings.Contains(schema, "(?=") {
				hinted++
			}
			for i := range known {
				of := check(t, known[i], arguments)
				v, _ := decode([]byte(arguments))
				if valid := plain[i].Validate(v) == nil; valid != (len(of) == 0) {
					t.Fatalf("%s\n of %s, %d\n valid %v, and %q", arguments, schema, i, valid, of)
				}
				for _, h := range hints { // what is unevaluated is told only if there is nothing else
					if !slices.Contains(of, h) && !(strings.Contains(schema, "unevaluated") && len(of) > 0) {
						t.Fatalf("%s\n of %s, %d\n got %q, and if it is known %q", arguments, schema, i, hints, of)
					}
				}
			}
		}
	}
	if hinted < 1000 {
		t.Errorf("only %d had a hint beside what is not known", hinted)
	}
}

func randomSchema(r *rand.Rand, depth int) string {
	one := func() string { return randomSchema(r, depth-1) }
	pattern := func() string { return fmt.Sprintf(`"(?=%d)"`, r.IntN(3)) }
	var members []string
	for range 1 + r.IntN(3) {
		kinds := 18
		if depth == 0 {
			kinds = 6
		}
		members = append(members, []func() string{
			func() string {
				return `"type":` + []string{`"string"`, `"array"`, `"object"`, `["string","object"]`}[r.IntN(4)]
			},
			func() string { return `"pattern":` + pattern() },
			func() string { return `"required":["` + string("ab"[r.IntN(2)]) + `"]` },
			func() string { return fmt.Sprintf(`"maxLength":%d`, r.IntN(3)) },
			func() string { return `"additionalProperties":false` },
			func() string { return `"pattern":` + pattern() },
			func() string { return `"not":` + one() },
			func() string { return `"oneOf":[` + one() + `,` + one() + `]` },
			func() string { return `"anyOf":[` + one() + `,` + one() + `]` },
			func() string { return `"allOf":[` + one() + `,` + one() + `]` },
			func() string { return `"if":` + one() + `,"then":` + one() + `,"else":` + one() },
			func() string { return `"contains":` + one() + fmt.Sprintf(`,"maxContains":%d`, r.IntN(3)) },
			func() string { return `"contains":` + one() },
			func() string { return `"patternProperties":{` + pattern() + `:` + one() + `}` },
			func() string { return `"properties":{"a":` + one() + `,"b":` + one() + `}` },
			func() string { return `"propertyNames":` + one() },
			func() string { return `"unevaluatedProperties":` + []string{"false", one()}[r.IntN(2)] },
			func() string { return `"unevaluatedItems":false` },
		}[r.IntN(kinds)]())
	}
	return oneOfEach(members)
}

// oneOfEach joins members, the first of a name.
func oneOfEach(members []string) string {
	var list []string
	seen := map[string]bool{}
	for _, m := range members {
		name, _, _ := strings.Cut(m, ":")
		if !seen[name] {
			seen[name] = true
			list = append(list, m)
		}
	}
	return "{" + strings.Join(list, ",") + "}"
}

func randomValue(r *rand.Rand, depth int) string {
	if depth == 0 || r.IntN(4) == 0 {
		return []string{`"a"`, `"b"`, `""`, `"ab"`, `1`}[r.IntN(5)]
	}
	var members []string
	for range r.IntN(3) {
		v := randomValue(r, depth-1)
		members = append(members, v)
	}
	if r.IntN(3) == 0 {
		return "[" + strings.Join(members, ",") + "]"
	}
	for i := range members {
		members[i] = fmt.Sprintf(`"%c":`, "abc"[r.IntN(3)]) + members[i]
	}
	return oneOfEach(members)
}
