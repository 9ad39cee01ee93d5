package retry

import (
	"context"
	"sync"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// script answers the attempts of a loop, one outcome after the other, the last one for ever.
type script struct {
	steps []interpret.Outcome
	takes time.Duration // how long an attempt takes

	mu   sync.Mutex
	sent []interpret.Request
	at   []time.Time
}

func replies(steps ...interpret.Outcome) *script { return &script{steps: steps} }

// send keeps what was sent and leaves its number in the exchange, for read to find.
func (s *script) send(ctx context.Context, r interpret.Request) interpret.Exchange {
	s.mu.Lock()
	n := len(s.sent)
	s.sent, s.at = append(s.sent, r), append(s.at, time.Now())
	s.mu.Unlock()
	if s.takes > 0 {
		t := time.NewTimer(s.takes)
		defer t.Stop()
		select {
		case <-t.C:
		case <-ctx.Done():
			return interpret.Exchange{Request: r, Failure: &interpret.Failure{What: interpret.FailedTimeout, Delivery: interpret.DeliveryWritten, Err: context.Cause(ctx)}}
		}
	}
	return interpret.Exchange{Request: r, Status: n + 1}
}

func (s *script) read(x interpret.Exchange) interpret.Outcome {
	if x.Failure != nil || x.Status == 0 {
		return interpret.Reply(x)
	}
	return s.steps[min(x.Status, len(s.steps))-1]
}

// waits returns the time between the attempts.
func (s *script) waits() (w []time.Duration) {
	for i := 1; i < len(s.at); i++ {
		w = append(w, s.at[i].Sub(s.at[i-1])-s.takes)
	}
	return w
}

func (s *script) loop(l *Loop) *Loop {
	return &Loop{
		Policy: l.Policy, Server: l.Server, Remedies: l.Remedies, Vouch: l.Vouch, Observer: l.Observer, Logger: l.Logger,
		Model: l.Model, Secrets: l.Secrets, Read: s.read, Rand: half,
	}
}

var (
	good        = interpret.Outcome{Kind: interpret.OK, Ran: interpret.RanYes}
	down        = interpret.Outcome{Kind: interpret.Unavailable, Leave: interpret.LeaveRepeatable}
	limited     = interpret.Outcome{Kind: interpret.RateLimited, Ran: interpret.RanNo, Leave: interpret.LeaveAlways}
	lostSession = interpret.Outcome{Kind: interpret.SessionLost, Ran: interpret.RanNo, Leave: interpret.LeaveAlways, Remedy: interpret.Reinitialize}
	refused     = interpret.Outcome{Kind: interpret.UnsupportedVersion, Ran: interpret.RanNo, Leave: interpret.LeaveAlways, Remedy: interpret.Renegotiate}
	signIn      = interpret.Outcome{Kind: interpret.Unauthorized, Ran: interpret.RanNo, Leave: interpret.LeaveAlways, Remedy: interpret.Authorize}
	scope       = interpret.Outcome{Kind: interpret.InsufficientScope, Ran: interpret.RanNo, Leave: interpret.LeaveAlways, Remedy: interpret.Authorize}
	questions   = interpret.Outcome{Kind: interpret.InputRequired, Leave: interpret.LeaveRemedy}
	stateOnly   = interpret.Outcome{Kind: interpret.InputRequired, Leave: interpret.LeaveRemedy, Remedy: interpret.EchoState}
	broken      = interpret.Outcome{Kind: interpret.ConnectionLost, Leave: interpret.LeaveRemedy, Remedy: interpret.Resume}
	failed      = interpret.Outcome{Kind: interpret.ServerError, Leave: interpret.LeaveRepeatable, Tries: 1}
	wrongArgs   = interpret.Outcome{Kind: interpret.InvalidArguments, Ran: interpret.RanNo, Leave: interpret.LeaveRemedy}
)

func after(o interpret.Outcome, d time.Duration) interpret.Outcome {
	o.RetryAfter = d
	return o
}

// nothing is a remedy that is carried out in no time.
func nothing(context.Context, *Call) error { return nil }

func having(names ...interpret.Remedy) map[interpret.Remedy]RemedyFunc {
	m := make(map[interpret.Remedy]RemedyFunc)
	for _, n := range names {
		m[n] = nothing
	}
	return m
}
