package doctest

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcperr/mcperr/fixtures"
)

const runnerFile = "docs/runner.py"

// lines are the results of an interpreter, as docs/runner.py reads them.
type lines []map[string]any

// first returns the first line for which fit holds.
func (l lines) first(fit func(map[string]any) bool) map[string]any {
	return l[slices.IndexFunc(l, fit)]
}

func has(member string) func(map[string]any) bool {
	return func(r map[string]any) bool { _, ok := r[member]; return ok }
}

func lacks(member string) func(map[string]any) bool {
	return func(r map[string]any) bool { return !has(member)(r) }
}

// wanted returns what the corpus wants, as an interpreter that is always right says it.
func wanted(t *testing.T) (l lines) {
	t.Helper()
	raw, err := corpusWants()
	if err == nil {
		err = json.Unmarshal(raw, &l)
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

var corpusWants = sync.OnceValues(func() ([]byte, error) {
	type line struct {
		ID string `json:"id"`
		fixtures.Reading
		Why []string `json:"why"`
	}
	var all []line
	for c, err := range fixtures.Cases() {
		if err != nil {
			return nil, err
		}
		all = append(all, line{c.ID, c.Want, []string{"some_rule"}})
	}
	return json.Marshal(all)
})

// runnerCases change what is right in one place. fault is in the one line that is then printed; "" if there must be none.
var runnerCases = []struct {
	name, fault string
	change      func(lines) lines
}{
	{"nothing", "", func(l lines) lines { return l }},
	{"another kind", ": kind: got none_such, want ", func(l lines) lines { l[0]["kind"] = "none_such"; return l }},
	{"no line", ": no line", func(l lines) lines { return l[1:] }},
	{"two lines", ": no such case, or its second line", func(l lines) lines { return append(l, l[0]) }},
	{"a member too many", ": colour: got red, want None", func(l lines) lines { l[0]["colour"] = "red"; return l }},
	{"a member too few", ": remedy: got None, want ", func(l lines) lines { delete(l.first(has("remedy")), "remedy"); return l }},
	{"a code 0", ": code: got 0, want None", func(l lines) lines { l.first(lacks("code"))["code"] = 0; return l }},
	{"an empty list", "", func(l lines) lines { l.first(lacks("scopes"))["scopes"] = []string{}; return l }},
	{"an empty text", "", func(l lines) lines { l.first(lacks("uri"))["uri"] = ""; return l }},
	{"no wait", "", func(l lines) lines { l.first(lacks("retryAfterMs"))["retryAfterMs"] = 0; return l }},
	{"a set in another order", "", func(l lines) lines {
		r := l.first(func(r map[string]any) bool {
			set, _ := r["requiredCapabilities"].([]any)
			return len(set) > 1
		})
		slices.Reverse(r["requiredCapabilities"].([]any))
		return l
	}},
}

// TestRunner has docs/runner.py compare what is right, and what is wrong in one place.
func TestRunner(t *testing.T) {
	if n := strings.Count(read(t, runnerFile), "\n"); n > 40 {
		t.Errorf("%s has %d lines, more than its page says", runnerFile, n)
	}
	var files []string
	for _, c := range runnerCases {
		files = append(files, c.change(wanted(t)).write(t))
	}
	out, failed := runRunner(t, files...)
	if !failed {
		t.Error("exit code 0, and something differs")
	}
	for i, c := range runnerCases {
		said, rest, ok := strings.Cut(out, files[i]+": ")
		if !ok {
			t.Fatalf("%s: nothing is said of it: %s", c.name, out)
		}
		_, out, _ = strings.Cut(rest, "\n")
		said = strings.TrimSpace(said)
		if c.fault == "" && said != "" || c.fault != "" && (!strings.Contains(said, c.fault) || strings.Contains(said, "\n")) {
			t.Errorf("%s: %q, want %q", c.name, said, c.fault)
		}
	}

	kind := runnerCases[1].change(wanted(t)).write(t)
	if out, failed := runRunner(t, "--only", "action,ran", kind); failed {
		t.Errorf("the kind is compared, too: %s", out)
	}
	if _, failed := runRunner(t, "--only", "kind", kind); !failed {
		t.Error("the kind is not compared")
	}
}

func (l lines) write(t *testing.T) (file string) {
	t.Helper()
	var b bytes.Buffer
	for _, r := range l {
		if err := json.NewEncoder(&b).Encode(r); err != nil {
			t.Fatal(err)
		}
	}
	file = filepath.Join(t.TempDir(), "results.jsonl")
	if err := os.WriteFile(file, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

func runRunner(t *testing.T, args ...string) (out string, failed bool) {
	t.Helper()
	python := need(t, "python3")
	b, err := exec.Command(python, append([]string{filepath.Join(root, runnerFile)}, args...)...).CombinedOutput()
	if !strings.Contains(string(b), " differences\n") {
		t.Fatalf("%v: %s", err, b)
	}
	return string(b), err != nil
}
