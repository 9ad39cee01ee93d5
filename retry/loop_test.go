package retry

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// Replies, and what a loop makes of them: chance is always one half.
func TestScripts(t *testing.T) {
	s, ms := time.Second, time.Millisecond
	vouch := func(interpret.Request) bool { return true }
	for _, c := range []struct {
		name   string
		req    interpret.Request
		steps  []interpret.Outcome
		loop   *Loop
		want   Action
		stop   Stop
		waits  []time.Duration
		budget float64 // left
	}{
		{"a result", toolCall, []interpret.Outcome{good}, &Loop{}, Proceed, "", nil, 10},
		{"back after two", toolList, []interpret.Outcome{down, down, good}, &Loop{}, Proceed, "", []time.Duration{250 * ms, 500 * ms}, 8},
		{"down for good", toolList, []interpret.Outcome{down}, &Loop{}, Abort, StopAttempts, []time.Duration{250 * ms, 500 * ms, s}, 7},
		{"a tool is not run twice", toolCall, []interpret.Outcome{down}, &Loop{}, Surface, StopUnsafe, nil, 10},
		{"but if the host vouches", toolCall, []interpret.Outcome{down, good}, &Loop{Vouch: vouch}, Proceed, "", []time.Duration{250 * ms}, 9},
		{"told to wait", toolCall, []interpret.Outcome{after(limited, 4*s), good}, &Loop{}, Proceed, "", []time.Duration{4*s + 250*ms}, 9},
		{"told to wait too long", toolCall, []interpret.Outcome{after(limited, 61*s)}, &Loop{}, Surface, StopHint, nil, 10},
		{"a server's failure is tried once more", toolList, []interpret.Outcome{failed, failed, good}, &Loop{}, Abort, StopAttempts, []time.Duration{250 * ms}, 9},
		{"the model's to mend", toolCall, []interpret.Outcome{wrongArgs, good}, &Loop{}, Surface, StopAction, nil, 10},
		{"nobody can mend", toolCall, []interpret.Outcome{{Kind: interpret.MalformedReply}}, &Loop{}, Abort, StopAction, nil, 10},
		{"a lost session", toolCall, []interpret.Outcome{lostSession, good}, &Loop{Remedies: having(interpret.Reinitialize)}, Proceed, "", []time.Duration{0}, 10},
		{"lost twice", toolCall, []interpret.Outcome{lostSession, lostSession, good}, &Loop{Remedies: having(interpret.Reinitialize)}, Surface, StopRemedy, []time.Duration{0}, 10},
		{"lost, and no remedy", toolCall, []interpret.Outcome{lostSession, good}, &Loop{}, Surface, StopRemedy, nil, 10},
		{"one remedy after the other", toolList, []interpret.Outcome{refused, lostSession, down, good}, &Loop{Remedies: having(interpret.Renegotiate, interpret.Reinitialize)},
			Proceed, "", []time.Duration{0, 0, 250 * ms}, 9},
		{"sign in", toolCall, []interpret.Outcome{signIn, good}, &Loop{Remedies: having(interpret.Authorize)}, Proceed, "", []time.Duration{0}, 10},
		{"nobody to sign in", toolCall, []interpret.Outcome{signIn, good}, &Loop{}, Ask, StopAction, nil, 10},
		{"signed in and refused", toolCall, []interpret.Outcome{signIn, signIn, good}, &Loop{Remedies: having(interpret.Authorize)}, Ask, StopRemedy, []time.Duration{0}, 10},
		{"wider and wider", toolCall, []interpret.Outcome{signIn, scope, scope, scope, scope, good}, &Loop{Remedies: having(interpret.Authorize)}, Ask, StopRemedy, []time.Duration{0, 0, 0, 0}, 10},
		{"questions", toolCall, []interpret.Outcome{questions, questions, good}, &Loop{Remedies: having(AnswerInput)}, Proceed, "", []time.Duration{0, 0}, 10},
		{"nobody to answer", toolCall, []interpret.Outcome{questions, good}, &Loop{}, Ask, StopAction, nil, 10},
		{"endless questions", toolCall, []interpret.Outcome{questions}, &Loop{Remedies: having(AnswerInput)}, Ask, StopUnsafe, slices.Repeat([]time.Duration{0}, 8), 10},
		{"state echoed, paced", toolCall, []interpret.Outcome{stateOnly, stateOnly, good}, &Loop{Remedies: having(interpret.EchoState)}, Proceed, "", []time.Duration{250 * ms, 500 * ms}, 10},
		{"endless state", toolCall, []interpret.Outcome{stateOnly}, &Loop{Policy: &Policy{InputRounds: 2}, Remedies: having(interpret.EchoState)}, Surface, StopUnsafe, []time.Duration{250 * ms, 500 * ms}, 10},
		{"a stream resumed", toolCall, []interpret.Outcome{broken, broken, good}, &Loop{Remedies: having(interpret.Resume)}, Proceed, "", []time.Duration{250 * ms, 500 * ms}, 8},
		{"a stream that cannot be resumed", toolCall, []interpret.Outcome{broken, good}, &Loop{}, Surface, StopUnsafe, nil, 10},
		{"nor a list's, which is read again", toolList, []interpret.Outcome{broken, good}, &Loop{}, Proceed, "", []time.Duration{250 * ms}, 9},
		{"all sends", toolList, []interpret.Outcome{refused, lostSession, down, good}, &Loop{Policy: &Policy{Sends: 3}, Remedies: having(interpret.Renegotiate, interpret.Reinitialize)},
			Abort, StopSends, []time.Duration{0, 0}, 10},
		{"an empty budget", toolList, []interpret.Outcome{down}, &Loop{Policy: &Policy{Burst: 1.5}}, Abort, StopBudget, []time.Duration{250 * ms}, 0.5},
		{"a rule by code", toolCall, []interpret.Outcome{{Kind: interpret.UnknownError, Code: -32050, HasCode: true, Leave: interpret.LeaveAlways}, good},
			&Loop{Policy: new(Policy).With(Rule{Codes: []int64{-32050}, Action: Retry, MinDelay: 2 * s})}, Proceed, "", []time.Duration{2 * s}, 9},
		{"a rule's tries", toolCall, []interpret.Outcome{{Kind: interpret.UnknownError, Code: -32050, HasCode: true, Leave: interpret.LeaveAlways}},
			&Loop{Policy: new(Policy).With(Rule{Codes: []int64{-32050}, Action: Retry, Tries: 1})}, Surface, StopAttempts, []time.Duration{250 * ms}, 9},
		{"a notification", interpret.Request{Method: "notifications/initialized"}, []interpret.Outcome{limited, good}, &Loop{}, Abort, StopUnsafe, nil, 10},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := replies(c.steps...)
				l := s.loop(c.loop)
				a := l.Do(t.Context(), c.req, s.send)
				if a.Decision.Action != c.want || a.Decision.Stop != c.stop {
					t.Errorf("%v, stop %q (%s); want %v, %q", a.Decision.Action, a.Decision.Stop, a.Decision.Reason, c.want, c.stop)
				}
				if w := s.waits(); !slices.Equal(w, c.waits) {
					t.Errorf("waits %v; want %v", w, c.waits)
				}
				if left := l.server().Tokens(); left != c.budget {
					t.Errorf("budget left %v; want %v", left, c.budget)
				}
				if len(a.Attempts) != len(s.sent) {
					t.Errorf("%d attempts listed, %d sent", len(a.Attempts), len(s.sent))
				}
				for i, at := range a.Attempts {
					if at.Number != i+1 || at.Kind != c.steps[min(i, len(c.steps)-1)].Kind || i > 0 && at.Waited != c.waits[i-1] {
						t.Errorf("attempt %d: %+v", i+1, at)
					}
				}
				if (a.Err() == nil) != (c.want == Proceed) || c.stop != "" && !errors.Is(a.Err(), c.stop) {
					t.Errorf("error %v", a.Err())
				}
				if c.want != Proceed && !errors.Is(a.Err(), a.Outcome.Kind) {
					t.Errorf("%v does not tell %v", a.Err(), a.Outcome.Kind)
				}
				if (a.ForModel() == "") != (c.want == Proceed) {
					t.Errorf("the model reads %q", a.ForModel())
				}
			})
		})
	}
}

func TestFailureAndStopAreBothReachable(t *testing.T) {
	boom := errors.New("boom")
	a := new(Loop).Do(t.Context(), toolCall, func(context.Context, interpret.Request) interpret.Exchange {
		return interpret.Exchange{Failure: &interpret.Failure{What: interpret.FailedReset, Delivery: interpret.DeliveryWritten, Err: boom}}
	})
	var e *interpret.Error
	if err := a.Err(); !errors.Is(err, boom) || !errors.Is(err, StopUnsafe) || !errors.Is(err, interpret.ConnectionLost) || !errors.As(err, &e) || e.Ran != interpret.RanUnknown {
		t.Errorf("%v", err)
	}
	if (*Answer)(nil).Err() != nil || (*Answer)(nil).ForModel() != "" {
		t.Error("a nil answer is no failure")
	}
}

func TestRemedyAmendsTheRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := replies(refused, good)
		var told Call
		l := s.loop(&Loop{Remedies: map[interpret.Remedy]RemedyFunc{interpret.Renegotiate: func(_ context.Context, c *Call) error {
			told = *c
			c.Request.Version = "2025-06-18"
			time.Sleep(3 * time.Second)
			return nil
		}}})
		a := l.Do(t.Context(), toolCall, s.send)
		if s.sent[0].Version != "" || s.sent[1].Version != "2025-06-18" || a.Decision.Action != Proceed {
			t.Errorf("sent %+v", s.sent)
		}
		if told.Outcome.Kind != interpret.UnsupportedVersion || told.Decision.Remedy != interpret.Renegotiate || told.Attempts != 1 || told.Exchange.Status != 1 {
			t.Errorf("told %+v", told)
		}
		if a.Attempts[1].Remedy != interpret.Renegotiate || a.Attempts[0].Remedy != "" {
			t.Errorf("%+v", a.Attempts)
		}
	})
}

func TestRemedyIsPartOfTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := replies(stateOnly, stateOnly, good)
		takes := []time.Duration{100 * time.Millisecond, time.Minute}
		s.loop(&Loop{Remedies: map[interpret.Remedy]RemedyFunc{interpret.EchoState: func(_ context.Context, c *Call) error {
			time.Sleep(takes[c.Attempts-1])
			return nil
		}}}).Do(t.Context(), toolCall, s.send)
		if w := s.waits(); !slices.Equal(w, []time.Duration{250 * time.Millisecond, time.Minute}) {
			t.Errorf("waits %v", w)
		}
	})
}

func TestRemedyThatFails(t *testing.T) {
	boom := errors.New("no network")
	for _, c := range []struct {
		step interpret.Outcome
		req  interpret.Request
		want Action
	}{{refused, toolCall, Surface}, {refused, toolList, Abort}, {signIn, toolCall, Abort}} {
		s := replies(c.step, good)
		fails := func(context.Context, *Call) error { return boom }
		a := s.loop(&Loop{Remedies: map[interpret.Remedy]RemedyFunc{interpret.Renegotiate: fails, interpret.Authorize: fails}}).Do(t.Context(), c.req, s.send)
		if a.Decision.Action != c.want || !errors.Is(a.Err(), StopRemedy) || !errors.Is(a.Err(), boom) || !errors.Is(a.Err(), c.step.Kind) || len(s.sent) != 1 {
			t.Errorf("%v on %s: %v, %v", c.step.Kind, c.req.Method, a.Decision.Action, a.Err())
		}
		if a.Decision.Remedy != c.step.Remedy {
			t.Errorf("the remedy is gone: %q", a.Decision.Remedy)
		}
	}
}

func TestCallerGivesUp(t *testing.T) {
	why := errors.New("the window was closed")
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		s := replies(after(limited, 30*time.Second))
		time.AfterFunc(5*time.Second, func() { cancel(why) })
		began := time.Now()
		a := s.loop(&Loop{}).Do(ctx, toolCall, s.send)
		if took := time.Since(began); took != 5*time.Second {
			t.Errorf("it took %v to notice", took)
		}
		if a.Decision.Action != Surface || !errors.Is(a.Err(), StopContext) || !errors.Is(a.Err(), why) || !errors.Is(a.Err(), interpret.RateLimited) {
			t.Errorf("while waiting: %v, %v", a.Decision.Action, a.Err())
		}

		a = s.loop(&Loop{}).Do(ctx, toolCall, s.send)
		if len(a.Attempts) != 0 || len(s.sent) != 1 || a.Outcome.Kind != interpret.Cancelled || a.Outcome.Ran != interpret.RanNo || !errors.Is(a.Err(), why) {
			t.Errorf("before the start: %d sent, %v", len(s.sent), a.Err())
		}

		late, cancelLate := context.WithDeadline(t.Context(), time.Now())
		defer cancelLate()
		a = s.loop(&Loop{}).Do(late, toolCall, s.send)
		if a.Outcome.Kind != interpret.Timeout || a.Outcome.Ran != interpret.RanNo || a.Decision.Stop != StopContext || !errors.Is(a.Err(), context.DeadlineExceeded) {
			t.Errorf("past the deadline: %v", a.Err())
		}
	})
}

func TestTimeBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &Policy{TimeBudget: 10 * time.Second}

		s := replies(down)
		s.takes = 4 * time.Second // 4 + 0.25 + 4 + 0.5, and 1.25 is left: the third is cut
		began := time.Now()
		a := s.loop(&Loop{Policy: p}).Do(t.Context(), toolList, s.send)
		if took := time.Since(began); took != 10*time.Second || a.Outcome.Kind != interpret.Timeout || a.Decision.Stop != StopDeadline {
			t.Errorf("attempts and waits: %v, %v, stop %q", took, a.Outcome.Kind, a.Decision.Stop)
		}

		s = replies(after(limited, 10*time.Second))
		a = s.loop(&Loop{Policy: p}).Do(t.Context(), toolCall, s.send)
		if a.Decision.Action != Surface || a.Decision.Stop != StopDeadline || a.Decision.Delay < 10*time.Second || len(s.sent) != 1 {
			t.Errorf("a wish longer than the time left: %+v", a.Decision)
		}

		s = replies(lostSession, good)
		slow := func(ctx context.Context, _ *Call) error {
			<-ctx.Done()
			return context.Cause(ctx)
		}
		began = time.Now()
		a = s.loop(&Loop{Policy: p, Remedies: map[interpret.Remedy]RemedyFunc{interpret.Reinitialize: slow}}).Do(t.Context(), toolCall, s.send)
		if took := time.Since(began); took != 10*time.Second || a.Decision.Stop != StopRemedy || !errors.Is(a.Err(), context.DeadlineExceeded) {
			t.Errorf("remedies: %v, %v", took, a.Err())
		}

		s = replies(lostSession, good)
		stubborn := func(context.Context, *Call) error { time.Sleep(11 * time.Second); return nil }
		a = s.loop(&Loop{Policy: p, Remedies: map[interpret.Remedy]RemedyFunc{interpret.Reinitialize: stubborn}}).Do(t.Context(), toolCall, s.send)
		if a.Decision.Stop != StopDeadline || len(s.sent) != 1 {
			t.Errorf("a remedy that outlived it: %+v", a.Decision)
		}
	})
}

func TestClockStandsStillWhileAPersonIsAsked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asks := func(ctx context.Context, _ *Call) error {
			select {
			case <-time.After(time.Hour):
				return nil
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}
		all := map[interpret.Remedy]RemedyFunc{interpret.Authorize: asks, AnswerInput: asks, OpenURL: asks}
		page := interpret.Outcome{Kind: interpret.URLElicitation, Ran: interpret.RanNo, Leave: interpret.LeaveAlways}
		s := replies(signIn, scope, questions, page, down, good)
		s.takes = time.Second
		l := s.loop(&Loop{Policy: &Policy{TimeBudget: 10 * time.Second}, Remedies: all})
		began := time.Now()
		a := l.Do(t.Context(), toolList, s.send)
		if took := time.Since(began); a.Decision.Action != Proceed || took != 4*time.Hour+6*time.Second+250*time.Millisecond {
			t.Errorf("%v after %v: %v", a.Decision.Action, took, a.Err())
		}

		s = replies(signIn, good) // not asked by the action, but by what the remedy is
		p := (&Policy{TimeBudget: 10 * time.Second}).With(Rule{Kinds: []interpret.Kind{interpret.Unauthorized}, Action: Retry})
		if a := s.loop(&Loop{Policy: p, Remedies: all}).Do(t.Context(), toolList, s.send); a.Decision.Action != Proceed {
			t.Errorf("by a rule: %v", a.Err())
		}

		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		s = replies(signIn, good)
		began = time.Now()
		a = s.loop(&Loop{Remedies: all}).Do(ctx, toolList, s.send)
		if took := time.Since(began); took != time.Minute || a.Decision.Stop != StopRemedy || a.Decision.Action != Abort || !errors.Is(a.Err(), context.DeadlineExceeded) {
			t.Errorf("the caller's own deadline stood still: %v, %v", took, a.Err())
		}
	})
}

func TestSenderMayLeaveTheRequestOut(t *testing.T) {
	l := &Loop{Rand: half}
	a := l.Do(t.Context(), toolCall, func(context.Context, interpret.Request) interpret.Exchange {
		return interpret.Exchange{Status: 200, Header: map[string][]string{"Content-Type": {"application/json"}},
			Body: []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)}
	})
	if a.Outcome.Kind != interpret.OK || a.Exchange.Request.Method != "tools/call" {
		t.Errorf("%v, %+v", a.Err(), a.Exchange.Request)
	}
}

func TestModelTextIsScrubbed(t *testing.T) {
	o := wrongArgs
	o.Message = "bad\x1b[31m \u202ename\n" + strings.Repeat("x", 9000)
	s := replies(o)
	a := s.loop(&Loop{}).Do(t.Context(), toolCall, s.send)
	if m := a.ForModel(); strings.ContainsAny(m, "\x1b\u202e") || len(m) > 1000 || !strings.Contains(m, "bad") {
		t.Errorf("%q", m)
	}
	if got := fmt.Sprint(a.Stop); strings.Contains(got, "bad") {
		t.Errorf("the stop quotes the server: %s", got)
	}
}
