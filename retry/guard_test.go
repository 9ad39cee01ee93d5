package retry

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// guardRun makes calls through one guard.
type guardRun struct {
	g    *Guard
	made int // calls that were let through
}

func (r *guardRun) call(tool, arguments string, a *Answer) *Answer {
	return r.g.Do("srv", tool, []byte(arguments), func() *Answer { r.made++; return a })
}

func failedWith(text string) *Answer { return faultOf(toolFailed(text), surfaced) }
func succeeded() *Answer {
	return faultOf(interpret.Outcome{Kind: interpret.OK, Ran: interpret.RanYes}, Decision{Action: Proceed})
}

func TestGuardStagesOfOneCall(t *testing.T) {
	r := guardRun{g: new(Guard)}
	for i, want := range []Stage{StageNone, StageHint, StageOtherWay, StageStop, StageStop, StageStop} {
		// White space, the order of members and the form of numbers make no other call; numbers and ids in the text no other fault.
		arguments := []string{`{"a":1,"b":[2]}`, ` { "b" : [2.0], "a" : 1e0 } `}[i%2]
		a := r.call("search", arguments, failedWith(fmt.Sprintf("request 9f%d3b-1 failed at 12:0%d:11 (attempt %d, 0x7f%d)", i, i, i, i)))
		if a.Stage() != want {
			t.Errorf("failure %d: stage %d, want %d", i+1, a.Stage(), want)
		}
		if made := i < 4; (a.Decision.Stop == StopLoop) == made {
			t.Errorf("call %d: %+v", i+1, a.Decision)
		}
	}
	if r.made != 4 {
		t.Errorf("%d calls were made, want 4", r.made)
	}
	a := r.call("search", `{"a":1,"b":[2]}`, nil)
	if !errors.Is(a.Err(), StopLoop) || a.Decision.Action != Abort || a.Outcome.Ran != interpret.RanNo || a.Outcome.Kind != interpret.ToolError {
		t.Errorf("what is not made: %+v, %v", a.Decision, a.Err())
	}
	if a := r.call("search", `{"a":2}`, succeeded()); a.Stage() != StageNone || a.Decision.Action != Proceed {
		t.Errorf("other arguments are another call: %+v", a)
	}
	if a := r.call("search", `{"a":1,"b":[2]}`, failedWith("x")); a.Stage() != StageNone {
		t.Errorf("a success sets the counters back: stage %d", a.Stage())
	}
}

// What is said is of the count that has come to its stage, not of the other.
func TestGuardSaysWhatIsRepeated(t *testing.T) {
	for _, c := range []struct {
		g         *Guard
		arguments []string
		want      string
	}{
		{&Guard{}, []string{"{}", "{}"}, "This same call has failed in the same way 2 times."},
		{&Guard{Same: Limits{Hint: 1}}, []string{"{}"}, "This same call has failed in the same way once."},
		{&Guard{Tool: Limits{Stop: 3}}, []string{"1", "1", "2"}, "This tool has failed 3 times in a row, whatever the arguments: take another way, or tell the user."},
		{&Guard{Tool: Limits{Stop: 3}}, []string{"1", "2", "1", "1"}, "This tool has failed 3 times in a row, whatever the arguments: take another way, or tell the user."},
	} {
		var a *Answer
		for _, arguments := range c.arguments {
			a = (&guardRun{g: c.g}).call("search", arguments, failedWith("x"))
		}
		if got := a.ForModel(); !strings.HasSuffix(got, "\n"+c.want) {
			t.Errorf("%v: %s\nwant %s", c.arguments, got, c.want)
		}
	}
}

func TestGuardTellsFaultsApart(t *testing.T) {
	r := guardRun{g: new(Guard)}
	for i, text := range []string{"no such row", "the disk is full", "no such column"} {
		if a := r.call("search", `{}`, failedWith(text)); a.Stage() != StageNone {
			t.Errorf("%d: stage %d: each fails in another way", i, a.Stage())
		}
	}
	if a := r.call("search", `{}`, failedWith("no such row")); a.Stage() != StageHint {
		t.Errorf("a second time in the first way: stage %d", a.Stage())
	}
}

func TestGuardOfOneTool(t *testing.T) {
	r := guardRun{g: &Guard{Ask: true}}
	want := map[int]Stage{4: StageHint, 5: StageHint, 6: StageOtherWay, 7: StageOtherWay, 8: StageStop, 9: StageStop}
	for i := 1; i <= 9; i++ {
		a := r.call("search", fmt.Sprintf(`{"q":%d}`, i), failedWith(fmt.Sprint("way ", strings.Repeat("x", i))))
		if a.Stage() != want[i] {
			t.Errorf("failure %d: stage %d, want %d", i, a.Stage(), want[i])
		}
		if i == 9 && (a.Decision.Action != Ask || r.made != 8) {
			t.Errorf("the ninth: %v, %d made", a.Decision.Action, r.made)
		}
	}
	if a := r.call("fetch", `{}`, failedWith("x")); a.Stage() != StageNone {
		t.Errorf("another tool has its own count: %d", a.Stage())
	}
	if a := r.g.Before("other server", "search", nil); a != nil {
		t.Errorf("so has another server: %+v", a)
	}
	r.g.Reset("srv", "search")
	if a := r.call("search", `{}`, failedWith("x")); a.Stage() != StageNone {
		t.Errorf("reset: stage %d", a.Stage())
	}
}

func TestGuardCountsFaultsOnly(t *testing.T) {
	r := guardRun{g: new(Guard)}
	for range 9 {
		for _, k := range []interpret.Kind{interpret.Cancelled, interpret.InputRequired} {
			if a := r.call("search", `{}`, faultOf(interpret.Outcome{Kind: k}, Decision{Action: Ask})); a.Stage() != StageNone {
				t.Errorf("%v: stage %d", k, a.Stage())
			}
		}
		if a := r.call("search", `{}`, succeeded()); a.Stage() != StageNone {
			t.Errorf("success: stage %d", a.Stage())
		}
	}
}

func TestNilGuardGuardsNothing(t *testing.T) {
	r := guardRun{g: nil}
	for range 9 {
		if a := r.call("search", `{}`, failedWith("x")); a.Stage() != StageNone || a.Decision.Stop == StopLoop {
			t.Errorf("%+v", a.Decision)
		}
	}
	r.g.Reset("srv", "search")
	if r.made != 9 || r.g.Before("srv", "search", nil) != nil || r.g.After("srv", "search", nil, failedWith("x")) != StageNone {
		t.Errorf("%d calls were made, want 9", r.made)
	}
}

// An answer that no loop made is told as the host wants its answers told; one that a loop made is told by the loop's own text.
func TestGuardTellsItsAnswersAsTheHostWants(t *testing.T) {
	french := &ModelText{Scrub: interpret.NewScrubber("hunter2"), Template: func(*Telling) string { return "Arrêtez." }}
	for _, c := range []struct {
		name string
		m    *ModelText
		want string
	}{
		{"in the usual way", nil, "The call of tool \"hunter2\" was not made.\nIt is not made again in this conversation.\nThis same call has failed in the same way 4 times: take another way, or tell the user."},
		{"by the template", french, "Arrêtez."},
		{"scrubbed", &ModelText{Scrub: french.Scrub}, "The call of tool \"[redacted]\" was not made.\nIt is not made again in this conversation.\nThis same call has failed in the same way 4 times: take another way, or tell the user."},
		{"within the budget", &ModelText{Budget: 8}, "The call"},
	} {
		l := &Loop{Model: &ModelText{Template: func(t *Telling) string { return "the loop's. " + t.Repeats }}}
		r := guardRun{g: &Guard{Model: c.m}}
		for i := range 5 {
			made := l.Do(t.Context(), toolCall, func(context.Context, interpret.Request) interpret.Exchange {
				return interpret.Exchange{Lines: [][]byte{[]byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}}`)}}
			})
			a := r.call("hunter2", `{}`, made)
			if got := a.ForModel(); i == 4 && got != c.want {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			} else if i == 3 && got != "the loop's. This same call has failed in the same way 4 times: take another way, or tell the user." {
				t.Errorf("%s: %q", c.name, got)
			}
		}
		if content := r.g.Before("srv", "hunter2", []byte(`{}`)).ModelContent(); len(content) != 1 || content[0].Text != c.want {
			t.Errorf("%s: content %v", c.name, content)
		}
	}
}

func TestGuardLimits(t *testing.T) {
	r := guardRun{g: &Guard{Same: Limits{Hint: 1, OtherWay: 2, Stop: 2}}}
	if a := r.call("search", `{}`, failedWith("x")); a.Stage() != StageHint {
		t.Errorf("first: %d", a.Stage())
	}
	if a := r.call("search", `{}`, failedWith("x")); a.Stage() != StageStop {
		t.Errorf("second: %d", a.Stage())
	}
}

// A guard remembers so much and no more, and calls of many conversations at once do not race.
func TestGuardIsBounded(t *testing.T) {
	g := new(Guard)
	var calls sync.WaitGroup
	for c := range 4 {
		calls.Go(func() {
			for i := range guarded {
				g.Do("srv", fmt.Sprint("tool", c, i%300), fmt.Appendf(nil, `{"i":%d}`, i), func() *Answer { return failedWith("x") })
			}
		})
	}
	calls.Wait()
	if len(g.calls) > guarded || len(g.order) != len(g.calls) || len(g.tools) > guarded {
		t.Errorf("%d calls in order, %d remembered, %d tools", len(g.order), len(g.calls), len(g.tools))
	}
}

func TestNearestNames(t *testing.T) {
	tools := []string{"search_files", "read_file", "write_file", "list_directory", "get_weather", "get_forecast", "add"}
	for _, c := range []struct{ name, want string }{
		{"searchFiles", "search_files"},
		{"SEARCH-FILES", "search_files"},
		{"serach_files", "search_files"},
		{"read_files", "read_file"},
		{"weather", "get_weather"},
		{"file", "read_file write_file search_files"},
		{"transfer_money", ""},
		{"", ""},
		{strings.Repeat("x", 1000), ""},
	} {
		if got := strings.Join(nearestOf(c.name, tools), " "); got != c.want {
			t.Errorf("%.40q: %q, want %q", c.name, got, c.want)
		}
	}
	if d := distance("ca", "abc"); d != 3 {
		t.Errorf("distance %d, want 3: neighbours are swapped, and nothing is put between", d)
	}
	if d := distance("ab", "ba"); d != 1 {
		t.Errorf("distance %d, want 1", d)
	}
}
