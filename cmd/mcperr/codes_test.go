package main

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/fixtures"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

const readmeFile = "../../README.md"

// update rewrites the parts of README.md that are printed: go test ./cmd/mcperr -run README -update
var update = flag.Bool("update", false, "rewrite the parts of README.md that are printed")

func readme(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(readmeFile)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// between returns what stands in the README between two lines, of which there is one each.
func between(t *testing.T, text, begin, end string) string {
	t.Helper()
	_, rest, ok := strings.Cut(text, begin)
	inner, after, closed := strings.Cut(rest, end)
	if !ok || !closed || strings.Contains(after, begin) {
		t.Fatalf("README.md has not exactly one part between %q and %q", begin, end)
	}
	return inner
}

// printed wants a part of the README to be what the code prints.
func printed(t *testing.T, begin, end, want string) {
	t.Helper()
	text := readme(t)
	got := between(t, text, begin, end)
	switch {
	case want == "":
		t.Error("nothing is printed")
	case got != want && *update:
		if err := os.WriteFile(readmeFile, []byte(strings.Replace(text, begin+got+end, begin+want+end, 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	case got != want:
		t.Errorf("README.md has, behind %q,\n%s\nwant\n%s\n(-update writes it)", begin, got, want)
	}
}

func TestREADMEHasTheTables(t *testing.T) {
	_, want, _ := mcperr(t, "", "codes", "--markdown")
	printed(t, "<!-- printed by: go run ./cmd/mcperr codes --markdown -->\n", "<!-- end of what is printed -->\n", want)
}

// TestREADMEHasTheExamples compares the README's Go blocks with the testable examples, which compile and run.
func TestREADMEHasTheExamples(t *testing.T) {
	source, err := os.ReadFile("../../example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "example_test.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	examples := 0
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || !strings.HasPrefix(f.Name.Name, "Example") {
			continue
		}
		examples++
		body := string(source[set.Position(f.Body.Lbrace).Offset+1 : set.Position(f.Body.Rbrace).Offset])
		body, _, _ = strings.Cut(body, "\t// Output:")
		want := strings.TrimPrefix(strings.ReplaceAll(body, "\n\t", "\n"), "\n")
		printed(t, "<!-- "+f.Name.Name+" of example_test.go -->\n```go\n", "```\n", want)
	}
	if blocks := strings.Count(readme(t), "```go\n"); blocks != examples {
		t.Errorf("README.md has %d blocks of Go, example_test.go has %d examples", blocks, examples)
	}
}

// TestREADMEShowsWhatExplainPrints runs the README's explain command.
func TestREADMEShowsWhatExplainPrints(t *testing.T) {
	block := between(t, readme(t), "```console\n$ ", "```\n")
	command, _, _ := strings.Cut(block, "\n")
	echo, flags, ok := strings.Cut(command, " | go run ./cmd/mcperr explain ")
	if !ok {
		t.Fatalf("README.md runs %q", command)
	}
	input := strings.TrimSuffix(strings.TrimPrefix(echo, "echo '"), "'")
	_, want, _ := mcperr(t, input, append([]string{"explain"}, strings.Fields(flags)...)...)
	printed(t, "```console\n$ "+command+"\n", "```\n", want)
}

// TestREADMEPolicyParses reads the README's policy as mcperr explain --policy does.
func TestREADMEPolicyParses(t *testing.T) {
	policy := temp(t, "policy.json", between(t, readme(t), "```json\n", "```\n"))
	code, stdout, stderr := mcperr(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"busy"}}`, "explain", "--policy", policy, "--method", "tools/list")
	if code != exitOK || !strings.Contains(stdout, "action      retry") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}

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
