package interpret

import (
	"net/http"
	"slices"
)

// Statuses that stand above any body.
var statusRules = []row{
	{Rule{ID: "session_words_401", Ref: recorded, Statuses: []int{401}, Says: "a 401 without a challenge, in a session, whose body speaks of the session", Kind: SessionLost, Basis: BasisShape, Remedy: Reinitialize},
		func(r *reading) bool {
			return r.inSession() && len(r.challenges()) == 0 && !(r.rel == own && r.meaningful()) && r.speaksOfSession()
		}},
	{Rule{ID: "unauthorized", Ref: specModern + "basic/authorization", Statuses: []int{401}, Says: "401; the challenge is Bearer, or there is none", Kind: Unauthorized, Basis: BasisDefined, Remedy: Authorize},
		func(r *reading) bool {
			list := r.challenges()
			return len(list) == 0 || slices.ContainsFunc(list, challenge.bearer)
		}},
	{Rule{ID: "unauthorized_other", Ref: rfc9110 + "15.5.2", Statuses: []int{401}, Says: "401 with challenges of other schemes only", Kind: Unauthorized, Basis: BasisDefined}, nil},
	{Rule{ID: "payment", Ref: rfc9110 + "15.5.3", Statuses: []int{402}, Says: "402", Kind: PaymentRequired, Basis: BasisShape}, nil},
	{Rule{ID: "scope", Ref: specModern + "basic/authorization#runtime-insufficient-scope-errors", Statuses: []int{403}, Says: `403 with error="insufficient_scope"`, Kind: InsufficientScope, Basis: BasisDefined, Remedy: Authorize},
		func(r *reading) bool {
			return slices.ContainsFunc(r.challenges(), insufficient)
		}},
	{Rule{ID: "scope_named", Ref: "https://www.rfc-editor.org/rfc/rfc6750#section-3", Statuses: []int{403}, Says: "403 with a Bearer challenge that names a scope", Kind: InsufficientScope, Basis: BasisShape, Remedy: Authorize},
		func(r *reading) bool {
			return slices.ContainsFunc(r.challenges(), func(c challenge) bool { return c.bearer() && c.get("scope") != "" })
		}},
	{Rule{ID: "forbidden", Ref: rfc9110 + "15.5.4", Statuses: []int{403, 407, 451}, Says: "any other 403; 407, 451", Kind: Forbidden, Basis: BasisShape}, nil},
	{Rule{ID: "too_many_requests", Ref: rfc6585 + "4", Statuses: []int{429}, Says: "429", Kind: RateLimited, Basis: BasisShape}, nil},
}

// What we sent was no request: it is never sent again, and what was wrong with it is ours.
var noRequestRules = []row{
	{Rule{ID: "unreadable_defined", Ref: jsonrpc + "error_object", Codes: []int64{-32700, -32600}, Says: "what we sent was no request, and the error says so", Kind: InvalidRequest, Basis: BasisDefined},
		(*reading).answeredBadly},
	{Rule{ID: "unreadable_error", Ref: jsonrpc + "error_object", Says: "what we sent was no request, and any other error came", Kind: InvalidRequest, Basis: BasisShape},
		(*reading).answeredBadly},
	{Rule{ID: "unreadable", Ref: recorded, Says: "what we sent was no request, and any other 4xx came", Kind: InvalidRequest, Basis: BasisShape},
		(*reading).is4xx},
}

// answeredBadly: an error message of any kind came.
func (r *reading) answeredBadly() bool { return r.m != nil && r.m.hasError && !r.m.good() }

// GET opens the listening stream, DELETE ends the session.
var verbRules = []row{
	{Rule{ID: "session_gone", Ref: specLegacy + "basic/transports#session-management", Statuses: []int{404}, Says: "DELETE drew 404: the session is gone", Kind: OK, Basis: BasisDefined},
		func(r *reading) bool { return r.verb() == http.MethodDelete }},
	{Rule{ID: "session_ended", Ref: specLegacy + "basic/transports#session-management", Says: "DELETE drew 2xx, or 400 that answers no id: the session is gone", Kind: OK, Basis: BasisShape},
		func(r *reading) bool {
			return r.verb() == http.MethodDelete && r.x.Failure == nil && (r.ok2xx() || r.is(400) && r.rel != own)
		}},
	{Rule{ID: "get_session_lost", Ref: specLegacy + "basic/transports#session-management", Statuses: []int{404}, Says: "GET drew 404 in a session", Kind: SessionLost, Basis: BasisDefined, Remedy: Reinitialize},
		func(r *reading) bool { return r.verb() == http.MethodGet && r.inSession() }},
	{Rule{ID: "stream_open", Ref: specLegacy + "basic/transports#listening-for-messages-from-the-server", Says: "GET drew an event stream", Kind: OK, Basis: BasisDefined},
		func(r *reading) bool {
			return r.verb() == http.MethodGet && r.ok2xx() && r.stream && r.x.Failure == nil
		}},
	{Rule{ID: "verb_405", Ref: specLegacy + "basic/transports#listening-for-messages-from-the-server", Statuses: []int{405}, Says: "405 to GET or DELETE: the feature is absent", Kind: MethodNotFound, Basis: BasisDefined}, nil},
	{Rule{ID: "get_refused", Ref: recorded, Says: "any other 4xx to a GET", Kind: MethodNotFound, Basis: BasisShape},
		func(r *reading) bool { return r.verb() == http.MethodGet && r.is4xx() }},
}

// accepted: a notification was written or answered with 2xx, and no error came.
func (r *reading) accepted() bool {
	return r.req.IsNotification() && r.ok2xx() && r.x.Failure == nil && !(r.m != nil && r.m.faulty())
}

var notificationRules = []row{
	{Rule{ID: "accepted", Ref: specLegacy + "basic/transports#sending-messages-to-the-server", Statuses: []int{202}, Says: "202 to a notification", Kind: OK, Basis: BasisDefined}, nil},
	{Rule{ID: "accepted_otherwise", Ref: jsonrpc + "notification", Says: "any other 2xx to a notification, whatever the body; or it was written to a pipe, where nothing is to come", Kind: OK, Basis: BasisShape}, nil},
}

// Statuses that say something about the size or the time of the request, where no body says more.
var bodylessRules = []row{
	{Rule{ID: "request_timeout", Ref: rfc9110 + "15.5.9", Statuses: []int{408}, Says: "408", Kind: Timeout, Basis: BasisShape}, nil},
	{Rule{ID: "arguments_too_large", Ref: rfc9110 + "15.5.14", Statuses: []int{413, 414, 431}, Says: "413, 414, 431 to a model call: its arguments are too large", Kind: InvalidArguments, Basis: BasisShape},
		func(r *reading) bool { return r.req.ModelCall() }},
}

// What is left, by its status.
var fallbackRules = []row{
	{Rule{ID: "redirect", Ref: rfc9110 + "15.4", Says: "3xx that the wire did not follow", Kind: NotMCP, Basis: BasisShape},
		func(r *reading) bool { return r.isHTTP() && r.x.Status >= 300 && r.x.Status < 400 }},
	{Rule{ID: "own_error", Ref: jsonrpc + "error_object", Says: "an error under our id whose code has no meaning, or none at all", Kind: UnknownError, Basis: BasisShape},
		func(r *reading) bool { return r.readable() }},
	{Rule{ID: "overloaded", Ref: recorded, Statuses: []int{503}, Says: "503 with the headers of a rate limiter", Kind: RateLimited, Basis: BasisShape},
		func(r *reading) bool { return limited(r.x.Header) }},
	{Rule{ID: "unavailable", Ref: rfc9110 + "15.6.4", Statuses: []int{502, 503, 520, 521, 523, 530}, Says: "a gateway without a server, or a server that asks for patience", Kind: Unavailable, Basis: BasisShape}, nil},
	{Rule{ID: "gateway_timeout", Ref: rfc9110 + "15.6.5", Statuses: []int{504, 522, 524}, Says: "a gateway that waited in vain", Kind: Timeout, Basis: BasisShape}, nil},
	{Rule{ID: "server_failed", Ref: rfc9110 + "15.6", Says: "any other 5xx", Kind: ServerError, Basis: BasisShape},
		(*reading).is5xx},
	{Rule{ID: "no_endpoint", Ref: recorded, Statuses: []int{404, 405, 410}, Says: "404, 405, 410 to a POST, without a session and without JSON-RPC", Kind: NotMCP, Basis: BasisShape},
		func(r *reading) bool { return r.messages == 0 && r.verb() == http.MethodPost && !r.req.Session }},
	{Rule{ID: "refused", Ref: rfc9110 + "15.5", Says: "any other 4xx without a better reading", Kind: InvalidRequest, Basis: BasisShape},
		(*reading).is4xx},
	{Rule{ID: "page", Ref: recorded, Says: "HTML with 2xx", Kind: NotMCP, Basis: BasisShape},
		func(r *reading) bool { return r.ok2xx() && r.html }},
	{Rule{ID: "no_answer", Ref: jsonrpc + "response_object", Says: "nothing that came is an answer", Kind: MalformedReply, Basis: BasisShape}, nil},
}
