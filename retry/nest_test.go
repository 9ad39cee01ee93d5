package retry

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// through returns a sender that sends through a loop of its own, as an SDK does whose transport another driver drives.
func through(l *Loop, inner Sender, kinds *[]Stop) Sender {
	return func(ctx context.Context, r interpret.Request) interpret.Exchange {
		a := l.Do(ctx, r, inner)
		*kinds = append(*kinds, a.Decision.Stop)
		return a.Exchange
	}
}

func TestDriversDoNotNest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := new(Server)
		s := replies(lostSession, down)
		var told int
		inner := s.loop(&Loop{Server: server, Remedies: map[interpret.Remedy]RemedyFunc{interpret.Reinitialize: func(context.Context, *Call) error {
			told++
			return nil
		}}})
		outer := s.loop(&Loop{Server: server, Remedies: having(interpret.Reinitialize)})
		var stops []Stop
		a := outer.Do(t.Context(), toolList, through(inner, s.send, &stops))
		if len(s.sent) != 5 || len(a.Attempts) != 5 || told != 0 { // one, one after the remedy, and three resends
			t.Errorf("%d sent, %d attempts, %d remedies inside; want 5, 5 and none", len(s.sent), len(a.Attempts), told)
		}
		for i, stop := range stops {
			if stop != StopNested {
				t.Errorf("inner call %d stopped by %q", i+1, stop)
			}
		}
		if left := server.Tokens(); left != 7 {
			t.Errorf("budget left %v; want 7: the inner loops neither put in nor took out", left)
		}
	})
}

// What is held back is the outer loop's to wait for; the attempt is under way.
func TestNestedAttemptIsNotHeld(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := new(Server)
		s := replies(good)
		inner := s.loop(&Loop{Server: server})
		s.loop(&Loop{Server: server}).Do(t.Context(), toolList, func(ctx context.Context, r interpret.Request) interpret.Exchange {
			began := time.Now()
			server.Hold(began.Add(10 * time.Second))
			x := inner.Do(ctx, r, s.send).Exchange
			if took := time.Since(began); took != 0 {
				t.Errorf("held for %v", took)
			}
			return x
		})
	})
}

func TestAnotherServerKeepsItsResends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, other := replies(down), replies(down, down, good)
		elsewhere := other.loop(&Loop{})
		outer := s.loop(&Loop{Policy: &Policy{Attempts: 1}})
		outer.Do(t.Context(), toolList, func(ctx context.Context, r interpret.Request) interpret.Exchange {
			if a := elsewhere.Do(ctx, toolList, other.send); a.Decision.Action != Proceed || len(other.sent) != 3 {
				t.Errorf("%v after %d sends", a.Err(), len(other.sent))
			}
			// and back, by way of the other server
			var back int
			elsewhere.Do(ctx, toolList, func(ctx context.Context, _ interpret.Request) interpret.Exchange {
				outer.Do(ctx, toolList, func(context.Context, interpret.Request) interpret.Exchange {
					back++
					return interpret.Exchange{Status: 1}
				})
				return interpret.Exchange{Status: 3}
			})
			if back != 1 {
				t.Errorf("%d sends by way of the other server", back)
			}
			return s.send(ctx, r)
		})
	})
}

func TestRemedySendsCount(t *testing.T) {
	handshake := interpret.Request{Method: "initialize", ID: "2"}
	for _, c := range []struct {
		name   string
		steps  []interpret.Outcome // of the handshake
		policy Policy
		sent   int // handshakes
		ok     bool
		stop   Stop
	}{
		{"at once", []interpret.Outcome{good}, Policy{}, 1, true, ""},
		{"at the second time", []interpret.Outcome{down, good}, Policy{}, 2, true, ""},
		{"not at the third", []interpret.Outcome{down, down, good}, Policy{}, 2, false, StopRemedy},
		{"no remedy inside a remedy", []interpret.Outcome{refused, good}, Policy{}, 1, false, StopRemedy},
		{"no send is left for the call", []interpret.Outcome{down, good}, Policy{Sends: 3}, 2, false, StopSends},
		{"none for the remedy's resend", []interpret.Outcome{down, good}, Policy{Sends: 2}, 1, false, StopRemedy},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				server := new(Server)
				call, hands := replies(lostSession, good), replies(c.steps...)
				shake := hands.loop(&Loop{Server: server, Remedies: having(interpret.Renegotiate)})
				l := call.loop(&Loop{Server: server, Policy: &c.policy, Remedies: map[interpret.Remedy]RemedyFunc{
					interpret.Reinitialize: func(ctx context.Context, _ *Call) error { return shake.Do(ctx, handshake, hands.send).Err() },
				}})
				a := l.Do(t.Context(), toolCall, call.send)
				if (a.Err() == nil) != c.ok || len(hands.sent) != c.sent || a.Decision.Stop != c.stop {
					t.Errorf("%v after %d handshakes, stop %q", a.Err(), len(hands.sent), a.Decision.Stop)
				}
				if !c.ok && len(call.sent) != 1 {
					t.Errorf("resent after %v", a.Err())
				}
			})
		})
	}
}

func TestRemedyWithoutASendLeft(t *testing.T) {
	server := new(Server)
	call := replies(lostSession, good)
	var errs []error
	l := call.loop(&Loop{Server: server, Policy: &Policy{Sends: 4}, Remedies: map[interpret.Remedy]RemedyFunc{
		interpret.Reinitialize: func(ctx context.Context, _ *Call) error {
			pages := replies(good)
			for i := range 9 {
				a := pages.loop(&Loop{Server: server, Policy: &Policy{Sends: 4}}).Do(ctx, toolList, pages.send)
				errs = append(errs, a.Err())
				if i >= 3 {
					checkUnsent(t, a, toolList, Abort)
				}
			}
			if len(pages.sent) != 3 {
				t.Errorf("%d pages were sent for; want 3", len(pages.sent))
			}
			return errors.Join(errs...)
		},
	}})
	a := l.Do(t.Context(), toolCall, call.send)
	if !errors.Is(a.Err(), StopRemedy) || !errors.Is(a.Err(), StopSends) || len(call.sent) != 1 {
		t.Errorf("%v", a.Err())
	}
}

// checkUnsent holds the answer to a call that found the sends used up to what is known: nothing was sent, and the request was this.
func checkUnsent(t *testing.T, a *Answer, req interpret.Request, want Action) {
	t.Helper()
	o, d := a.Outcome, a.Decision
	if o.Kind != interpret.Unavailable || o.Origin != interpret.OriginClient || o.Ran != interpret.RanNo || o.Basis != interpret.BasisShape {
		t.Errorf("%v by %q, ran %v, %q", o.Kind, o.Origin, o.Ran, o.Basis)
	}
	if d.Action != want || d.Stop != StopSends || d.Reason == "" || d.Delay != 0 || !errors.Is(a.Err(), StopSends) || len(a.Attempts) != 0 {
		t.Errorf("%+v after %d attempts: %v", d, len(a.Attempts), a.Err())
	}
	if r := a.Exchange.Request; r.Method != req.Method || r.Target != req.Target || r.ID != req.ID || a.Exchange.Failure.Delivery != interpret.DeliveryNotSent {
		t.Errorf("%+v", a.Exchange)
	}
}

// Nobody sends for it again: no rule of the inner loop, and no loop around it either, though that is to another server.
func TestNothingFollowsUsedUpSends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := new(Server)
		retries := new(Policy).With(Rule{Kinds: []interpret.Kind{interpret.Unavailable}, Action: Retry})
		call, inside := replies(lostSession, good), replies(good)
		asked := 0
		mend := func(ctx context.Context, _ *Call) error {
			inner := inside.loop(&Loop{Server: server, Policy: retries})
			inner.Do(ctx, toolList, inside.send) // the last that the call has
			a := inner.Do(ctx, toolCall, inside.send)
			checkUnsent(t, a, toolCall, Surface)
			if text := a.ForModel(); !strings.HasPrefix(text, "The call of tool \"search\" was not made.\nThe tool did not run. ") {
				t.Errorf("the model reads %q", text)
			}
			around := inside.loop(&Loop{Policy: retries})
			b := around.Do(ctx, toolList, func(ctx context.Context, r interpret.Request) interpret.Exchange {
				asked++
				return inner.Do(ctx, r, inside.send).Exchange
			})
			if b.Decision.Stop != StopFinal || !errors.Is(b.Err(), StopSends) {
				t.Errorf("around it: %+v, %v", b.Decision, b.Err())
			}
			return a.Err()
		}
		l := call.loop(&Loop{Server: server, Policy: &Policy{Sends: 2}, Remedies: map[interpret.Remedy]RemedyFunc{interpret.Reinitialize: mend}})
		a := l.Do(t.Context(), toolCall, call.send)
		if asked != 1 || len(inside.sent) != 1 || len(call.sent) != 1 || !errors.Is(a.Err(), StopRemedy) {
			t.Errorf("asked %d times, %d and %d sends: %v", asked, len(inside.sent), len(call.sent), a.Err())
		}
	})
}

// What a remedy sends ends with the time budget of its call, also where it waits between its own two attempts.
func TestRemedySpendsTheCallsTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := new(Server)
		call, hands := replies(lostSession, good), replies(after(limited, 20*time.Second), good)
		shake := hands.loop(&Loop{Server: server})
		l := call.loop(&Loop{Server: server, Policy: &Policy{TimeBudget: 10 * time.Second}, Remedies: map[interpret.Remedy]RemedyFunc{
			interpret.Reinitialize: func(ctx context.Context, _ *Call) error { return shake.Do(ctx, toolList, hands.send).Err() },
		}})
		began := time.Now()
		a := l.Do(t.Context(), toolCall, call.send)
		if !errors.Is(a.Err(), StopDeadline) || time.Since(began) != 0 {
			t.Errorf("%v after %v", a.Err(), time.Since(began))
		}
	})
}

// A session that many calls lose at once is replaced by one of them, and a starved budget does not keep the others from going on.
func TestManyCallsLoseOneSession(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := new(Server)
		var mu sync.Mutex
		session, shakes := 1, 0
		l := &Loop{Server: server, Rand: half}
		l.Read = func(x interpret.Exchange) interpret.Outcome {
			if x.Status == 404 {
				return lostSession
			}
			return good
		}
		l.Remedies = map[interpret.Remedy]RemedyFunc{interpret.Reinitialize: func(_ context.Context, c *Call) error {
			mu.Lock()
			defer mu.Unlock()
			if c.Request.Version == "1" && session == 1 { // the version stands for the session here
				shakes++
				session = 2
			}
			c.Request.Version = "2"
			return nil
		}}
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				a := l.Do(t.Context(), interpret.Request{Method: "tools/call", ID: "1", Version: "1"}, func(_ context.Context, r interpret.Request) interpret.Exchange {
					time.Sleep(time.Second)
					if r.Version == "1" {
						return interpret.Exchange{Request: r, Status: 404}
					}
					return interpret.Exchange{Request: r, Status: 200}
				})
				if a.Err() != nil || len(a.Attempts) != 2 {
					t.Errorf("%v after %d attempts", a.Err(), len(a.Attempts))
				}
			})
		}
		wg.Wait()
		if shakes != 1 {
			t.Errorf("%d handshakes", shakes)
		}
	})
}
