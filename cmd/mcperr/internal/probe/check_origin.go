package probe

import (
	"context"

	"github.com/mcperr/mcperr/interpret"
)

// foreign is the origin of a page that nobody can have (RFC 2606, section 2).
const foreign = "https://mcperr-probe.invalid"

var foreignOrigin = Check{
	ID: "foreign_origin", Asks: "a request from a foreign web page", over: overHTTP, early: true, sends: 1,
	wants: []want{
		{since: interpret.Version20260728, says: "HTTP 403", ref: "basic/transports/streamable-http#security-endpoint"},
		{since: interpret.Version20251125, says: "HTTP 403", ref: "basic/transports#security-warning"},
		{says: "a refusal: the origin must be validated", ref: "basic/transports#security-warning"},
	},
	ask: func(ctx context.Context, a *asking) {
		q := a.request(a.harmless(), nil)
		q.header.Set("Origin", foreign)
		a.send(ctx, q)
		if a.aside(interpret.Forbidden, interpret.Unauthorized) {
			return
		}
		if a.last.x.Status == 0 {
			a.must(false, "%s", a.unanswered())
			return
		}
		if a.last.m != nil && a.last.m.Result != nil {
			a.must(false, "it serves the request: a page that its user opens can reach it")
			return
		}
		if a.server.Version >= interpret.Version20251125 {
			a.status(403)
		} else {
			a.must(a.last.x.Status >= 400 && a.last.x.Status < 500, "its HTTP status is %d, no refusal", a.last.x.Status)
		}
	},
}
