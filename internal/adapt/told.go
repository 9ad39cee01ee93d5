package adapt

import (
	"errors"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// told is an error that says what came of a request which no recorder followed: who read the reply below has found it out. It is the Err of a
// failure that stands for the reply, and read as what it says.
type told struct {
	error
	outcome interpret.Outcome
	answer  *retry.Answer // that it comes from; nil: none of ours
	spent   bool          // its loop has done all that the policy allows: one around it would do the same once more
}

func (t *told) Unwrap() error { return t.error }

// tell finds what an error says of its request: a [*Error] is the answer of a loop of this adapter's, an [*interpret.Error] the word of a tap.
// Both come where the request went out with another context than the one that it was given.
func tell(req interpret.Request, err error) (interpret.Exchange, bool) {
	t := &told{error: err}
	f := &interpret.Failure{Err: t}
	if e, ok := errors.AsType[*Error](err); ok {
		t.answer, t.outcome = e.Answer, e.Answer.Outcome
		switch e.Answer.Decision.Stop {
		case retry.StopAttempts, retry.StopSends, retry.StopBudget:
			t.spent, t.outcome.Leave = true, interpret.LeaveNever
		}
		if below := e.Answer.Exchange.Failure; below != nil {
			f.What, f.Delivery = below.What, below.Delivery
		}
	} else if e, ok := errors.AsType[*interpret.Error](err); ok && e != nil {
		t.outcome = e.Outcome
		switch e.Kind {
		case interpret.Timeout:
			f.What = interpret.FailedTimeout
		case interpret.Cancelled:
			f.What = interpret.FailedCancelled
		}
	} else {
		return interpret.Exchange{}, false
	}
	return interpret.Exchange{Request: req, Failure: f}, true
}

// toldIn returns what an exchange was told, nil if it was seen.
func toldIn(x *interpret.Exchange) *told {
	if x.Failure == nil {
		return nil
	}
	t, _ := x.Failure.Err.(*told)
	return t
}

// settle gives an answer what the one has that it was told.
func settle(a *retry.Answer) {
	t := toldIn(&a.Exchange)
	if t == nil || t.answer == nil {
		return
	}
	a.Exchange = t.answer.Exchange
	if t.spent {
		a.Outcome.Leave, a.Decision, a.Stop = t.answer.Outcome.Leave, t.answer.Decision, t.answer.Stop
	}
}

// reader reads what was told, and everything else with read; nil is [interpret.Reply].
func reader(read func(interpret.Exchange) interpret.Outcome) func(interpret.Exchange) interpret.Outcome {
	if read == nil {
		read = interpret.Reply
	}
	return func(x interpret.Exchange) interpret.Outcome {
		if t := toldIn(&x); t != nil {
			return t.outcome
		}
		return read(x)
	}
}

// Unsent marks an error before which nothing can have been sent: there is no transport. The text stays. Unsent of nil is nil.
func Unsent(err error) error {
	if err == nil {
		return nil
	}
	return &unsent{err}
}

type unsent struct{ error }

func (e *unsent) Unwrap() error { return e.error }

// delivery is what an error proves of a request that nobody saw. That nobody did is no proof: it may have gone out with a context of its own.
func delivery(err error) interpret.Delivery {
	if _, ok := errors.AsType[*unsent](err); ok {
		return interpret.DeliveryNotSent
	}
	return interpret.DeliveryUnknown
}
