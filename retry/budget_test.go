package retry

import (
	"context"
	"errors"
	"math"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

func TestBudget(t *testing.T) {
	var s Server
	near := func(want float64) {
		t.Helper()
		if got := s.Tokens(); math.Abs(got-want) > 1e-9 {
			t.Errorf("%v tokens; want %v", got, want)
		}
	}
	near(10)
	s.Deposit()
	near(10) // it holds no more
	for range 10 {
		if !s.Withdraw() {
			t.Fatal("not ten resends on credit")
		}
	}
	near(0)
	if s.Withdraw() {
		t.Error("an eleventh")
	}
	for range 4 {
		s.Deposit()
	}
	if near(0.8); s.Withdraw() {
		t.Error("a resend for a part of one")
	}
	s.Deposit()
	if near(1); !s.Withdraw() {
		t.Error("no resend for five first attempts")
	}
	small := (&Policy{Burst: 2, Deposit: 0.5}).NewServer()
	if small.Tokens() != 2 || !small.Withdraw() || !small.Withdraw() || small.Withdraw() {
		t.Error("the policy's size is not the server's")
	}
}

func TestFirstAttemptsFillTheBudget(t *testing.T) {
	server := new(Server)
	for range 3 {
		server.Withdraw()
	}
	for range 5 {
		s := replies(good)
		s.loop(&Loop{Server: server}).Do(t.Context(), toolCall, s.send)
	}
	if left := server.Tokens(); left != 8 {
		t.Errorf("%v left; want 7 and five fifths", left)
	}
}

func TestHoldOnlyMovesOn(t *testing.T) {
	var s Server
	s.Hold(start.Add(time.Minute))
	s.Hold(start)
	if got := s.NotBefore(); !got.Equal(start.Add(time.Minute)) {
		t.Errorf("%v", got)
	}
}

// However many calls fail at once, resends stay under the budget.
func TestBudgetBoundsParallelCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const calls = 1000
		var sent atomic.Int64
		l := &Loop{Server: new(Server), Read: func(interpret.Exchange) interpret.Outcome { return down }}
		var wg sync.WaitGroup
		for range calls {
			wg.Go(func() {
				l.Do(t.Context(), toolList, func(context.Context, interpret.Request) interpret.Exchange {
					time.Sleep(time.Second)
					sent.Add(1)
					return interpret.Exchange{}
				})
			})
		}
		wg.Wait()
		resent := sent.Load() - calls
		if most := int64(DefaultDeposit*calls + DefaultBurst); resent > most || resent < 10 {
			t.Errorf("%d resends for %d calls; want at most %d, and some", resent, calls, most)
		}
	})
}

func TestThrottleHoldsTheOtherCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := new(Server)
		began := time.Now()
		at := func(l *script) (d []time.Duration) {
			for _, t := range l.at {
				d = append(d, t.Sub(began))
			}
			return d
		}
		told := replies(after(limited, 10*time.Second), good)
		var wg sync.WaitGroup
		wg.Go(func() { told.loop(&Loop{Server: server}).Do(t.Context(), toolCall, told.send) })
		synctest.Wait()

		resend, fresh, hurried := replies(down, good), replies(good), replies(good)
		resend.takes = 2 * time.Second // it was on its way when the other was told
		wg.Go(func() { resend.loop(&Loop{}).Do(t.Context(), toolList, resend.send) })
		time.Sleep(time.Second)
		wg.Go(func() { fresh.loop(&Loop{Server: server}).Do(t.Context(), toolCall, fresh.send) })
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
			defer cancel()
			hurried.loop(&Loop{Server: server}).Do(ctx, toolCall, hurried.send)
		})
		wg.Wait()
		if d := at(told); d[1] != 10500*time.Millisecond {
			t.Errorf("the one that was told came back at %v", d[1])
		}
		if d := at(fresh); d[0] != 10450*time.Millisecond {
			t.Errorf("a first attempt went out at %v, not when the server wanted it", d[0])
		}
		if d := at(hurried); d[0] != time.Second {
			t.Errorf("a call without the time to wait went out at %v, not at once", d[0])
		}
		if d := at(resend); d[1] != 2250*time.Millisecond {
			t.Errorf("a call to another server was held until %v", d[1])
		}

		server.Hold(time.Now().Add(time.Hour))
		began = time.Now()
		late := replies(down, good)
		a := late.loop(&Loop{Server: server}).Do(t.Context(), toolList, late.send)
		if d := at(late); a.Decision.Action != Proceed || len(d) != 2 || d[0] != 0 || d[1] != 63*time.Second {
			t.Errorf("past the cap: %+v, %v; want a first attempt at once and a resend after what is waited at most", a.Decision, d)
		}
	})
}

// One reply does not end the calls of all others: it holds its server for as long as anybody waits, and only if it speaks for all of it.
func TestOneReplyHoldsTheServerBriefly(t *testing.T) {
	coded := func(status int) interpret.Outcome {
		o := after(limited, 365*24*time.Hour)
		o.Code, o.HasCode, o.Status = -32029, true, status
		return o
	}
	for name, c := range map[string]struct {
		told interpret.Outcome
		held time.Duration
	}{
		"a throttle":                   {after(limited, 365*24*time.Hour), DefaultHintCap},
		"a throttle with an error":     {coded(429), DefaultHintCap},
		"a server that is down":        {coded(503), DefaultHintCap},
		"a word of a tool":             {coded(200), 0},
		"a word of a tool, on stdio":   {coded(0), 0},
		"a word of a tool, of 2026-07": {coded(400), 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			server := new(Server)
			first := replies(c.told)
			if a := first.loop(&Loop{Server: server}).Do(t.Context(), toolCall, first.send); a.Decision.Stop != StopHint {
				t.Errorf("%s: the call that was told: %+v", name, a.Decision)
			}
			if held := time.Until(server.NotBefore()); max(held, 0) != c.held {
				t.Errorf("%s: the server is held for %v, want %v", name, held, c.held)
			}
			other := replies(down, good)
			if a := other.loop(&Loop{Server: server}).Do(t.Context(), toolList, other.send); a.Decision.Action != Proceed {
				t.Errorf("%s: another call: %+v", name, a.Decision)
			}
		})
	}
}

func TestHoldEndsWithTheCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server := new(Server)
		server.Hold(time.Now().Add(30 * time.Second))
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		s := replies(good)
		a := s.loop(&Loop{Server: server}).Do(ctx, toolCall, s.send)
		if len(s.sent) != 0 || a.Outcome.Kind != interpret.Cancelled || a.Decision.Stop != StopContext {
			t.Errorf("%d sent, %v", len(s.sent), a.Err())
		}
	})
}

// drains is an observer that takes the budget between a decision and what is made of it, as a faster call does.
type drains struct{ server *Server }

func (d drains) AttemptStart(ctx context.Context, _ Attempt) (context.Context, map[string]string) {
	return ctx, nil
}

func (d drains) AttemptEnd(context.Context, Attempt) {
	for d.server.Withdraw() {
	}
}

func TestAFasterCallTakesTheLastToken(t *testing.T) {
	server := new(Server)
	s := replies(down, good)
	a := s.loop(&Loop{Server: server, Observer: drains{server}}).Do(t.Context(), toolList, s.send)
	if a.Decision.Action != Abort || a.Decision.Stop != StopBudget || len(s.sent) != 1 || !errors.Is(a.Err(), StopBudget) {
		t.Errorf("%+v after %d sends", a.Decision, len(s.sent))
	}
}
