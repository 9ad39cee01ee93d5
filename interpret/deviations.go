package interpret

import (
	"net/http"
	"slices"
	"strings"
)

// Deviations. The corpus describes each slug; the predicates stand beside them here.
const (
	ArgumentsAsProtocolError    Deviation = "arguments_as_protocol_error"
	BothResultAndError          Deviation = "both_result_and_error"
	CaseFoldedMember            Deviation = "case_folded_member"
	CodeNotInteger              Deviation = "code_not_integer"
	DuplicateMember             Deviation = "duplicate_member"
	EmptyContents               Deviation = "empty_contents"
	ErrorNotObject              Deviation = "error_not_object"
	ErrorToNotification         Deviation = "error_to_notification"
	IDMismatch                  Deviation = "id_mismatch"
	IDMissing                   Deviation = "id_missing"
	MissingJSONRPC              Deviation = "missing_jsonrpc"
	MissingRequiredCapabilities Deviation = "missing_required_capabilities"
	MissingResultType           Deviation = "missing_result_type"
	MissingSupported            Deviation = "missing_supported"
	NoJSONRPCBody               Deviation = "no_jsonrpc_body"
	ResultNotObject             Deviation = "result_not_object"
	RetiredCode                 Deviation = "retired_code"
	StdoutNoise                 Deviation = "stdout_noise"
	TrailingData                Deviation = "trailing_data"
	UndeclaredInputRequest      Deviation = "undeclared_input_request"
	UndefinedReservedCode       Deviation = "undefined_reserved_code"
	UnknownResultType           Deviation = "unknown_result_type"
	UnknownToolAsResult         Deviation = "unknown_tool_as_result"
	WrongContentType            Deviation = "wrong_content_type"
	WrongStatus                 Deviation = "wrong_status"
)

// deviationRules is in the order of the slugs, so that what is found is sorted.
var deviationRules = []struct {
	slug Deviation
	when func(*reading) bool
}{
	{ArgumentsAsProtocolError, func(r *reading) bool {
		return r.out.Kind == InvalidArguments && r.coded(-32602) && (r.bodyWins() || r.readable() && !r.is(413, 414, 431)) && r.method("tools/call") &&
			r.req.Arguments != ArgumentsOther && r.req.Version >= Version20251125
	}},
	{BothResultAndError, func(r *reading) bool { return r.m != nil && r.m.hasResult && r.m.hasError }},
	{CaseFoldedMember, func(r *reading) bool { return r.m != nil && r.m.folded }},
	{CodeNotInteger, func(r *reading) bool { return r.m != nil && r.m.faulty() && r.m.rpc.isObject && !r.m.rpc.hasCode }},
	{DuplicateMember, func(r *reading) bool { return r.unread == DuplicateMember }},
	{EmptyContents, func(r *reading) bool {
		return r.out.Kind == OK && r.method("resources/read") && r.m != nil && emptyArray(r.m.res.contents)
	}},
	{ErrorNotObject, func(r *reading) bool { return r.m != nil && r.m.hasError && !r.m.hasResult && !r.m.rpc.isObject }},
	{ErrorToNotification, func(r *reading) bool {
		return r.req.IsNotification() && r.m != nil && r.m.hasError && !(r.is4xx() && (r.m.id == nil || isNull(r.m.id)))
	}},
	{IDMismatch, func(r *reading) bool { return r.m != nil && r.rel == other && r.req.ID != "" && !r.noRequest() }},
	{IDMissing, func(r *reading) bool {
		return r.m != nil && r.rel == orphan && r.req.ID != "" && !r.noRequest() && !r.is(403)
	}},
	{MissingJSONRPC, func(r *reading) bool { return r.m != nil && !r.m.jsonrpc }},
	{MissingRequiredCapabilities, func(r *reading) bool {
		return r.m != nil && r.m.faulty() && r.coded(-32021) && member(r.data(), "requiredCapabilities") == nil
	}},
	{MissingResultType, func(r *reading) bool {
		return r.m != nil && r.m.good() && r.m.res.isObject && r.m.res.resultType == nil && modern(r.req.Version)
	}},
	{MissingSupported, func(r *reading) bool {
		return r.m != nil && r.m.faulty() && r.coded(-32022) && !r.versions().named
	}},
	{NoJSONRPCBody, func(r *reading) bool {
		if !r.isHTTP() || r.x.Failure != nil || r.x.Truncated || r.messages > 0 || r.unread != "" || r.deep || r.verb() != http.MethodPost ||
			r.req.ID == "" || r.req.Method == "" {
			return false
		}
		return r.ok2xx() || r.is(400, 404) && r.modernRequest()
	}},
	{ResultNotObject, func(r *reading) bool { return r.m != nil && r.m.good() && !r.m.res.isObject }},
	{RetiredCode, func(r *reading) bool {
		return r.m != nil && r.m.faulty() && modern(r.req.Version) && r.coded(-32042, -32002)
	}},
	{StdoutNoise, func(r *reading) bool { return r.noise > 0 }},
	{TrailingData, func(r *reading) bool { return r.unread == TrailingData }},
	{UndeclaredInputRequest, func(r *reading) bool {
		return len(r.asked) > 0 || r.m != nil && r.m.good() && r.asks() && len(r.undeclaredInput()) > 0 ||
			r.m != nil && r.m.faulty() && r.coded(-32042) && !r.declared("elicitation.url")
	}},
	{UndefinedReservedCode, (*reading).undefinedReserved},
	{UnknownResultType, func(r *reading) bool {
		return r.m != nil && r.m.good() && !r.completes() && !slices.Contains([]string{"task", "input_required"}, r.m.res.kind())
	}},
	{UnknownToolAsResult, func(r *reading) bool { return r.out.Kind == ToolError && r.method("tools/call") && r.offList() }},
	{WrongContentType, func(r *reading) bool {
		return r.isHTTP() && !r.stream && r.x.Status != 0 && r.messages > 0 && !isJSON(r.media)
	}},
	{WrongStatus, (*reading).wrongStatus},
}

// isJSON: application/json, or a type with the +json suffix (RFC 6839).
func isJSON(media string) bool {
	return media == "application/json" || strings.HasSuffix(media, "+json")
}

// undefinedReserved: a code of -32020 to -32099, the range that the specification keeps for itself, which no version defines.
func (r *reading) undefinedReserved() bool {
	c, ok := r.code()
	if !ok || !r.m.faulty() || c > -32020 || c < -32099 || c >= -32022 {
		return false
	}
	return !(c == -32042 && (r.req.Version == Version20251125 || modern(r.req.Version)))
}

// wrongStatus: the status of 2026-07-28 for an error under our id is another one.
func (r *reading) wrongStatus() bool {
	if !r.isHTTP() || r.x.Status == 0 || !modern(r.req.Version) || r.req.ID == "" || r.m == nil || !r.m.faulty() {
		return false
	}
	switch {
	case r.coded(-32601):
		return !r.is(404)
	case r.coded(-32020, -32021, -32022), r.coded(-32602) && r.metaLeftOut():
		return !r.is(400)
	}
	return false
}

func (r *reading) deviations() (list []Deviation) {
	for i := range deviationRules {
		if d := &deviationRules[i]; d.when(r) {
			list = append(list, d.slug)
		}
	}
	return list
}
