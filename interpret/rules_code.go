package interpret

import (
	"net/http"
	"slices"
	"strings"

	"github.com/mcperr/mcperr/internal/proto"
)

// meaning reports whether the error's code has a meaning of its own, so that it stands above the status.
// -32003 and -32004 are a draft's: only the data that names their meaning gives them one.
func (r *reading) meaning() bool {
	switch c := r.m.rpc.code; c {
	case -32700, -32600, -32601, -32602, -32603, -32020, -32021, -32022, -32042:
		return true
	case -32002:
		return r.method("resources/read")
	case -32003:
		return isObject(member(r.data(), "requiredCapabilities"))
	case -32004:
		l := r.versions()
		return l.found && (l.common() || l.requested != "" && l.requested == r.req.Version || r.method("initialize", "server/discover"))
	}
	return false
}

// What we had left out of the request, and a cursor that was refused.
var omittedRules = []row{
	{Rule{ID: "target_left_out", Ref: specModern + "basic#meta", Codes: []int64{-32601, -32602, -32603, -32002, 0}, Says: "params.name or params.uri was missing in what we sent", Kind: InvalidRequest, Basis: BasisShape},
		(*reading).targetLeftOut},
	{Rule{ID: "meta_left_out", Ref: specModern + "basic#meta", Codes: []int64{-32602}, Says: "_meta or a required member of it was missing in what we sent", Kind: InvalidRequest, Basis: BasisShape},
		(*reading).metaLeftOut},
	{Rule{ID: "cursor_refused", Ref: specLegacy + "server/utilities/pagination#error-handling", Says: "an error other than -32601, and none that is about versions, headers or capabilities, to a list request with a cursor", Kind: InvalidCursor, Basis: BasisShape, Remedy: RestartList},
		func(r *reading) bool {
			return r.fault() && r.req.Cursor && r.req.isList() && !r.coded(-32602, -32601, -32020, -32021, -32022)
		}},
}

// targetLeftOut: a model call that names nothing.
func (r *reading) targetLeftOut() bool { return r.req.ModelCall() && r.req.Target == "" }

// metaLeftOut: a request that must declare itself did so in part or not at all.
func (r *reading) metaLeftOut() bool {
	return r.req.Meta != PresentAll && !r.method("initialize") && modern(r.req.Version)
}

// Every other code, a block a code, words after structure.
var codeRules = []row{
	// -32020, header mismatch
	{Rule{ID: "headers_rebuilt_already", Ref: specModern + "schema#headermismatcherror", Codes: []int64{-32020}, Says: "-32020 on stdio, to a request of the handshake era, or where nothing is left to rebuild", Kind: HeaderMismatch, Basis: BasisDefined},
		func(r *reading) bool {
			return !r.isHTTP() || !modern(r.req.Version) || !r.req.ParamHeaders && r.headersAsRebuilt()
		}},
	{Rule{ID: "headers_from_schema", Ref: specModern + "schema#headermismatcherror", Codes: []int64{-32020}, Says: "-32020, and the tool has x-mcp-header parameters", Kind: HeaderMismatch, Basis: BasisDefined, Remedy: RefreshTools},
		func(r *reading) bool { return r.req.ParamHeaders }},
	{Rule{ID: "headers", Ref: specModern + "schema#headermismatcherror", Codes: []int64{-32020}, Says: "-32020", Kind: HeaderMismatch, Basis: BasisDefined, Remedy: RebuildHeaders}, nil},

	// -32021 and the draft's -32003, missing capability
	{Rule{ID: "capability_named", Ref: specModern + "basic#error-codes", Codes: []int64{-32021}, Says: "-32021 that says which capability", Kind: MissingCapability, Basis: BasisDefined, Remedy: DeclareCapability},
		func(r *reading) bool { return len(r.requiredCapabilities()) > 0 }},
	{Rule{ID: "capability", Ref: specModern + "basic#error-codes", Codes: []int64{-32021}, Says: "-32021", Kind: MissingCapability, Basis: BasisDefined}, nil},
	{Rule{ID: "capability_draft", Ref: recorded, Codes: []int64{-32003}, Says: "the draft's -32003 with data.requiredCapabilities", Kind: MissingCapability, Basis: BasisShape, Remedy: DeclareCapability},
		func(r *reading) bool { return len(r.requiredCapabilities()) > 0 }},
	{Rule{ID: "capability_draft_unnamed", Ref: recorded, Codes: []int64{-32003}, Says: "the draft's -32003 with an empty data.requiredCapabilities", Kind: MissingCapability, Basis: BasisShape},
		(*reading).meaningful},

	// -32042, URL elicitation
	{Rule{ID: "elicitation_undeclared", Ref: specLegacy + "client/elicitation#url-elicitation-required-error", Codes: []int64{-32042}, Says: "-32042, and we did not declare elicitation.url", Kind: MissingCapability, Basis: BasisShape, Remedy: DeclareCapability},
		func(r *reading) bool { return !r.declared("elicitation.url") }},
	{Rule{ID: "elicitation_url", Ref: specLegacy + "client/elicitation#url-elicitation-required-error", Codes: []int64{-32042}, Says: "-32042 in 2025-11-25 with an http(s) URL", Kind: URLElicitation, Basis: BasisDefined},
		func(r *reading) bool { return r.req.Version == Version20251125 && len(r.elicitations()) > 0 }},
	{Rule{ID: "elicitation_url_elsewhere", Ref: specLegacy + "client/elicitation#url-elicitation-required-error", Codes: []int64{-32042}, Says: "-32042 in another version with an http(s) URL", Kind: URLElicitation, Basis: BasisShape},
		func(r *reading) bool { return len(r.elicitations()) > 0 }},

	// -32002, resource not found
	{Rule{ID: "resource_32002", Ref: specLegacy + "server/resources#error-handling", Codes: []int64{-32002}, Says: "-32002 on resources/read", Kind: ResourceNotFound, Basis: BasisDefined},
		func(r *reading) bool { return r.method("resources/read") }},

	// -32700, parse error
	{Rule{ID: "parse_error", Ref: jsonrpc + "error_object", Codes: []int64{-32700}, Says: "-32700", Kind: InvalidRequest, Basis: BasisDefined}, nil},

	// -32600, -32603, 0 and every code without a meaning, on a model call
	{Rule{ID: "task_words", Ref: specLegacy + "basic/utilities/tasks#tool-level-negotiation", Codes: []int64{-32600, -32603, 0}, Says: "a call that carried task, and a task phrase", Kind: InvalidRequest, Basis: BasisText},
		func(r *reading) bool { return r.req.Task && r.says(saysTask) }},
	{Rule{ID: "tool_off_list", Ref: recorded, Codes: []int64{-32603, 0}, Says: "-32603 or 0 to a tool that is not on the list", Kind: UnknownTool, Basis: BasisShape, Remedy: RefreshTools},
		func(r *reading) bool { return r.method("tools/call") && r.offList() }},
	{Rule{ID: "prompt_off_list", Ref: recorded, Codes: []int64{-32603, 0}, Says: "-32603 or 0 to a prompt that is not on the list", Kind: UnknownPrompt, Basis: BasisShape},
		func(r *reading) bool { return r.method("prompts/get") && r.offList() }},
	{Rule{ID: "arguments_no_object", Ref: specLegacy + "server/tools#calling-tools", Codes: []int64{-32600, -32603, 0}, Says: "arguments was there and no object", Kind: InvalidArguments, Basis: BasisShape},
		func(r *reading) bool { return r.req.Arguments == ArgumentsOther }},
	{Rule{ID: "capability_words_named", Ref: specModern + "basic#error-codes", Codes: []int64{-32600, -32603, 0}, Says: "a capability phrase that names a capability, on a model call", Kind: MissingCapability, Basis: BasisText, Remedy: DeclareCapability},
		func(r *reading) bool { _, named := r.capabilityWords(); return named }},
	{Rule{ID: "capability_words", Ref: specModern + "basic#error-codes", Codes: []int64{-32600, -32603, 0}, Says: "a capability phrase, on a model call", Kind: MissingCapability, Basis: BasisText},
		func(r *reading) bool { found, _ := r.capabilityWords(); return found }},
	{Rule{ID: "tool_words", Ref: specModern + "server/tools#error-handling", Says: "a phrase names the tool as missing", Kind: UnknownTool, Basis: BasisText, Remedy: RefreshTools},
		func(r *reading) bool { return r.saysMissing("tools/call", saysNoTool) }},
	{Rule{ID: "prompt_words", Ref: specModern + "server/prompts#error-handling", Says: "a phrase names the prompt as missing", Kind: UnknownPrompt, Basis: BasisText},
		func(r *reading) bool { return r.saysMissing("prompts/get", saysNoPrompt) }},
	{Rule{ID: "resource_words", Ref: specModern + "server/resources#error-handling", Says: "a phrase names the resource as missing", Kind: ResourceNotFound, Basis: BasisText},
		func(r *reading) bool { return r.saysMissing("resources/read", saysNoResource) }},
	{Rule{ID: "argument_words", Ref: specModern + "server/tools#error-handling", Codes: []int64{-32600, -32603, 0}, Says: "a validator's issue list or an argument phrase, on tools/call or prompts/get", Kind: InvalidArguments, Basis: BasisText},
		func(r *reading) bool {
			return r.method("tools/call", "prompts/get") && r.req.Target != "" && r.aboutArguments()
		}},

	// the same on a request of the host's own
	{Rule{ID: "feature_words", Ref: recorded, Codes: []int64{-32600, -32603, 0}, Says: "a server-feature phrase, on a request of the host's own", Kind: MethodNotFound, Basis: BasisText},
		func(r *reading) bool { return !r.req.ModelCall() && r.says(saysServerFeature) }},
	{Rule{ID: "host_words", Ref: recorded, Codes: []int64{-32603, 0}, Says: "a validator's list, an argument, missing-thing or handshake phrase, on a request of the host's own", Kind: InvalidRequest, Basis: BasisText},
		func(r *reading) bool {
			return !r.req.ModelCall() && (r.issues() != noIssues || r.says(saysArgument) || r.says(saysNoTool) || r.says(saysNoPrompt) || r.says(saysNoResource) ||
				r.says(saysHandshake) || r.says(saysUnmarshal))
		}},

	// what is left of each
	{Rule{ID: "invalid_request", Ref: jsonrpc + "error_object", Codes: []int64{-32600}, Says: "-32600", Kind: InvalidRequest, Basis: BasisDefined}, nil},
	{Rule{ID: "internal_error", Ref: jsonrpc + "error_object", Codes: []int64{-32603}, Says: "-32603", Kind: ServerError, Basis: BasisDefined}, nil},
	{Rule{ID: "asked_to_wait", Ref: recorded, Says: "a code without a meaning, and a delay in data", Kind: RateLimited, Basis: BasisShape},
		func(r *reading) bool { return !r.meaningful() && dataWait(r.data()) > 0 }},
	{Rule{ID: "code_zero", Ref: recorded, Codes: []int64{0}, Says: "0: what some servers send for any exception", Kind: ServerError, Basis: BasisShape}, nil},
}

// saysMissing: words say that what the method names is not there. Under -32042 they say nothing: the code has said what is wanted.
func (r *reading) saysMissing(method string, what *topic) bool {
	return r.method(method) && !r.coded(-32042) && r.says(what)
}

// headersAsRebuilt: the Mcp headers that follow from the body are those that were sent. Headers that were not kept are not known to be.
func (r *reading) headersAsRebuilt() bool {
	h := r.req.Headers
	if h == nil {
		return false
	}
	want := map[string]string{"Mcp-Method": r.req.Method, "Mcp-Protocol-Version": r.req.Version}
	if (r.req.ModelCall() || strings.HasPrefix(r.req.Method, "tasks/")) && r.req.Target != "" {
		want["Mcp-Name"] = r.req.Target
	}
	for name, v := range want {
		got := h.Values(http.CanonicalHeaderKey(name))
		if len(got) != 1 || proto.DecodeHeader(got[0]) != v {
			return false
		}
	}
	return true
}

// missing returns the capabilities that we would have to declare.
func (r *reading) missing() []string {
	switch {
	case r.m.good():
		list := slices.DeleteFunc(r.undeclaredInput(), func(c string) bool { return c == "" })
		slices.Sort(list)
		return list
	case r.coded(-32042):
		return []string{"elicitation.url"}
	}
	return r.requiredCapabilities()
}

// requiredCapabilities returns the capabilities that the error's data says are missing, as dotted leaves.
func (r *reading) requiredCapabilities() []string {
	return leaves(member(r.data(), "requiredCapabilities"))
}

// capabilityWords reports whether a capability phrase stands in the message, and whether it says which capability.
func (r *reading) capabilityWords() (found, named bool) {
	if !r.req.ModelCall() || !r.says(saysCapability) {
		return false, false
	}
	words := strings.ToLower(r.words())
	return true, slices.ContainsFunc([]string{"sampling", "elicitation", "roots"}, func(c string) bool { return strings.Contains(words, c) })
}

// leaves flattens a capabilities object: {"elicitation":{"url":{}}} is elicitation.url.
func leaves(raw []byte) (list []string) {
	const deepest, most = 4, 64
	var walk func(prefix string, v []byte, depth int)
	walk = func(prefix string, v []byte, depth int) {
		before := len(list)
		if depth < deepest {
			members(v, func(name, child []byte) bool {
				if len(name) > 0 {
					walk(prefix+"."+string(name), child, depth+1)
				}
				return len(list) < most
			})
		}
		if len(list) == before && prefix != "" {
			list = append(list, prefix[1:])
		}
	}
	walk("", raw, 0)
	slices.Sort(list)
	return slices.Compact(list)
}

// elicitations returns the pages of data.elicitations that a browser could open: http and https only.
func (r *reading) elicitations() (list []Elicitation) {
	const most = 16
	elements(member(r.data(), "elicitations"), func(v []byte) bool {
		u := string(text(member(v, "url")))
		if isWebURL(u) {
			list = append(list, Elicitation{ID: string(text(member(v, "elicitationId"))), URL: u, Message: string(text(member(v, "message")))})
		}
		return len(list) < most
	})
	return list
}
