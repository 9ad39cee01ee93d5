package retry

import (
	"fmt"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// mayResend says, in words of its own and apart from the gate, whether a reply gives leave to send a request again.
func mayResend(req interpret.Request, o interpret.Outcome, vouched, can bool) bool {
	none := req.Method == "" && req.HTTPMethod != "GET" && !(req.HTTPMethod == "DELETE" && o.Leave == interpret.LeaveAlways)
	notification := req.IsNotification() && !(o.Kind == interpret.SessionLost && o.Remedy == interpret.Reinitialize && can)
	if none || notification {
		return false
	}
	harmless := req.Repeatable() || vouched && req.Method == "tools/call"
	switch o.Leave {
	case interpret.LeaveAlways:
		return true
	case interpret.LeaveRepeatable:
		return harmless
	case interpret.LeaveRemedy:
		changes := o.Remedy != "" && (o.Remedy != interpret.RefreshTools || o.Kind == interpret.HeaderMismatch)
		return changes && can || harmless && o.Ran != interpret.RanYes
	}
	return false
}

var requests = []interpret.Request{
	{},
	{HTTPMethod: "GET"},
	{HTTPMethod: "DELETE"},
	{Method: "notifications/cancelled"},
	{Method: "initialize", ID: "1"},
	{Method: "server/discover", ID: "1"},
	{Method: "ping", ID: "1"},
	{Method: "tools/list", ID: "1", Cursor: true},
	{Method: "roots/list", ID: "1"},
	{Method: "tools/call", ID: "1", Target: "pay"},
	{Method: "resources/read", ID: "1", Target: "file:///a"},
	{Method: "prompts/get", ID: "1", Target: "greet"},
	{Method: "completion/complete", ID: "1"},
	{Method: "resources/subscribe", ID: "1"},
	{Method: "logging/setLevel", ID: "1"},
	{Method: "tasks/get", ID: "1"},
	{Method: "x/unheard", ID: "1"},
}

var leaves = []interpret.Leave{interpret.LeaveNever, interpret.LeaveRepeatable, interpret.LeaveRemedy, interpret.LeaveAlways, "of a later version"}

// A rule that resends everything, on a host that would do anything, against every kind of reply.
func TestNoRuleResendsWithoutLeave(t *testing.T) {
	for _, kind := range append(interpret.Kinds(), interpret.Unknown, "of_a_later_version") {
		t.Run(kind.String(), func(t *testing.T) {
			t.Parallel()
			resent, withheld := resendWhatever(t, kind)
			t.Logf("%d resent with leave, %d withheld", resent, withheld)
			if result := kind == interpret.OK || kind == interpret.Task; result == (resent > 0) || withheld == 0 && !result {
				t.Errorf("%d resent, %d withheld: nothing is shown", resent, withheld)
			}
		})
	}
}

func resendWhatever(t *testing.T, kind interpret.Kind) (resent, withheld int) {
	always := new(Policy).With(Rule{Name: "always", Action: Retry}, Rule{Name: "ask", Action: Ask})
	asking := new(Policy).With(Rule{Name: "ask", Action: Ask})
	for _, req := range requests {
		for _, leave := range leaves {
			for _, remedy := range append(interpret.Remedies(), "", "of_a_later_version") {
				for _, ran := range []interpret.Ran{interpret.RanUnknown, interpret.RanYes} {
					for i := range 4 {
						vouched, can := i&1 != 0, i&2 != 0
						o := interpret.Outcome{Kind: kind, Leave: leave, Remedy: remedy, Ran: ran}
						s := State{Vouched: vouched, Can: func(interpret.Remedy) bool { return can }}
						may := mayResend(req, o, vouched, can)
						what := func() string {
							return fmt.Sprintf("leave %q remedy %q ran %v to %q %q, vouched %v, can %v", leave, remedy, ran, req.HTTPMethod, req.Method, vouched, can)
						}
						d := always.Decide(req, o, s)
						switch {
						case d.Action == Retry && !may:
							t.Fatalf("%s: resent without leave", what())
						case d.Action == Retry:
							resent++
							continue
						case d.Action == Proceed:
							continue
						case d.Stop == "":
							t.Fatalf("%s: %v has no stop", what(), d.Action)
						case d.Action == Surface && !req.ModelCall():
							t.Fatalf("%s: surfaced to no model", what())
						case d.Remedy != remedy:
							t.Fatalf("%s: the remedy is gone", what())
						}
						withheld++
						d = asking.Decide(req, o, s)
						if d.Action == Ask && d.Stop == "" && !may && !(remedy == "" && leave == interpret.LeaveRemedy) {
							t.Fatalf("%s: goes on after asking without leave", what())
						}
					}
				}
			}
		}
	}
	return resent, withheld
}

func TestResultsAreNeverMatchedByRules(t *testing.T) {
	p := new(Policy).With(Rule{Action: Abort}, Rule{Tools: []string{"pay"}, Action: Retry})
	for _, k := range []interpret.Kind{interpret.OK, interpret.Task} {
		d := p.Decide(interpret.Request{Method: "tools/call", ID: "1", Target: "pay"}, interpret.Outcome{Kind: k, Leave: interpret.LeaveAlways}, State{})
		if d.Action != Proceed || d.Stop != "" {
			t.Errorf("%v: %v, stop %q; want proceed", k, d.Action, d.Stop)
		}
	}
}
