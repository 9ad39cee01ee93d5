package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// Why a call is not sent again with what the server asks for.
var (
	errNoHandler = errors.New("client: no handler for what the server asks")
	errNoState   = errors.New("client: the reply carries no state to send back")
	errQuestions = fmt.Errorf("client: the server asks for more than %d things at once", roundQuestions)
)

// roundQuestions is how many things one reply may ask for: a form asks all at once, and who is asked for more has been forgotten.
const roundQuestions = 16

// echoState sends the call again with the server's state, byte for byte.
func (k *call) echoState(_ context.Context, r *retry.Call) error {
	if r.Outcome.RequestState == nil {
		return errNoState
	}
	k.out.params = k.first.without("requestState", "inputResponses").with("requestState", r.Outcome.RequestState)
	k.out.state = interpret.StateFirst
	return nil
}

// answerInput asks the host's handlers, one request after the other, and sends the call again with their answers. It asks none of them if not all
// can be answered: nobody is asked for what is not going to be sent.
func (k *call) answerInput(ctx context.Context, r *retry.Call) error {
	if len(r.Outcome.InputRequests) > roundQuestions {
		return errQuestions
	}
	for _, q := range r.Outcome.InputRequests {
		if k.c.opts.Handlers[q.Method] == nil {
			return fmt.Errorf("%w: %s", errNoHandler, q.Method)
		}
	}
	var answers object
	for _, q := range r.Outcome.InputRequests {
		if err := ctx.Err(); err != nil {
			return err
		}
		v, err := k.c.opts.Handlers[q.Method](ctx, q.Params)
		if err != nil {
			return err
		}
		raw, err := marshal(v)
		if err != nil {
			return err
		}
		answers = answers.with(q.Key, raw)
	}
	params := k.first.without("requestState", "inputResponses").with("inputResponses", answers.encode())
	k.out.state = interpret.StateNone
	if r.Outcome.RequestState != nil {
		params = params.with("requestState", r.Outcome.RequestState)
		k.out.state = interpret.StateFirst
	}
	k.out.params = params
	return nil
}
