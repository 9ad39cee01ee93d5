package probe

import (
	"context"

	"github.com/mcperr/mcperr/interpret"
)

var unknownSession = Check{
	ID: "unknown_session", Asks: "a session that is not known", over: overHTTP, era: interpret.EraLegacy, sends: 1, loses: true, early: true,
	wants: []want{{says: "HTTP 404", ref: "basic/transports#session-management"}},
	unfit: func(p *Probe) string {
		if p.server.session == "" {
			return "the server gives no session ids"
		}
		return ""
	},
	ask: func(ctx context.Context, a *asking) {
		q := a.request("ping", nil)
		q.header.Set(headerSession, forged(a.server.session))
		a.send(ctx, q)
		if a.aside() {
			return
		}
		a.must(a.last.x.Status != 0, "%s", a.unanswered())
		a.must(a.last.o.Kind != interpret.OK, "it takes a session that it never gave")
		if len(a.demands) == 0 {
			a.status(404)
		}
	},
}

// forged returns a session id of the same form that was never given: digits and letters at its end are others.
func forged(id string) string {
	b := []byte(id)
	for i, left := len(b)-1, 8; i >= 0 && left > 0; i-- {
		switch c := b[i]; {
		case c >= '0' && c <= '9':
			b[i] = '0' + (c-'0'+5)%10
		case c >= 'a' && c <= 'f':
			b[i] = 'a' + (c-'a'+3)%6 // a hexadecimal digit stays one
		case c >= 'g' && c <= 'z':
			b[i] = 'g' + (c-'g'+10)%20
		case c >= 'A' && c <= 'F':
			b[i] = 'A' + (c-'A'+3)%6
		case c >= 'G' && c <= 'Z':
			b[i] = 'G' + (c-'G'+10)%20
		default:
			continue
		}
		left--
	}
	return string(b)
}
