package adapt

import (
	"context"
	"encoding/json"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// Unmask says what came of a request as far as an error of the SDK's tells; sent is what to think of its delivery where it does not say.
type Unmask func(req interpret.Request, err error, sent interpret.Delivery) interpret.Exchange

// Attempt makes a request once, and says what came of it beside what the SDK says.
func Attempt[R any](ctx context.Context, c *Calls, req interpret.Request, unmask Unmask, call func(context.Context) (R, error)) (R, interpret.Exchange, error) {
	ctx, rec := client.Record(ctx)
	r, err := call(ctx)
	x, ok := c.Recorded(ctx, rec, err)
	if !ok {
		x = c.Unrecorded(req, r, err, unmask)
	}
	return r, x, err
}

// Unrecorded is the exchange of a call of which no request was seen: the SDK refused it, answered it out of its memory, sent it with a context
// of its own, or has no tap.
func (c *Calls) Unrecorded(req interpret.Request, r any, err error, unmask Unmask) interpret.Exchange {
	req.ID = "0"
	req.Transport, _ = c.transport()
	if err == nil {
		return Result(req, r, unmask)
	}
	if x, ok := tell(req, err); ok {
		return x
	}
	return unmask(req, err, delivery(err))
}

// Result is the exchange of a result of which nothing else is known.
func Result(req interpret.Request, r any, unmask Unmask) interpret.Exchange {
	line, err := json.Marshal(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result"`
	}{"2.0", json.RawMessage(req.ID), r})
	if err != nil {
		return unmask(req, err, interpret.DeliveryUnknown)
	}
	return Line(req, line)
}

// Line is an exchange whose answer is known as a message only, without what carried it.
func Line(req interpret.Request, message []byte) interpret.Exchange {
	req.Transport = interpret.Stdio
	return interpret.Exchange{Request: req, Lines: [][]byte{message}}
}

// Finish turns what a call came to into what it returns: a result that means what the SDK thinks it does, or an [*Error].
func Finish[R any](r R, a *retry.Answer, err error) (R, *retry.Answer, error) {
	readable := err == nil
	switch a.Outcome.Kind {
	case interpret.OK, interpret.Task, interpret.ToolError:
		if readable {
			return r, a, nil
		}
		a = Unreadable(a)
	case interpret.InputRequired:
		if readable {
			return r, a, nil
		}
	}
	var none R
	return none, a, &Error{Answer: a, SDK: err}
}
