package crosscheck

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/fixtures"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestEveryFileOfTheCorpusKeepsTheSchema(t *testing.T) {
	schema := compile(t)
	files, err := fs.Glob(fixtures.Files, "*/*.json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		raw, err := fixtures.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(parse(t, raw)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBrokenCasesAreRefused(t *testing.T) {
	schema := compile(t)
	for _, base := range []string{overHTTP, overStdio} {
		if err := schema.Validate(parse(t, []byte("["+base+"]"))); err != nil {
			t.Fatalf("the case to break is broken: %v", err)
		}
	}
	for _, b := range breaks {
		err := schema.Validate(b.apply(t))
		var refusal *jsonschema.ValidationError
		if !errors.As(err, &refusal) {
			t.Errorf("%s: accepted (%v)", b, err)
		} else if at := places(refusal); !slices.ContainsFunc(at, b.points) {
			t.Errorf("%s: refused for something at %q", b, at)
		}
	}
}

func compile(t *testing.T) *jsonschema.Schema {
	t.Helper()
	const at = "schema.json"
	raw, err := fixtures.Files.ReadFile(at)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(at, parse(t, raw)); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(at)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func parse(t *testing.T, raw []byte) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// places returns where in the file the validator found fault, as dotted paths within the case.
func places(e *jsonschema.ValidationError) []string {
	if len(e.Causes) == 0 {
		return []string{strings.Join(e.InstanceLocation[min(1, len(e.InstanceLocation)):], ".")}
	}
	var all []string
	for _, c := range e.Causes {
		all = append(all, places(c)...)
	}
	return all
}
