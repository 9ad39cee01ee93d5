package interpret

// A refused protocol version, where an error says so. The same in a result stands in rules_result.go.
var versionRules = []row{
	{Rule{ID: "version_refused", Ref: specModern + "schema#unsupportedprotocolversionerror", Codes: []int64{-32022}, Says: "-32022 with a list that holds a version we speak", Kind: UnsupportedVersion, Basis: BasisDefined, Remedy: Renegotiate},
		func(r *reading) bool { l := r.versions(); return r.refusesVersion() && l.common() }},
	{Rule{ID: "version_refused_for_good", Ref: specModern + "schema#unsupportedprotocolversionerror", Codes: []int64{-32022}, Says: "-32022 with nothing in common, or without a usable list", Kind: UnsupportedVersion, Basis: BasisDefined},
		(*reading).refusesVersion},
	{Rule{ID: "version_list", Ref: specLegacy + "basic/lifecycle#error-handling", Codes: []int64{-32602, -32004}, Says: "-32602, or the draft's -32004, with a list of versions that holds one we speak", Kind: UnsupportedVersion, Basis: BasisShape, Remedy: Renegotiate},
		func(r *reading) bool { l := r.versions(); return r.listsVersions() && l.common() }},
	{Rule{ID: "version_list_for_good", Ref: specLegacy + "basic/lifecycle#error-handling", Codes: []int64{-32602, -32004}, Says: "-32602 or -32004 with a list of versions and nothing in common", Kind: UnsupportedVersion, Basis: BasisShape},
		(*reading).listsVersions},
	{Rule{ID: "no_handshake", Ref: specModern + "basic/transports/streamable-http#backward-compatibility", Codes: []int64{-32601}, Says: "initialize drew -32601: the server has no handshake", Kind: UnsupportedVersion, Basis: BasisShape, Remedy: Renegotiate},
		func(r *reading) bool { return r.readable() && r.noHandshake() && !r.says(saysHandshake) }},
	{Rule{ID: "no_handshake_meta", Ref: specModern + "basic#meta", Codes: []int64{-32602}, Says: "initialize drew -32602 that names an io.modelcontextprotocol/ member", Kind: UnsupportedVersion, Basis: BasisText, Remedy: Renegotiate},
		func(r *reading) bool { return r.readable() && r.noHandshake() && r.says(saysMeta) }},
}

// versions reads the version list of the error; at the handshake and the probe also under the names that other servers give it.
func (r *reading) versions() *versionList {
	if !r.listed {
		r.list, r.listed = versionsIn(r.data(), r.method("initialize", "server/discover")), true
	}
	return &r.list
}

// refusesVersion: the error is read, and neither a session that is gone nor 408 says more.
func (r *reading) refusesVersion() bool {
	return r.readable() && !r.sessionGone() && (r.bodyWins() || !r.is(408))
}

// listsVersions: the error has a list of versions, and something beside it that shows that it is about ours.
func (r *reading) listsVersions() bool {
	l := r.versions()
	return r.refusesVersion() && l.found && !(r.coded(-32602) && r.targetLeftOut()) &&
		(l.common() || l.requested != "" && l.requested == r.req.Version || r.method("initialize", "server/discover"))
}

// noHandshake: initialize, to a server that is not known to have one.
func (r *reading) noHandshake() bool { return r.method("initialize") && r.req.Era != EraLegacy }
