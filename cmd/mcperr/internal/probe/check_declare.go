package probe

import (
	"context"

	"github.com/mcperr/mcperr/interpret"
)

var methodHeader = Check{
	ID: "method_header", Asks: "a method header that contradicts the body", over: overHTTP, era: interpret.EraModern, sends: 1,
	wants: []want{{says: "-32020 with HTTP 400", ref: "schema#headermismatcherror"}},
	ask: func(ctx context.Context, a *asking) {
		q := a.request("server/discover", nil)
		q.header.Set(headerMethod, "tools/list")
		a.send(ctx, q)
		a.contradicted()
	},
}

var versionHeader = Check{
	ID: "version_header", Asks: "a version header that contradicts the body", over: overHTTP, era: interpret.EraModern, early: true, sends: 1,
	wants: []want{{says: "-32020 with HTTP 400", ref: "schema#headermismatcherror"}},
	ask: func(ctx context.Context, a *asking) {
		q := a.request("server/discover", nil)
		q.header.Set(headerVersion, interpret.Version20251125)
		a.send(ctx, q)
		a.contradicted()
	},
}

func (a *asking) contradicted() {
	if a.readable() && a.failsWith(-32020) {
		a.status(400)
	}
}

var missingMeta = Check{
	ID: "missing_meta", Asks: "a request without its _meta", era: interpret.EraModern, sends: 1,
	wants: []want{
		{over: overHTTP, says: "-32602 with HTTP 400", ref: "basic#meta"},
		{says: "-32602", ref: "basic#meta"},
	},
	unfit: func(p *Probe) string {
		if !p.server.http() && p.server.old {
			return "over standard input, a request without _meta is one of the older protocol, which the server speaks too"
		}
		return ""
	},
	ask: func(ctx context.Context, a *asking) {
		q := a.compose("server/discover", nil)
		q.header.Set(headerVersion, interpret.Version20260728)
		q.header.Set(headerMethod, "server/discover")
		a.send(ctx, q)
		if a.readable() && a.failsWith(-32602) {
			a.status(400)
		}
	},
}
