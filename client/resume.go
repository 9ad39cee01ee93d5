package client

import (
	"context"
	"errors"

	"github.com/mcperr/mcperr/interpret"
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
