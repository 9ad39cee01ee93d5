package mcperr_test

import (
	"strings"
	"testing"

	"github.com/mcperr/mcperr/fixtures"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// TestCorpus reads every case of the corpus and compares all that its label says.
// go test -run 'TestCorpus/<server>@<version>' reads those of one server.
func TestCorpus(t *testing.T) {
	disputes := disputes(t)
	cases, disputed := 0, 0
	for c, err := range fixtures.Cases() {
		if err != nil {
			t.Error(err)
			continue
		}
		cases++
		dispute, ok := disputes[c.ID]
		delete(disputes, c.ID)
		if ok {
			disputed++
		}
		t.Run(c.ID, func(t *testing.T) {
			got, why := read(t, c)
			diff := fixtures.Diff(c.Want, got)
			switch {
			case !ok && diff != nil:
				t.Errorf("%s\n%s\nwhy: %s", c.About, strings.Join(diff, "\n"), strings.Join(why, ", "))
			case ok && diff == nil:
				t.Error("is disputed, but reads as labelled")
			case ok:
				t.Logf("disputed: %s\n%s", dispute.Reason, strings.Join(diff, "\n"))
			}
			if ok && dispute.Want != nil {
				for _, line := range fixtures.Diff(*dispute.Want, got) {
					t.Errorf("by the dispute, %s", line)
				}
			}
		})
	}
	for id := range disputes {
		t.Errorf("disputed, but no case: %s", id)
	}
	t.Logf("%d cases, %d of them disputed", cases, disputed)
	if disputed*100 >= cases {
		t.Error("one case in a hundred or more is disputed")
	}
}

// read interprets the case and decides as the labels presume: the default policy, on the first attempt, with nothing spent, nothing
// promised, no deadline near, and a host that can do everything but speak the transport of 2024-11-05. That is the zero State.
func read(t *testing.T, c fixtures.Case) (r fixtures.Reading, why []string) {
	t.Helper()
	x, err := c.Exchange()
	if err != nil {
		t.Fatal(err)
	}
	outcome := interpret.Reply(x)
	decision := retry.DefaultPolicy().Decide(x.Request, outcome, retry.State{})
	return fixtures.ReadingOf(outcome, decision.Action.String(), decision.Remedy), outcome.Why
}

func disputes(t *testing.T) map[string]fixtures.Dispute {
	t.Helper()
	list, err := fixtures.Disputed()
	if err != nil {
		t.Fatal(err)
	}
	byID := map[string]fixtures.Dispute{}
	for _, d := range list {
		byID[d.ID] = d
	}
	return byID
}
