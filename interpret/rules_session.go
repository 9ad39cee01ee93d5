package interpret

import (
	"html"
	"net/url"
	"slices"
	"strings"
)

// The session id that we sent is not known. A legacy server, a request other than initialize.
var sessionRules = []row{
	{Rule{ID: "session_404", Ref: specLegacy + "basic/transports#session-management", Statuses: []int{404}, Says: "404 in a session, without a result or an error of ours that has a meaning", Kind: SessionLost, Basis: BasisDefined, Remedy: Reinitialize},
		func(r *reading) bool { return r.inSession() && !r.bodyWins() }},
	{Rule{ID: "session_400", Ref: specLegacy + "basic/transports#session-management", Statuses: []int{400}, Says: "400 in a session, with an error that answers no id of ours and is no -32700, -32600, -32602", Kind: SessionLost, Basis: BasisShape, Remedy: Reinitialize},
		func(r *reading) bool {
			return r.inSession() && r.fault() && r.rel == orphan && !r.bodyWins() && !r.coded(-32700, -32600, -32602)
		}},
	{Rule{ID: "session_words", Ref: taxonomy, Statuses: []int{400}, Says: "400 in a session, whose body has no answer with a meaning and speaks of the session", Kind: SessionLost, Basis: BasisShape, Remedy: Reinitialize},
		func(r *reading) bool { return r.inSession() && !r.bodyWins() && r.unread == "" && r.speaksOfSession() }},
	{Rule{ID: "sessionless_404", Ref: taxonomy, Statuses: []int{404}, Says: "404 without a session, whose plain body speaks of one: we left the id out", Kind: InvalidRequest, Basis: BasisText},
		func(r *reading) bool { return !r.req.Session && r.messages == 0 && !r.html && r.says(saysSession) }},
}

// speaksOfSession: the server's words do, and ours do not. These are the only words that lead to a resend, and servers write what they echo in more
// ways than can be cut, so a request that speaks of sessions itself is no case for them.
func (r *reading) speaksOfSession() bool {
	if !r.says(saysSession) {
		return false
	}
	return !slices.ContainsFunc(sentStrings(r.req), func(s string) bool {
		if s == r.req.Target && r.onList() {
			return false // the server's own name for it
		}
		decoded, _ := url.QueryUnescape(s)
		for _, form := range []string{s, decoded, html.UnescapeString(s), string(text([]byte(`"` + s + `"`)))} {
			if strings.Contains(strings.ToLower(form), "session") {
				return true
			}
		}
		return false
	})
}

// inSession: a session id went with a request that needs one.
func (r *reading) inSession() bool {
	return r.req.Session && r.req.Era != EraModern && r.req.Method != "initialize" && !r.noRequest()
}
