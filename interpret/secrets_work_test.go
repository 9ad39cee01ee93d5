package interpret

import (
	"fmt"
	"strings"
	"testing"
)

// Every form of a secret, begun over and over and never ended: 64 KiB of each would take minutes in all if every beginning were followed to the end.
func TestBegunSecretsAreLinear(t *testing.T) {
	for _, f := range secretForms {
		for _, unit := range []string{f.begin, f.begin + "-", f.begin + " ", f.begin + ".", "-" + f.begin + "a"} {
			s := strings.Repeat(unit, 1<<16/len(unit))
			f.redact(s)
			f.redact(s + ".")
		}
	}
}

// A web token stands where its first part and its dot do, whatever in its word looks like another beginning.
func TestWebTokens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"eyJ-eyJ-eyJ-eyJ", "eyJ-eyJ-eyJ-eyJ"},
		{"eyJ-eyJ-eyJ-eyJ.short", "eyJ-eyJ-eyJ-eyJ.short"},
		{"eyJ-eyJ-eyJ-eyJ.eyJhbGciOi.x", "[redacted]"},
		{"eyJ-eyJ-eyJ eyJhbGciOiJI.eyJzdWIiOi.c2ln, eyJ", "eyJ-eyJ-eyJ [redacted], eyJ"},
		{"eyJhbGciOiJI.eyJ.eyJhbGciOiJI.eyJzdWIiOi", "eyJhbGciOiJI.eyJ.[redacted]"},
		{"keyJhbGciOiJI.eyJzdWIiOi", "keyJhbGciOiJI.eyJzdWIiOi"},
	} {
		if got := new(Scrubber).Redact(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// Of an object that names a field again and again, no more members are read than of one with as many names.
func TestFieldsAreBounded(t *testing.T) {
	many := func(format string) []byte {
		var b strings.Builder
		for i := range mostFields {
			b.WriteString(strings.ReplaceAll(format, "#", fmt.Sprint(i)))
		}
		return []byte("{" + b.String() + `"message":"the last"}`)
	}
	for name, raw := range map[string][]byte{"names": many(`"a#":1,`), "one name": many(`"a":1,`), "one name, divided": many(`"a_":1,`)} {
		if f := readFields(raw); f["message"] != nil {
			t.Errorf("%s: more than %d members were read", name, mostFields)
		}
	}
	if f := readFields([]byte(`{"Fix_Suggestion":1,"fix-suggestion":2}`)); string(f["fixsuggestion"]) != "1" {
		t.Errorf("got %s", f["fixsuggestion"])
	}
}
