package retry

import (
	"context"
	"log/slog"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// goesOn reports whether the last decision was to send again.
func (c *call) goesOn() bool { return c.decision.Stop == "" && c.decision.Action != Proceed }

// next prepares another attempt: it takes the resend from the budget and carries the remedy out.
// It returns how long to wait, or false if the call is over.
func (c *call) next() (wait time.Duration, again bool) {
	if !c.goesOn() {
		return 0, false
	}
	d := c.decision
	fix := fixFor(d.Action, &c.outcome)
	if fix != "" && d.Action == Retry && d.Remedy == "" {
		fix = "" // dropped by the decision
	}
	if budgeted(fix) && !c.server.Withdraw() { // another call was faster
		c.stop(StopBudget, "the server has had its share of resends for now", nil)
		return 0, false
	}
	c.after[c.outcome.Kind]++
	c.by[d.Rule]++
	began := time.Now()
	if fix != "" {
		if err := c.carryOut(fix); err != nil {
			c.stop(StopRemedy, string(fix)+" failed", err)
			return 0, false
		}
	}
	c.remedy = fix
	c.waited = max(d.Delay-time.Since(began), 0)
	return c.waited, c.stillAllowed()
}

// carryOut runs a remedy, with the clock standing still while a person is asked.
func (c *call) carryOut(fix interpret.Remedy) error {
	c.spent[fix]++
	ctx, began := c.marked(c.ctx, true, nil), time.Now()
	if asksPerson(fix) || c.decision.Action == Ask {
		defer func() { c.asked += time.Since(began) }()
	} else {
		var cancel context.CancelFunc
		ctx, cancel = c.bounded(ctx)
		defer cancel()
	}
	told := Call{Request: c.request, Outcome: c.outcome, Decision: c.decision, Exchange: c.exchange, Attempts: len(c.attempts)}
	if err := c.loop.Remedies[fix](ctx, &told); err != nil {
		return err
	}
	if fix == interpret.EchoState || fix == AnswerInput || fix == OpenURL {
		c.rounds.Add(1)
	}
	if !c.fixed {
		c.request = told.Request
	}
	return nil
}

// stillAllowed asks the gates once more that time and a remedy's sends may have closed.
func (c *call) stillAllowed() bool {
	s := c.state()
	s.Attempt, s.Sends, s.Spent = 1, c.counted(), nil // the rounds are left out already
	j := judgement{policy: c.policy, request: &c.request, outcome: &c.outcome, state: &s, action: Retry, delay: c.waited}
	for _, g := range lateGates {
		if stop, why := g.ask(&j); stop != "" {
			c.stop(stop, why, s.Done)
			return false
		}
	}
	return true
}

// stop ends a call that was to go on.
func (c *call) stop(s Stop, why string, cause error) {
	d := &c.decision
	d.Stop, d.Reason = s, why
	if d.Action = stopped(d.Action, &c.exchange.Request); d.Action == Ask {
		d.Action = Abort // a person was asked already
	}
	if s != StopDeadline {
		d.Delay = c.outcome.RetryAfter
	}
	c.cause = cause
}

// answer ends the call.
func (c *call) answer() *Answer {
	if c.goesOn() { // the wait was cut short
		c.stop(StopContext, "the caller gave up", context.Cause(c.ctx))
	}
	c.outcome = c.outcome.ScrubbedBy(c.scrubber())
	a := &Answer{
		Outcome: c.outcome, Decision: c.decision, Attempts: c.attempts, Exchange: c.exchange,
		Vouched: c.vouched(), model: c.loop.Model,
	}
	if stop := a.Decision.Stop; stop != "" {
		if stop == StopContext && c.cause == nil {
			c.cause = context.Cause(c.ctx)
		}
		a.Stop = &stopError{stop, a.Decision.Reason, c.cause, c.outcome.Scrubber()}
	}
	if n := len(c.attempts); n > 0 {
		c.attempts[n-1].Decision = a.Decision
		if a.Decision.Stop != "" && a.Decision.Stop != StopAction && !c.nested {
			c.log(c.ctx, slog.LevelWarn, "mcp call given up", c.attempts[n-1])
		}
	}
	return a
}
