package probe

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/mcperr/mcperr/interpret"
)

// asking is one check while it is asked. The last reply is the one that is reported.
type asking struct {
	*Probe
	check *Check
	last  *reply

	demands, recommendations, notes []string
	why                             string // what came says nothing about the question
}

// find asks one check and judges it.
func (p *Probe) find(ctx context.Context, c *Check) Finding {
	a := &asking{Probe: p, check: c}
	p.watching = c
	if a.why = p.obstacle(ctx, c); a.why != "" {
		return a.finding()
	}
	c.ask(ctx, a)
	if a.lost() && p.reopened < reopenings {
		if p.reopened++; p.reopen(ctx) {
			a = &asking{Probe: p, check: c, notes: []string{"an earlier question had ended the session; it was opened anew for this one"}}
			c.ask(ctx, a)
		}
	}
	if ctx.Err() != nil && a.last != nil && a.last.x.Failure != nil { // we have broken it off ourselves
		a.demands, a.why = nil, p.obstacle(ctx, c)
	}
	return a.finding()
}

// obstacle is why a check cannot be asked, "" if it can. A process that has ended is started again first.
func (p *Probe) obstacle(ctx context.Context, c *Check) string {
	if ctx.Err() != nil && p.stopped == "" {
		if p.stopped = "the time for the whole probe is over"; ctx.Err() == context.Canceled {
			p.stopped = "the probe was interrupted"
		}
	}
	if p.stopped != "" {
		return p.stopped
	}
	if c.unfit != nil {
		if why := c.unfit(p); why != "" {
			return why
		}
	}
	if p.server.Era != interpret.EraUnknown && p.wire.ended() {
		p.reopen(ctx)
	}
	return p.stopped
}

// lost reports whether the session is gone without the question being about that.
func (a *asking) lost() bool {
	return a.last != nil && a.last.o.Kind == interpret.SessionLost && !a.check.loses && a.server.session != "" && a.last.x.Request.Session
}

func (a *asking) finding() Finding {
	f := Finding{Check: a.check, Why: a.why, Notes: a.notes, Faults: append(a.demands, a.recommendations...), Want: a.check.want(&a.server)}
	if a.last != nil {
		f.Asked, f.Exchange, f.Outcome = true, a.last.x, a.last.o
	}
	switch {
	case len(a.demands) > 0:
		f.Verdict = Deviates
	case a.why != "":
		f.Verdict, f.Faults = Skipped, nil
	case len(a.recommendations) > 0:
		f.Verdict = Advice
	default:
		f.Verdict = Holds
	}
	return f
}

// must notes a departure from what is demanded, if it is one.
func (a *asking) must(ok bool, format string, args ...any) {
	if !ok {
		a.demands = append(a.demands, fmt.Sprintf(format, args...))
	}
}

// should notes a departure from what is recommended.
func (a *asking) should(ok bool, format string, args ...any) {
	if !ok {
		a.recommendations = append(a.recommendations, fmt.Sprintf(format, args...))
	}
}

// readable notes a reply that no client can read as an answer, and one that is about something else than the question.
// It reports whether there is an answer to judge. kinds are those that answer the question although they seem to be about something else.
func (a *asking) readable(kinds ...interpret.Kind) bool {
	if a.aside(kinds...) {
		return false
	}
	a.must(a.last.m != nil, "%s", a.unanswered())
	return a.last.m != nil
}

// unanswered says what came in place of a JSON-RPC answer.
func (a *asking) unanswered() string {
	r := a.last
	switch f := r.x.Failure; {
	case f != nil && f.What == interpret.FailedTimeout && !a.server.http() && r.behind:
		return fmt.Sprintf("it stays silent: nothing came within %v, and nothing for the sound request behind it", a.opts.Timeout)
	case f != nil && f.What == interpret.FailedTimeout && len(r.x.Body) == 0:
		return fmt.Sprintf("it stays silent: nothing came within %v", a.opts.Timeout)
	case f != nil && f.What == interpret.FailedTimeout:
		return "it leaves its answer unfinished"
	case f != nil && f.What == interpret.FailedExited:
		return "its process ends"
	case f != nil:
		return "it drops the connection"
	case r.x.Truncated:
		return fmt.Sprintf("its answer is over %d bytes", a.opts.MaxBody)
	case r.html():
		return "it answers with an HTML page"
	case r.empty() && a.server.http():
		return "its answer has no body"
	case r.empty():
		return "it stays silent"
	}
	return "its answer is no JSON-RPC message"
}

// aside reports whether what came says nothing about the question: somebody else spoke, or the caller gave up.
func (a *asking) aside(kinds ...interpret.Kind) bool {
	o := &a.last.o
	if slices.Contains(kinds, o.Kind) {
		return false
	}
	switch o.Kind {
	case interpret.RateLimited:
		a.stopped = "the server asks for fewer requests"
	case interpret.Unauthorized, interpret.InsufficientScope, interpret.PaymentRequired, interpret.Cancelled:
	case interpret.Forbidden:
		if a.last.m != nil {
			return false
		}
	case interpret.Unavailable:
		if f := a.last.x.Failure; f != nil {
			a.stopped = "the server cannot be reached"
		}
	default:
		return false
	}
	if a.why = fmt.Sprintf("what came is about something else: %s", o.Kind); a.stopped != "" {
		a.why = a.stopped
	}
	return true
}

// failsWith notes an answer that is no error with the code. It reports whether it is an error at all.
func (a *asking) failsWith(code int64) bool {
	if a.last.m.Error == nil {
		a.must(false, "it answers with a result, not with an error")
		return false
	}
	a.must(a.coded(code), "its code is %s, not %d", a.code(), code)
	return true
}

// coded reports whether the answer is an error with this code.
func (a *asking) coded(code int64) bool {
	m := a.last.m
	return m != nil && m.Error != nil && string(m.Error.Code) == strconv.FormatInt(code, 10)
}

// code is the code of the error that came, fit for a fault.
func (a *asking) code() string {
	c := string(a.last.m.Error.Code)
	if c == "" {
		return "missing"
	}
	if _, err := strconv.ParseInt(c, 10, 64); err != nil {
		return quoted(c)
	}
	return c
}

// status notes another HTTP status.
func (a *asking) status(want int) {
	if a.server.http() && a.last.x.Status != 0 {
		a.must(a.last.x.Status == want, "its HTTP status is %d, not %d", a.last.x.Status, want)
	}
}

// readAs notes an answer from which a client must conclude something else.
func (a *asking) readAs(kinds ...interpret.Kind) {
	if !slices.Contains(kinds, a.last.o.Kind) && len(a.demands) == 0 {
		a.must(false, "a client reads it as %s", a.last.o.Kind)
	}
}
