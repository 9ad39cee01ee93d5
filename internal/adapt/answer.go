package adapt

import (
	"errors"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// refused is an answer that was good, and is of no use here.
func refused(a *retry.Answer, k interpret.Kind, why string) *retry.Answer {
	b := *a
	b.Outcome.Kind, b.Outcome.Basis, b.Outcome.Leave = k, interpret.BasisShape, interpret.LeaveNever
	b.Decision = retry.Decision{Rule: "default/" + k.String(), Reason: why, Stop: retry.StopAction}
	b.Stop = retry.StopAction
	return &b
}

// Unreadable is the answer to a call whose result the SDK could not read.
func Unreadable(a *retry.Answer) *retry.Answer {
	return refused(a, interpret.MalformedReply, "the SDK cannot read the result")
}

// BelowFloor is the answer to a handshake that agreed on a version which the policy does not allow.
func BelowFloor(a *retry.Answer, version string) *retry.Answer {
	b := refused(a, interpret.UnsupportedVersion, "the server speaks no version that the policy allows")
	b.Outcome.Supported = []string{version}
	return b
}

// Answer is what a call came to, from what the SDK returned: the loop's own answer, or what can be read of the result or the error.
// It is judged by the default policy then. method is the one that the result belongs to, own the answer that it came with, nil if nobody
// knows.
func Answer(method string, result any, own *retry.Answer, err error, unmask Unmask) *retry.Answer {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Answer
	}
	if own != nil && err == nil {
		return own
	}
	x := interpret.Exchange{Request: interpret.Request{Method: method, ID: "0", Target: "?"}} // it had one
	var o interpret.Outcome
	if e, ok := errors.AsType[*interpret.Error](err); ok {
		o = e.Outcome
	} else {
		if err != nil {
			x = unmask(x.Request, err, interpret.DeliveryUnknown)
		} else {
			x = Result(x.Request, result, unmask)
		}
		o = interpret.Reply(x)
	}
	x.Request.Target = "" // which, nobody knows here
	never := func(interpret.Remedy) bool { return false }
	a := &retry.Answer{Outcome: o, Exchange: x, Decision: new(retry.Policy).Decide(x.Request, o, retry.State{Nested: true, Can: never})}
	if a.Decision.Stop != "" {
		a.Stop = a.Decision.Stop
	}
	return a
}

// Reread is the answer to a call whose result the SDK has put together of several replies, of which the answer knows one.
func Reread(own *retry.Answer, result any, unmask Unmask) *retry.Answer {
	b := *own
	b.Exchange = Result(own.Exchange.Request, result, unmask)
	b.Outcome = interpret.Reply(b.Exchange)
	return &b
}

// Error is the failure of an SDK's call: what it means stands before what the SDK says, and errors.Is and errors.As reach both.
type Error struct {
	Answer *retry.Answer
	SDK    error // nil: the SDK saw no failure
}

// Error returns what the failure means, in one line.
func (e *Error) Error() string {
	if err := e.Answer.Outcome.Err(); err != nil {
		return err.Error()
	}
	return e.Answer.Outcome.Kind.String()
}

// Unwrap returns both.
func (e *Error) Unwrap() []error {
	list := make([]error, 0, 2)
	if err := e.Answer.Err(); err != nil {
		list = append(list, err)
	}
	if e.SDK != nil {
		list = append(list, e.SDK)
	}
	return list
}
