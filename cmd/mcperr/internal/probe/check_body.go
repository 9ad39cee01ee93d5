package probe

import (
	"context"
	"strconv"

	"github.com/mcperr/mcperr/interpret"
)

var brokenJSON = Check{
	ID: "broken_json", Asks: "broken JSON", sends: 2,
	wants: []want{{says: "-32700 with id null or none; no page, no silence, no dropped connection", ref: jsonRPCErrors}},
	ask: func(ctx context.Context, a *asking) {
		q := a.broken([]byte(`{"jsonrpc":"2.0","id":1,"method":`))
		a.send(ctx, q)
		if !a.readable() {
			return
		}
		a.failsWith(-32700)
		a.must(a.last.anonymous(), "its id is %s, though none can be known", quoted(string(a.last.m.ID)))
		a.refusedByStatus()
	},
}

var noRequest = Check{
	ID: "no_request", Asks: "JSON that is no request", sends: 2,
	wants: []want{{says: "-32600", ref: jsonRPCErrors}},
	ask: func(ctx context.Context, a *asking) {
		a.ids++
		id := strconv.Itoa(a.ids)
		q := a.broken([]byte(`{"jsonrpc":"2.0","id":` + id + `,"method":1,"params":"bar"}`)) // as in the specification of JSON-RPC, section 7
		a.send(ctx, q)
		if !a.readable() {
			return
		}
		a.failsWith(-32600)
		a.must(a.last.anonymous() || string(a.last.m.ID) == id, "its id is %s, neither that of what was sent nor null", quoted(string(a.last.m.ID)))
		a.refusedByStatus()
	},
}

// broken returns a message of these bytes, with the headers of the version in force. On standard input a sound request follows,
// whose answer tells that none will come for the bytes.
func (a *asking) broken(body []byte) *question {
	sound := a.request(a.harmless(), nil)
	q := a.raw(body)
	q.after = sound
	if a.server.modern() {
		q.header.Set(headerVersion, interpret.Version20260728)
		q.header.Set(headerMethod, a.harmless())
	} else {
		a.inSession(q.header)
	}
	return q
}

// harmless is a request that every server of the era answers.
func (p *Probe) harmless() string {
	if p.server.modern() {
		return "server/discover"
	}
	return "ping"
}

// refusedByStatus notes a refusal that no HTTP intermediary can tell from a success, or takes for the server's own fault.
func (a *asking) refusedByStatus() {
	if s := a.last.x.Status; a.server.http() && a.last.m.Error != nil {
		a.must(s < 500, "its HTTP status is %d: the fault was not the server's", s)
		a.should(s >= 400 || s == 0, "its HTTP status is %d, not 400", s)
	}
}
