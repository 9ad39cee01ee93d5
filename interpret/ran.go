package interpret

import "net/http"

// ranRow is one row of the proof: what it says of the run, and the leave that follows.
// It stands above the kind: the first row that matches.
type ranRow struct {
	row
	ran   Ran
	leave Leave
}

// notTaken are the statuses that prove that a request was not taken, where no body wins over them.
var notTaken = []int{401, 402, 403, 404, 405, 406, 407, 410, 411, 413, 414, 415, 421, 429, 431, 451}

var ranRules = []ranRow{
	{row{Rule{ID: "ran_cancelled_unsent", Ref: recorded, Says: "cancelled before the write; terminal for every layer"},
		func(r *reading) bool { return r.out.Kind == Cancelled && r.notSent() }}, RanNo, LeaveNever},
	{row{Rule{ID: "ran_unreadable", Ref: jsonrpc + "response_object", Says: "a result answered what was no request: it is never sent again"},
		func(r *reading) bool {
			return r.noRequest() && (r.out.Kind == OK || r.out.Kind == ToolError) && r.bodyWins() && r.m.good()
		}}, RanYes, LeaveNever},
	{row{Rule{ID: "ran_no_request", Ref: recorded, Says: "what we sent was no request at all: it is never sent again"},
		(*reading).noRequest}, RanNo, LeaveNever},
	{row{Rule{ID: "ran_unsent", Ref: rfc9110 + "9.2.2", Says: "it was never written"},
		(*reading).notSent}, RanNo, LeaveAlways},
	{row{Rule{ID: "ran_get", Ref: rfc9110 + "9.2.1", Says: "a GET runs nothing"},
		func(r *reading) bool { return r.verb() == http.MethodGet && r.out.Kind != Cancelled }}, RanNo, LeaveAlways},
	{row{Rule{ID: "ran_get_cancelled", Ref: recorded, Says: "a GET that the caller cancelled"},
		func(r *reading) bool { return r.verb() == http.MethodGet }}, RanNo, LeaveNever},
	{row{Rule{ID: "ran_cancelled", Ref: recorded, Says: "cancelled after the write"},
		func(r *reading) bool { return r.out.Kind == Cancelled }}, RanUnknown, LeaveNever},
	{row{Rule{ID: "ran_version", Ref: specModern + "schema#discoverresult", Says: "a result in a version that is not ours: it ran, and a resend in another version is what it asks for"},
		func(r *reading) bool {
			return r.out.Kind == UnsupportedVersion && r.out.Remedy != "" && r.m != nil && r.m.good()
		}}, RanYes, LeaveRemedy},
	{row{Rule{ID: "ran_result", Ref: jsonrpc + "response_object", Says: "a result answered"},
		func(r *reading) bool {
			return (r.out.Kind == OK || r.out.Kind == ToolError || r.out.Kind == UnsupportedVersion) && r.bodyWins() && r.m.good()
		}}, RanYes, LeaveNever},
	{row{Rule{ID: "ran_accepted", Ref: recorded, Says: "accepted: nothing is left to send"},
		func(r *reading) bool { return r.out.Kind == OK || r.out.Kind == Task }}, RanUnknown, LeaveNever},
	{row{Rule{ID: "ran_asks", Ref: specModern + "schema#inputrequiredresult", Says: "it asks for its state or for input back: the protocol wants the resend"},
		func(r *reading) bool { return r.out.Kind == InputRequired }}, RanUnknown, LeaveRemedy},
	{row{Rule{ID: "ran_resume", Ref: specLegacy + "basic/transports#resumability-and-redelivery", Says: "the stream can be resumed: nothing is sent again"},
		func(r *reading) bool { return r.out.Remedy == Resume }}, RanUnknown, LeaveRemedy},
	{row{Rule{ID: "ran_state_again", Ref: recorded, Says: "a requestState that had been sent before: the call may have run then"},
		func(r *reading) bool { return r.out.Kind == InputExpired && r.req.State == StateAgain }}, RanUnknown, LeaveNever},
	{row{Rule{ID: "ran_tool_asked", Ref: recorded, Says: "a tool was running when it asked for a capability"},
		func(r *reading) bool { return r.out.Kind == MissingCapability && r.out.Basis == BasisText }}, RanUnknown, LeaveRepeatable},
	{row{Rule{ID: "ran_headers_right", Ref: recorded, Says: "-32020 where nothing was left to rebuild proves nothing"},
		func(r *reading) bool { return r.out.Kind == HeaderMismatch && r.out.Remedy == "" }}, RanUnknown, LeaveRepeatable},
	{row{Rule{ID: "ran_output", Ref: recorded, Codes: []int64{-32602}, Says: "-32602 whose message speaks of output: whatever else it means, something ran"},
		func(r *reading) bool { return r.readable() && r.says(saysOutput) }}, RanUnknown, LeaveRepeatable},
	{row{Rule{ID: "ran_status", Ref: rfc9110 + "15.5", Statuses: notTaken, Says: "a status that takes no request, and no body that wins over it"},
		func(r *reading) bool { return !r.bodyWins() && !r.readByWords() && !r.cut() }}, RanNo, LeaveAlways},
	{row{Rule{ID: "ran_redirect", Ref: rfc9110 + "15.4", Says: "a redirect"},
		func(r *reading) bool { return r.isHTTP() && r.x.Status >= 300 && r.x.Status < 400 }}, RanNo, LeaveAlways},
	{row{Rule{ID: "ran_era_or_session", Ref: recorded, Statuses: []int{400}, Says: "400 that is no answer to our id, and the era or the session was refused"},
		func(r *reading) bool {
			return (r.out.Kind == LegacyServer || r.out.Kind == SessionLost) && r.rel != own
		}}, RanNo, LeaveAlways},
	{row{Rule{ID: "ran_target_left_out", Ref: recorded, Says: "it named nothing that could run"},
		func(r *reading) bool {
			return r.readable() && r.out.Kind == InvalidRequest && r.coded(-32601, -32602, -32603, -32002, 0) && r.targetLeftOut()
		}}, RanNo, LeaveRemedy},
	{row{Rule{ID: "ran_before_dispatch", Ref: jsonrpc + "error_object", Codes: []int64{-32020, -32022, -32042}, Says: "an error that is fixed before dispatch"},
		(*reading).tells}, RanNo, LeaveAlways},
	{row{Rule{ID: "ran_older_version_error", Ref: specLegacy + "basic/lifecycle#error-handling", Codes: []int64{-32602, -32004}, Says: "an older form of a refused version"},
		func(r *reading) bool { return r.out.Kind == UnsupportedVersion }}, RanNo, LeaveRemedy},
	{row{Rule{ID: "ran_resource", Ref: specLegacy + "server/resources#error-handling", Codes: []int64{-32002}, Says: "-32002 on resources/read"},
		func(r *reading) bool { return r.tells() && r.method("resources/read") }}, RanNo, LeaveAlways},
	{row{Rule{ID: "ran_told", Ref: jsonrpc + "error_object", Codes: []int64{-32700, -32600, -32601, -32602}, Says: "a code that says so; but some servers pass on whatever code a tool raised, so it is no leave to send the same again"},
		(*reading).tells}, RanNo, LeaveRemedy},
}

// ranUnknown is what is left.
var ranUnknown = ranRow{row{Rule: Rule{ID: "ran_unknown", Ref: recorded, Says: "nothing proves that it did not run"}}, RanUnknown, LeaveRepeatable}

// tells: the error's code says whether the request ran. It does where the reply was read by it, and not where an answer may have come after it.
func (r *reading) tells() bool {
	return r.readable() && !r.cut() && (r.bodyWins() || r.out.Kind != LegacyServer && r.out.Kind != SessionLost && r.out.Kind != Timeout)
}

// readByWords: under 4xx, an error of ours on a model call whose code has no meaning was read as under 2xx.
func (r *reading) readByWords() bool {
	switch r.out.Kind {
	case SessionLost, LegacyServer, Timeout:
		return false
	}
	return r.is4xx() && r.rel == own && r.fault() && r.readable() && !r.is(413, 414, 431)
}

// proof finds the row of the proof.
func (r *reading) proof() *ranRow {
	for i := range ranRules {
		if w := &ranRules[i]; w.matches(r) {
			return w
		}
	}
	return &ranUnknown
}
