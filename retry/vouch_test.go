package retry

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/mcperr/mcperr/interpret"
)

// The host is asked about the request that was sent, by whoever changed it, and the answer says what it said of that one.
func TestWhatWasSentIsVouchedFor(t *testing.T) {
	search, pay := toolCall, toolCall
	search.Target, pay.Target = "search", "pay"
	vouch := func(r interpret.Request) bool { return r.Target == "search" }
	for _, c := range []struct {
		name         string
		asked, sent  interpret.Request
		sends        int
		stop         Stop
		vouched, out bool // the sender leaves the request out
	}{
		{name: "as it was asked", asked: search, sent: search, sends: 2, vouched: true},
		{name: "left out", asked: search, out: true, sends: 2, vouched: true},
		{name: "another tool, which may not", asked: search, sent: pay, sends: 1, stop: StopUnsafe},
		{name: "another tool, which may", asked: pay, sent: search, sends: 2, vouched: true},
		{name: "no member of it is filled in", asked: search, sent: interpret.Request{Method: "tools/call"}, sends: 1, stop: StopUnsafe},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := replies(down, good)
				a := s.loop(&Loop{Vouch: vouch}).Do(t.Context(), c.asked, func(ctx context.Context, _ interpret.Request) interpret.Exchange {
					x := s.send(ctx, c.sent)
					if c.out {
						x.Request = interpret.Request{}
					}
					return x
				})
				if len(s.sent) != c.sends || a.Decision.Stop != c.stop || a.Vouched != c.vouched {
					t.Errorf("%d sends, %+v, vouched %v", len(s.sent), a.Decision, a.Vouched)
				}
			})
		})
	}
}

// A call that ends after a remedy is told of what was sent, not of what would have been.
func TestWhatARemedyChangedWasNotSent(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	s := replies(lostSession)
	a := s.loop(&Loop{
		Vouch: func(r interpret.Request) bool { return r.Target == "search" },
		Remedies: map[interpret.Remedy]RemedyFunc{interpret.Reinitialize: func(_ context.Context, c *Call) error {
			c.Request = toolList
			cancel()
			return nil
		}},
	}).Do(ctx, toolCall, s.send)
	if a.Decision.Action != Surface || !a.Vouched || !errors.Is(a.Err(), StopContext) || a.Exchange.Request.Method != "tools/call" {
		t.Errorf("%+v, vouched %v: %v", a.Decision, a.Vouched, a.Err())
	}
}
