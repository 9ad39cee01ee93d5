package client

import (
	"context"
	"errors"
	"time"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// errNoResume is why a stream that broke was not taken up again.
var errNoResume = errors.New("client: the server did not take up the stream again")

// resume asks for the rest of a stream that broke, from its last event on. Nothing is sent a second time:
// what comes of it is the answer to the old request, or as little known of it as before.
func (l *httpLink) resume(ctx context.Context, s *session, req interpret.Request, after string) interpret.Exchange {
	x := l.get(ctx, s, req, after)
	if x.Failure == nil && !streamed(x) {
		// A refusal of the GET is none of the request, which may be running: it must not be read as one.
		return unresumed(req)
	}
	if x.Failure != nil && x.Failure.Delivery == interpret.DeliveryNotSent {
		x.Failure.Delivery = interpret.DeliveryWritten // the GET was not; the request was
	}
	if x.Failure != nil && (x.Failure.What == interpret.FailedRefused || x.Failure.What == interpret.FailedDNS) {
		x.Failure.What = interpret.FailedReset
	}
	return x
}

// unresumed is all that is known of a request whose stream broke for good.
func unresumed(req interpret.Request) interpret.Exchange {
	return interpret.Exchange{Request: req, Failure: &interpret.Failure{What: interpret.FailedReset, Delivery: interpret.DeliveryWritten, Err: errNoResume}}
}

// longestResume is the longest reconnection time of a stream that is waited for.
const longestResume = time.Minute

// resumeStream has the next attempt ask for the rest of the stream, no earlier than the stream said.
func (k *call) resumeStream(ctx context.Context, r *retry.Call) error {
	l, ok := k.c.link.(*httpLink)
	if !ok || k.session == nil || returnable(r.Outcome.EventID) == "" || k.session.reconnection() > longestResume {
		return errNoResume
	}
	req, old, after := k.request, k.session, r.Outcome.EventID
	k.rest = func(ctx context.Context) interpret.Exchange { return l.resume(ctx, old, req, after) }
	return pause(ctx, old.reconnection())
}
