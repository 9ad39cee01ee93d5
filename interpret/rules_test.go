package interpret_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/fixtures"
	"github.com/mcperr/mcperr/interpret"
)

func TestWhatNoRecordingShows(t *testing.T) {
	for _, c := range beyond {
		if o := interpret.Reply(c.x); o.Kind != c.kind || o.Ran != c.ran || o.Leave != c.leave {
			t.Errorf("%s: got %s, ran %s, leave %s, want %s, %s, %s", c.id, o.Kind, o.Ran, o.Leave, c.kind, c.ran, c.leave)
		}
	}
}

// A row that no case reaches is a guess, and so is one that no case would miss.
func TestEveryRowIsReachedAndMissed(t *testing.T) {
	type read struct {
		x  interpret.Exchange
		as fixtures.Reading
	}
	reached := map[string][]read{}
	reach := func(x interpret.Exchange) {
		o := interpret.Reply(x)
		for _, id := range o.Why {
			reached[id] = append(reached[id], read{x, labelled(o)})
		}
		for _, slug := range o.Deviations {
			reached[string(slug)] = append(reached[string(slug)], read{x, labelled(o)})
		}
	}
	for _, c := range corpus(t) {
		reach(c.x)
	}
	for _, c := range beyond {
		reach(c.x)
	}
	for _, row := range interpret.Rows() {
		t.Run(row.Table+"/"+row.ID, func(t *testing.T) {
			if len(reached[row.ID]) == 0 {
				t.Fatal("no case reaches this row")
			}
			if row.Last {
				return // it takes whatever is left: nothing can be read without it
			}
			defer row.Off()()
			for _, r := range reached[row.ID] {
				if fixtures.Diff(r.as, labelled(interpret.Reply(r.x))) != nil {
					return
				}
			}
			t.Errorf("%d cases reach this row, and read the same without it", len(reached[row.ID]))
		})
	}
}

func TestRulesAreDocumented(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range interpret.Rules() {
		if seen[r.ID] {
			t.Errorf("%s: the id is not unique", r.ID)
		}
		seen[r.ID] = true
		if r.ID == "" || strings.Trim(r.ID, "abcdefghijklmnopqrstuvwxyz0123456789_") != "" {
			t.Errorf("%s: the id is no slug", r.ID)
		}
		if r.Stage == "" || r.Says == "" || strings.TrimSpace(r.Says) != r.Says {
			t.Errorf("%s: stage %q, says %q", r.ID, r.Stage, r.Says)
		}
		if u, err := url.Parse(r.Ref); r.Ref != "" && (err != nil || u.Scheme != "https" || u.Host == "" || u.Path == "") {
			t.Errorf("%s: the reference %q leads nowhere", r.ID, r.Ref)
		}
		if r.Remedy != "" && !slices.Contains(interpret.Remedies(), r.Remedy) {
			t.Errorf("%s: unknown remedy %q", r.ID, r.Remedy)
		}
		if r.Stage == "ran" {
			if r.Kind != "" || r.Basis != "" || r.Remedy != "" {
				t.Errorf("%s: a row of the proof stands above the kind, and names none", r.ID)
			}
		} else if !slices.Contains(interpret.Kinds(), r.Kind) || !slices.Contains([]interpret.Basis{interpret.BasisDefined, interpret.BasisShape, interpret.BasisText}, r.Basis) {
			t.Errorf("%s: kind %q, basis %q", r.ID, r.Kind, r.Basis)
		}
	}
	if kind := func(k interpret.Kind) bool {
		return !slices.ContainsFunc(interpret.Rules(), func(r interpret.Rule) bool { return r.Kind == k })
	}; slices.ContainsFunc(interpret.Kinds(), kind) {
		t.Errorf("no row for %s", slices.DeleteFunc(interpret.Kinds(), func(k interpret.Kind) bool { return !kind(k) }))
	}
}

// Words may only lead to a kind that nobody resends for, or to one of two that the structure allows (see README.md, "What a reply means").
func TestWordsNeverAloneLeadToAResend(t *testing.T) {
	surfaceOrAbort := []interpret.Kind{
		interpret.InvalidArguments, interpret.UnknownTool, interpret.UnknownPrompt, interpret.ResourceNotFound, interpret.InvalidRequest,
		interpret.MethodNotFound, interpret.MissingCapability, interpret.ServerError,
	}
	for _, r := range interpret.Rules() {
		if r.Basis == interpret.BasisText && !slices.Contains(surfaceOrAbort, r.Kind) && r.ID != "no_handshake_meta" { // initialize is safe to try again
			t.Errorf("%s: words lead to %s", r.ID, r.Kind)
		}
	}
}

func TestTheLastRuleOfWhyIsTheProof(t *testing.T) {
	stage := map[string]string{}
	for _, r := range interpret.Rules() {
		stage[r.ID] = r.Stage
	}
	for _, c := range corpus(t) {
		o := interpret.Reply(c.x)
		if len(o.Why) < 2 || stage[o.Why[0]] == "" || stage[o.Why[0]] == "ran" || stage[o.Why[1]] != "ran" {
			t.Errorf("%s: why %q", c.ID, o.Why)
		}
		for _, id := range o.Why {
			if stage[id] == "" {
				t.Errorf("%s: Rules does not know %q", c.ID, id)
			}
		}
	}
}

func TestVersionsAreSorted(t *testing.T) {
	if v := interpret.Versions(); !slices.IsSorted(v) || len(slices.Compact(v)) != len(interpret.Versions()) {
		t.Errorf("%q", v)
	}
}
