package probe

import (
	"context"
	"net/http"
)

var wrongAccept = Check{
	ID: "wrong_accept", Asks: "an answer in a form that the protocol does not have", over: overHTTP, early: true, sends: 1,
	wants: []want{{says: "HTTP 406, or the answer all the same", ref: rfc9110 + "15.5.7"}},
	ask: func(ctx context.Context, a *asking) {
		q := a.request(a.harmless(), nil)
		q.header.Set("Accept", "text/plain")
		a.send(ctx, q)
		a.refusedOrServed(http.StatusNotAcceptable)
	},
}

var wrongContentType = Check{
	ID: "wrong_content_type", Asks: "a request that calls itself plain text", over: overHTTP, early: true, sends: 1,
	wants: []want{{says: "HTTP 415: a web page may send plain text anywhere", ref: rfc9110 + "15.5.16"}},
	ask: func(ctx context.Context, a *asking) {
		q := a.request(a.harmless(), nil)
		q.header.Set("Content-Type", "text/plain")
		a.send(ctx, q)
		if a.refusedOrServed(http.StatusUnsupportedMediaType) {
			a.should(false, "it takes plain text for a request, which a web page may send without asking first")
		}
	},
}

// refusedOrServed judges a request whose form was wrong and whose meaning was plain. It reports whether it was served.
func (a *asking) refusedOrServed(status int) bool {
	r := a.last
	if a.aside() {
		return false
	}
	switch {
	case r.x.Status == 0:
		a.must(false, "%s", a.unanswered())
	case r.m != nil && r.m.Result != nil:
		return true
	case r.html():
		a.must(false, "%s", a.unanswered())
	case r.x.Status < 400 || r.x.Status >= 500:
		a.must(false, "its HTTP status is %d, not %d", r.x.Status, status)
	default:
		a.should(r.x.Status == status, "its HTTP status is %d, not %d", r.x.Status, status)
	}
	return false
}
