package interpret

// A server whose era is not known refuses the way of 2026-07-28: it wants the handshake.
// The kind stands on the specification's own words for the probe, so its basis is defined; a gateway's page is never a verdict.
var eraRules = []row{
	{Rule{ID: "probe_refused", Ref: specModern + "basic/transports/streamable-http#backward-compatibility", Says: "server/discover drew a JSON-RPC error that is no modern one", Kind: LegacyServer, Basis: BasisDefined, Remedy: Initialize},
		func(r *reading) bool { // 406, 408 and 413 say what else was wrong
			return r.probe() && r.fault() && (r.bodyWins() || r.is4xx() && !r.statusWins() && !r.is(406, 408, 413)) && !r.modernError()
		}},
	{Rule{ID: "modern_refused", Ref: specModern + "basic/transports/streamable-http#backward-compatibility", Statuses: []int{400, 404, 405, 410, 422}, Says: "the probe or the first modern request drew 400, 404, 405, 410 or 422 without a better reading", Kind: LegacyServer, Basis: BasisDefined, Remedy: Initialize},
		func(r *reading) bool {
			return r.modernRequest() && r.verb() == "POST" && !r.bodyWins() && !r.modernError() && !r.versions().found && !r.marked()
		}},
	{Rule{ID: "probe_unsupported", Ref: recorded, Statuses: []int{415, 500, 501}, Says: "the probe drew 415, 500 or 501 without a gateway's marks: some servers answer every unknown method so", Kind: LegacyServer, Basis: BasisDefined, Remedy: Initialize},
		func(r *reading) bool { return r.probe() && !r.marked() && !r.modernError() }},
}

// modernError: an error that only a server of 2026-07-28 sends.
func (r *reading) modernError() bool {
	return r.m != nil && r.m.faulty() && r.coded(-32020, -32021, -32022)
}
