package interpret

// The session id that we sent is not known. A legacy server, a request other than initialize.
var sessionRules = []row{
	{Rule{ID: "session_404", Ref: specLegacy + "basic/transports#session-management", Statuses: []int{404}, Says: "404 in a session, without a result or an error of ours that has a meaning", Kind: SessionLost, Basis: BasisDefined, Remedy: Reinitialize},
		func(r *reading) bool { return r.inSession() && !r.bodyWins() }},
	{Rule{ID: "session_400", Ref: specLegacy + "basic/transports#session-management", Statuses: []int{400}, Says: "400 in a session, with an error that answers no id of ours and is no -32700, -32600, -32602", Kind: SessionLost, Basis: BasisShape, Remedy: Reinitialize},
		func(r *reading) bool {
			return r.inSession() && r.fault() && r.rel == orphan && !r.bodyWins() && !r.coded(-32700, -32600, -32602)
		}},
	{Rule{ID: "session_words", Ref: taxonomy, Statuses: []int{400}, Says: "400 in a session, whose body has no answer with a meaning and speaks of the session", Kind: SessionLost, Basis: BasisShape, Remedy: Reinitialize},
		func(r *reading) bool { return r.inSession() && !r.bodyWins() && r.unread == "" && r.says(saysSession) }},
	{Rule{ID: "sessionless_404", Ref: taxonomy, Statuses: []int{404}, Says: "404 without a session, whose plain body speaks of one: we left the id out", Kind: InvalidRequest, Basis: BasisText},
		func(r *reading) bool { return !r.req.Session && r.messages == 0 && !r.html && r.says(saysSession) }},
}

// inSession: a session id went with a request that needs one.
func (r *reading) inSession() bool {
	return r.req.Session && r.req.Era != EraModern && r.req.Method != "initialize" && !r.noRequest()
}
