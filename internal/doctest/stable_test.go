package doctest

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/fixtures"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

const (
	stableFile = "docs/stable.txt"
	stableHead = `# The words that do not change and are not taken away; docs/compatibility.md says what is promised.
# go test ./internal/doctest -run Stable -update adds what is new, and takes nothing away.
`
)

// TestStableWords compares the words of docs/stable.txt with those of the code. A word that is gone breaks whoever has written it down, so
// that the file has to be changed by hand.
func TestStableWords(t *testing.T) {
	words := stableWords(t)
	listed := strings.Split(strings.TrimSpace(strings.TrimPrefix(read(t, stableFile), stableHead)), "\n")
	for _, w := range listed {
		if w != "" && !slices.Contains(words, w) {
			t.Errorf("%s: %q is gone", stableFile, w)
		}
	}
	var added []string
	for _, w := range words {
		if !slices.Contains(listed, w) {
			added = append(added, w)
		}
	}
	switch {
	case added == nil || t.Failed():
	case *update:
		text := stableHead + strings.Join(words, "\n") + "\n"
		if err := os.WriteFile(filepath.Join(root, stableFile), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("%s lacks %q (-update writes it)", stableFile, added)
	}
}

// stableWords returns each word with what it is in front, sorted.
func stableWords(t *testing.T) (words []string) {
	t.Helper()
	add := func(what, word string) {
		if word != "" {
			words = append(words, what+" "+word)
		}
	}
	for _, k := range interpret.Kinds() {
		add("kind", k.String())
	}
	for _, r := range interpret.Remedies() {
		add("remedy", string(r))
	}
	for _, r := range interpret.Rules() {
		add("rule", r.ID)
	}
	for _, a := range []retry.Action{retry.Abort, retry.Surface, retry.Ask, retry.Retry, retry.Proceed} {
		add("action", a.String())
	}
	for _, m := range policyMembers(t, `{"?":0}`) {
		add("policy", m)
	}
	for _, m := range policyMembers(t, `{"rules":[{"?":0}]}`) {
		add("policy", "rules."+m)
	}
	add("explain", "id")
	add("explain", "why")
	corpusWords(t, add)
	slices.Sort(words)
	return slices.Compact(words)
}

// policyMembers returns the members that may stand where there is one that may not.
func policyMembers(t *testing.T, faulty string) []string {
	t.Helper()
	_, err := retry.ParsePolicy([]byte(faulty))
	fault, ok := errors.AsType[*retry.PolicyError](err)
	if !ok || fault.Allowed == "" {
		t.Fatalf("%s is no fault that says what is allowed: %v", faulty, err)
	}
	return strings.Split(fault.Allowed, ", ")
}

// corpusWords adds the members and the words of the corpus's schema.
func corpusWords(t *testing.T, add func(what, word string)) {
	t.Helper()
	type property struct {
		Enum  []string
		Items struct{ Enum []string }
	}
	var schema struct {
		Defs map[string]struct{ Properties map[string]property } `json:"$defs"`
	}
	raw, err := fixtures.Files.ReadFile("schema.json")
	if err == nil {
		err = json.Unmarshal(raw, &schema)
	}
	if err != nil || len(schema.Defs["want"].Properties) == 0 {
		t.Fatal("schema.json has no want", err)
	}
	for def, d := range schema.Defs {
		for name, p := range d.Properties {
			add("corpus", def+"."+name)
			for _, w := range slices.Concat(p.Enum, p.Items.Enum) {
				add("corpus", def+"."+name+"="+w)
			}
		}
	}
}
