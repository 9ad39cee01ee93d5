package retry

import (
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v4"

	"github.com/mcperr/mcperr/interpret"
)

// Do makes one logical call: send is asked to send the request, as often as the policy allows and with what remedies amend.
// It returns when there is a result, when nothing more may or can be done, or when ctx ends; it never fails otherwise.
//
// A first attempt waits too if the server asked shortly before for no request, unless that is longer than the policy's
// cap or the time left: then it goes out at once, and the server answers for itself.
func (l *Loop) Do(ctx context.Context, req interpret.Request, send Sender) *Answer {
	c := l.newCall(ctx, req)
	if !c.start() {
		return c.answer()
	}
	_ = backoff.Retry(func() error { // what failed stands in the call
		bounded, cancel := c.bounded(c.ctx)
		defer cancel()
		ctx, attempt := c.begin(bounded)
		c.end(ctx, attempt, send(ctx, c.request))
		if c.goesOn() {
			return errAgain
		}
		return nil
	}, crank{c})
	return c.answer()
}

// errAgain tells a driver that the call is not over.
var errAgain = errors.New("retry: again")

// crank is a call as backoff sees it: it waits for as long as the call says. That ends with its context, and by nothing
// else: there is no Permanent, no MaxElapsedTime.
type crank struct{ c *call }

func (k crank) Reset()                   {}
func (k crank) Context() context.Context { return k.c.ctx }
func (k crank) NextBackOff() time.Duration {
	if wait, again := k.c.next(); again {
		return wait
	}
	return backoff.Stop
}

// start makes sure that the first attempt may go out, and waits if the server asked for that. If it may not, the outcome says why.
func (c *call) start() bool {
	if c.owner != nil && c.counted() >= c.policy.Sends {
		c.unmade(StopSends)
		c.stop(StopSends, "the call that this is a remedy of has used up its sends", nil)
		return false
	}
	if !c.nested && c.ctx.Err() == nil {
		c.hold()
	}
	if c.ctx.Err() == nil {
		return true
	}
	what := interpret.FailedCancelled
	if errors.Is(c.ctx.Err(), context.DeadlineExceeded) {
		what = interpret.FailedTimeout
	}
	c.unsent(interpret.Failure{What: what, Err: context.Cause(c.ctx)})
	return false
}

// unsent judges a call of which nothing goes out.
func (c *call) unsent(f interpret.Failure) {
	f.Delivery = interpret.DeliveryNotSent
	c.judge(interpret.Exchange{Failure: &f})
}

// unmade judges a call that the loop itself does not make. A loop around it does not try again either.
func (c *call) unmade(why error) { c.unsent(interpret.Failure{Err: Final(&unmadeError{why})}) }

type unmadeError struct{ error }

func (e *unmadeError) Unwrap() error { return e.error }

// hold waits until the server takes requests again, with those apart that were held together.
func (c *call) hold() {
	wish := time.Until(c.server.NotBefore())
	if wish <= 0 || wish > c.policy.HintCap {
		return
	}
	over := max(spread(&c.policy, wish), c.server.join())
	defer c.server.leave()
	wait := wish + time.Duration(c.chance()*float64(over))
	if d := c.deadline(); !d.IsZero() && wait >= time.Until(d) {
		return
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-c.ctx.Done():
	case <-t.C:
	}
	c.waited = wait
}
