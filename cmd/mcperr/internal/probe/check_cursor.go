package probe

import (
	"context"

	"github.com/mcperr/mcperr/interpret"
)

var badCursor = Check{
	ID: "bad_cursor", Asks: "a page by a cursor that nobody gave", sends: 1,
	wants: []want{
		{since: interpret.Version20260728, says: "-32602", ref: "schema#invalidparamserror"},
		{says: "-32602", ref: "server/utilities/pagination#error-handling"},
	},
	unfit: func(p *Probe) string {
		if p.listMethod() == "" {
			return "the server declares no lists"
		}
		return ""
	},
	ask: func(ctx context.Context, a *asking) {
		a.send(ctx, a.request(a.listMethod(), params{"cursor": noCursor}))
		if !a.readable() {
			return
		}
		if a.last.m.Error == nil {
			a.should(false, "it passes over the cursor and begins the list anew: a client gets entries twice")
			return
		}
		a.readAs(interpret.InvalidCursor)
		if len(a.demands) == 0 {
			a.should(a.coded(-32602), "its code is %s, not -32602", a.code())
		}
	},
}

// listMethod is a list that the server has, "" if it has none.
func (p *Probe) listMethod() string {
	for _, feature := range []string{"tools", "prompts", "resources"} {
		if p.server.capabilities[feature] {
			return feature + "/list"
		}
	}
	return ""
}
