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
		(*reading).sessionGone},
	{Rule{ID: "session_400", Ref: specLegacy + "basic/transports#session-management", Statuses: []int{400}, Says: "400 in a session, with an error that answers no id of ours and is no -32700, -32600, -32602", Kind: SessionLost, Basis: BasisShape, Remedy: Reinitialize},
		func(r *reading) bool {
			return r.inSession() && r.fault() && r.rel == orphan && !r.bodyWins() && !r.coded(-32700, -32600, -32602)
		}},
	{Rule{ID: "session_words", Ref: recorded, Statuses: []int{400}, Says: "400 in a session, whose body has no answer with a meaning and speaks of the session", Kind: SessionLost, Basis: BasisShape, Remedy: Reinitialize},
		func(r *reading) bool { return r.inSession() && !r.bodyWins() && r.unread == "" && r.speaksOfSession() }},
	{Rule{ID: "sessionless_404", Ref: recorded, Statuses: []int{404}, Says: "404 without a session, whose plain body speaks of one: we left the id out", Kind: InvalidRequest, Basis: BasisText},
		func(r *reading) bool { return !r.req.Session && r.messages == 0 && !r.html && r.says(saysSession) }},
}

// sessionGone: 404 in a session, and no answer of ours that means something else. An error that answers no id of ours says nothing here.
func (r *reading) sessionGone() bool { return r.inSession() && r.is(404) && !r.bodyWins() }

// speaksOfSession: the server's words do, and not because ours did. These are the only words that lead to a resend, and servers write what they
// echo in more ways than can be cut: so what we sent is cut whatever its case, and where it says such a phrase itself, in whatever
// encoding, the words are no case for a resend.
func (r *reading) speaksOfSession() bool {
	if !r.says(saysSession) {
		return false
	}
	sent := sentStrings(r.req)
	if slices.ContainsFunc(sent, func(s string) bool {
		decoded, _ := url.QueryUnescape(s)
		return slices.ContainsFunc([]string{s, decoded, html.UnescapeString(s), string(text([]byte(`"` + s + `"`)))}, saysSession.in)
	}) {
		return false
	}
	for i, s := range sent {
		sent[i] = strings.ToLower(s)
	}
	words := strings.ToLower(r.words())
	return saysSession.in(echoesOf(sent, len(words)).cut(words))
}

// inSession: a session id went with a request that needs one.
func (r *reading) inSession() bool {
	return r.req.Session && r.req.Era != EraModern && r.req.Method != "initialize" && !r.noRequest()
}
