package interpret_test

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// TestHints compares, member by member, with what testdata/hints.json says was wrong. That file is written by hand: a case of the corpus
// or a text, recorded from the server that its wording names, and what a careful reader takes from it.
func TestHints(t *testing.T) {
	file, err := os.Open("testdata/hints.json")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var wants []struct {
		Case, Text, Wording string
		Hints               []interpret.Hint
	}
	d := json.NewDecoder(file)
	d.DisallowUnknownFields()
	if err := d.Decode(&wants); err != nil {
		t.Fatal(err)
	}
	cases := map[string]interpret.Outcome{}
	for _, c := range corpus(t) {
		cases[c.ID] = interpret.Reply(c.x)
	}
	for _, w := range wants {
		outcome := failedTool(w.Text)
		if w.Case != "" {
			var ok bool
			if outcome, ok = cases[w.Case]; !ok {
				t.Errorf("no case %s", w.Case)
				continue
			}
		}
		t.Run(strings.Join(strings.Fields(w.Case+w.Wording), "_"), func(t *testing.T) {
			got := outcome.Hints()
			if len(got) != len(w.Hints) {
				t.Errorf("%d hints, want %d: %+v", len(got), len(w.Hints), got)
				return
			}
			for i := range got {
				g, want := reflect.ValueOf(got[i]), reflect.ValueOf(w.Hints[i])
				for _, f := range reflect.VisibleFields(g.Type()) {
					if a, b := g.FieldByIndex(f.Index), want.FieldByIndex(f.Index); !a.Equal(b) {
						t.Errorf("hint %d, %s: %q, want %q", i, f.Name, a, b)
					}
				}
			}
		})
	}
}

// failedTool is what a tool's failure with this text reads as.
func failedTool(text string) interpret.Outcome {
	block, _ := json.Marshal(text)
	return interpret.Outcome{Kind: interpret.ToolError, Ran: interpret.RanYes, Answered: true,
		Result: []byte(`{"content":[{"type":"text","text":` + string(block) + `}],"isError":true}`)}
}
