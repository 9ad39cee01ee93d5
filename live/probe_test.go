package live_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/retry"
)

// update rewrites docs/live-servers.md: go test ./live -run ProbeOfLiveServers -update
var update = flag.Bool("update", false, "rewrite docs/live-servers.md")

const probeDocs = "../docs/live-servers.md"

// probed is one line of `mcperr probe --json`.
type probed struct {
	Check, Asks, Verdict, Why, Kind, Came string
	Faults                                []string
	Status                                int
	Code                                  *int64
	Version, Era, Transport               string
}

// buildProbe builds the command for one test.
func buildProbe(t *testing.T) (program string) {
	t.Helper()
	program = filepath.Join(t.TempDir(), "mcperr")
	if out, err := exec.Command("go", "build", "-o", program, "github.com/mcperr/mcperr/cmd/mcperr").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}

// probe runs `mcperr probe` on a server, in the version of the way, and returns its lines.
func (w way) probe(t *testing.T, program string) (lines []probed, ran func(event string) int) {
	t.Helper()
	tool := `add={"a":"one"}`
	if !w.server.Small {
		tool = `get-sum={"a":"one"}`
	}
	args := []string{"probe", "--json", "--version", w.version, "--timeout", "20s", "--limit", "5m", "--tool", tool}
	cmd := exec.Command(program, args...)
	var c connection
	if w.stdio {
		server, book := w.server.Command(t)
		c.ledger = book
		cmd.Args = append(append(cmd.Args, "--"), server.Args...)
		cmd.Env = server.Env
	} else {
		c.process = w.server.Start(t)
		c.ledger = c.process.Ledger
		cmd.Args = append(cmd.Args, c.process.URL)
	}
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("%v\n%s%s", err, &out, &errs)
	}
	scan := bufio.NewScanner(&out)
	scan.Buffer(nil, 1<<20)
	deviates := false
	for scan.Scan() {
		var l probed
		if err := json.Unmarshal(scan.Bytes(), &l); err != nil {
			t.Fatalf("%v: %s", err, scan.Bytes())
		}
		deviates = deviates || l.Verdict == "deviates"
		lines = append(lines, l)
	}
	if deviates != (exit != nil) {
		t.Errorf("exit %v, and something deviates: %v", exit, deviates)
	}
	return lines, func(event string) int { return c.ran(t, event) }
}

// The probe ends with a report on every live server, over both transports and in both eras, and calls nothing but the one tool that
// it is told to. What it reads a client reads as well, on another run of the server. The reports are those of docs/live-servers.md.
func TestProbeOfLiveServers(t *testing.T) {
	program := buildProbe(t)
	var mu sync.Mutex
	reports := make(map[string][]probed)
	all := 0
	t.Run("servers", func(t *testing.T) {
		each(t, func(way) bool { all++; return true }, func(t *testing.T, w way) {
			lines, ran := w.probe(t, program)
			if len(lines) < 15 || lines[0].Check != "opening" || lines[0].Verdict != "holds" || lines[0].Version != w.version {
				t.Fatalf("%+v", lines)
			}
			for _, l := range lines {
				if l.Verdict == "deviates" && len(l.Faults) == 0 || l.Verdict == "holds" && len(l.Faults) > 0 || l.Verdict == "skipped" && l.Why == "" {
					t.Errorf("%+v", l)
				}
			}
			for _, event := range []string{"counter", "slow", "die"} {
				if n := ran(event); n != 0 {
					t.Errorf("%s ran %d times", event, n)
				}
			}
			w.confirm(t, lines)
			mu.Lock()
			defer mu.Unlock()
			reports[w.String()] = lines
		})
	})
	if len(reports) < all {
		if !t.Failed() {
			t.Skipf("%d of %d reports: the table is compared when every server is there", len(reports), all)
		}
		return
	}
	got := probeTable(reports)
	if *update {
		if err := os.WriteFile(probeDocs, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(probeDocs)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("docs/live-servers.md differs (-update rewrites it):\n%s", got)
	}
}

// confirm asks through package client what the probe asked by itself.
func (w way) confirm(t *testing.T, lines []probed) {
	t.Helper()
	ctx := limit(t)
	c := w.dial(t, client.Options{})
	c.ListTools(ctx)
	for check, answer := range map[string]*retry.Answer{
		"unknown_method":   c.Call(ctx, "mcperr/no_such_method", nil),
		"unknown_tool":     c.CallTool(ctx, "mcperr_no_such_tool", map[string]any{}),
		"unknown_resource": c.ReadResource(ctx, "mcperr-probe:no-such-resource"),
		"unknown_prompt":   c.GetPrompt(ctx, "mcperr_no_such_prompt", nil),
	} {
		i := slices.IndexFunc(lines, func(l probed) bool { return l.Check == check })
		if i < 0 || lines[i].Kind != answer.Outcome.Kind.String() {
			t.Errorf("%s: a client reads %v, the probe reported %+v", check, answer.Outcome.Kind, lines)
		}
	}
}

// probeTable writes the reports as docs/live-servers.md has them.
func probeTable(reports map[string][]probed) string {
	var b strings.Builder
	b.WriteString(probeIntro)
	for _, part := range []struct{ title, suffix string }{
		{"HTTP, 2026-07-28", "/http/" + modernVersion}, {"HTTP, 2025-11-25", "/http/" + legacyVersion},
		{"Standard input and output, 2026-07-28", "/stdio/" + modernVersion}, {"Standard input and output, 2025-11-25", "/stdio/" + legacyVersion},
	} {
		var names []string
		for _, way := range slices.Sorted(maps.Keys(reports)) {
			if name, ok := strings.CutSuffix(way, part.suffix); ok {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		fmt.Fprintf(&b, "\n## %s\n\n| question | %s |\n|---%s|\n", part.title, strings.Join(names, " | "), strings.Repeat("|---", len(names)))
		for i, row := range reports[names[0]+part.suffix] {
			fmt.Fprintf(&b, "| %s |", row.Asks)
			for _, name := range names {
				fmt.Fprintf(&b, " %s |", map[string]string{"holds": "holds", "advice": "advice", "deviates": "**deviates**", "skipped": "–"}[reports[name+part.suffix][i].Verdict])
			}
			b.WriteString("\n")
		}
		b.WriteString("\n")
		for i, row := range reports[names[0]+part.suffix] {
			for _, said := range sameFaults(reports, names, part.suffix, i) {
				fmt.Fprintf(&b, "- `%s`, %s\n", row.Check, said)
			}
		}
	}
	return b.String()
}

const probeIntro = `# What live servers answer

Reports of ` + "`mcperr probe`" + ` on the servers of the live tests, at the versions that their lock files name: small servers with the defaults of each SDK, and
server-everything. Each is asked in both eras that it speaks. *Advice* is a departure from a recommendation; *deviates* is one from a
demand, or an answer that a client must read as something else; – was not asked, or does not apply. What departs stands below each table.

This page is written by ` + "`go test ./live -run ProbeOfLiveServers -update`" + `, and the same test fails when a server answers otherwise.
`

// changing is what differs from run to run in a server's words.
var changing = regexp.MustCompile(`/[^\s‹›]*/(?:Test|mcperr)[^\s‹›]*/|127\.0\.0\.1:\d+`)

// sameFaults names the servers that share a fault together.
func sameFaults(reports map[string][]probed, names []string, suffix string, i int) (all []string) {
	who := make(map[string][]string)
	var order []string
	for _, name := range names {
		faults := strings.Join(reports[name+suffix][i].Faults, "; ")
		if faults = changing.ReplaceAllString(faults, "…/"); faults == "" {
			continue
		}
		if who[faults] == nil {
			order = append(order, faults)
		}
		who[faults] = append(who[faults], name)
	}
	for _, faults := range order {
		all = append(all, strings.Join(who[faults], ", ")+": "+regexp.MustCompile("‹([^›]*)›").ReplaceAllString(faults, "`$1`"))
	}
	return all
}
