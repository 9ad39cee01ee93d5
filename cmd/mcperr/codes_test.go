package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/fixtures"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

func TestEveryWordHasItsGloss(t *testing.T) {
	for _, k := range interpret.Kinds() {
		if kindSays[k] == "" || actionsOf(k) == "" {
			t.Errorf("kind %s: %q, %q", k, kindSays[k], actionsOf(k))
		}
		if _, ok := fixerSays[k.Fixer()]; !ok {
			t.Errorf("fixer %s has no gloss", k.Fixer())
		}
	}
	for _, r := range interpret.Remedies() {
		if remedySays[r] == "" {
			t.Errorf("remedy %s has no gloss", r)
		}
	}
	for _, d := range retry.Defaults() {
		if actionSays[d.Action] == "" || actionColor[d.Action] == "" {
			t.Errorf("action %s has no gloss or no colour", d.Action)
		}
	}
	if len(kindSays) != len(interpret.Kinds()) || len(remedySays) != len(interpret.Remedies()) {
		t.Error("a gloss for a word that is none")
	}
}

// TestEveryDeviationHasItsGloss takes the slugs from the schema of the corpus.
func TestEveryDeviationHasItsGloss(t *testing.T) {
	raw, err := fixtures.Files.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(raw), `"deviations": {`)
	part, _, _ = strings.Cut(part, "]")
	slugs := regexp.MustCompile(`"([a-z_0-9]+_[a-z_0-9]+)"`).FindAllStringSubmatch(part, -1)
	for _, m := range slugs {
		if deviationSays[interpret.Deviation(m[1])] == "" {
			t.Errorf("deviation %s has no gloss", m[1])
		}
	}
	if len(slugs) != len(deviationSays) {
		t.Errorf("%d slugs in the schema, %d glosses", len(slugs), len(deviationSays))
	}
}

// TestCodesNameEveryCodeOfTheRules finds each code that a rule names in the table, unless no version ever defined it.
func TestCodesNameEveryCodeOfTheRules(t *testing.T) {
	named := map[int64]bool{0: true, -32003: true, -32004: true} // 0 is what SDKs send without a code, the others are of a draft
	for _, c := range definedCodes {
		named[c.code] = true
		if !slices.ContainsFunc(interpret.Rules(), func(r interpret.Rule) bool { return slices.Contains(r.Codes, c.code) }) {
			t.Errorf("no rule names %d", c.code)
		}
	}
	for _, r := range interpret.Rules() {
		for _, c := range r.Codes {
			if !named[c] {
				t.Errorf("rule %s is about %d, which the table lacks", r.ID, c)
			}
		}
	}
}

func TestCodesByVersion(t *testing.T) {
	for version, want := range map[string]map[string]bool{
		"2024-11-05": {"-32002": true, "-32042": false, "-32022": false, "-32602": true},
		"2025-11-25": {"-32002": true, "-32042": true, "-32022": false, "-32602": true},
		"2026-07-28": {"-32002": false, "-32042": false, "-32022": true, "-32602": true},
	} {
		_, out, _ := mcperr(t, "", "codes", "--version", version)
		for code, there := range want {
			if strings.Contains(out, "\n"+code+" ") != there {
				t.Errorf("%s, code %s: want there: %v\n%s", version, code, there, out)
			}
		}
	}
}

func TestTablesFitTheTerminal(t *testing.T) {
	for _, width := range []int{80, 100, 120} {
		e, out := testEnv("")
		e.width = width
		codes(e, nil)
		e.out.Flush()
		for l := range strings.SplitSeq(out.String(), "\n") {
			if n := len([]rune(l)); n > e.width {
				t.Errorf("%d columns in %d: %s", n, width, l)
			}
		}
	}
}

func TestEveryStageHasItsGloss(t *testing.T) {
	tables := ruleTables()
	for _, table := range tables {
		if stageSays[table.stage] == "" {
			t.Errorf("stage %s has no gloss", table.stage)
		}
	}
	if len(tables) != len(stageSays) {
		t.Errorf("%d stages, %d glosses", len(tables), len(stageSays))
	}
}

func TestRuleTableHasEveryRule(t *testing.T) {
	_, plain, _ := mcperr(t, "", "codes", "--rules")
	_, markdown, _ := mcperr(t, "", "codes", "--rules", "--markdown")
	for _, r := range interpret.Rules() {
		if !strings.Contains(plain, "\n  "+r.ID) || !strings.Contains(markdown, "`"+r.ID+"`") {
			t.Errorf("rule %s is not printed", r.ID)
		}
	}
}
