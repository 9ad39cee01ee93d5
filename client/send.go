package client

import (
	"net/http"

	"github.com/mcperr/mcperr/internal/wire"
	"github.com/mcperr/mcperr/interpret"
)

// Send sends an HTTP request of the host's own, exactly once, and returns what came back for it or how that failed.
// It adds nothing to the request and decides nothing: what the exchange means is for [interpret.Reply], whether to send again for
// a [retry.Loop], whose Do takes a function that sends once; a 307 or 308 within the origin is part of that once.
//
// req says what r's body holds, as [interpret.ParseRequest] reads it, and stands in the exchange. Its zero value has body and headers read for it, as
// by [retry.Loop.HTTP], and is enough unless the host knows more (era, names of tools). hc may be nil for [http.DefaultClient].
// An event stream is read to the answer of req, for a moment only if that is a notification; any other body is read to its end, both up to
// [interpret.DefaultLimit] bytes. A local error is told by what it is and by how far the request got, which decides whether it may have run; r's
// context bounds it all.
func Send(hc *http.Client, r *http.Request, req interpret.Request) interpret.Exchange {
	if wire.Undescribed(req) {
		body, err := wire.TakeBody(r)
		req = wire.Describe(r, body)
		if err != nil {
			return interpret.Exchange{Request: req, Failure: &interpret.Failure{Delivery: interpret.DeliveryNotSent, Err: err}}
		}
		r = wire.WithBody(r, body)
	}
	return wire.Do(hc, r, req, wire.Options{})
}
