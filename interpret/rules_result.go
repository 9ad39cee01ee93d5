package interpret

import "slices"

// A result, or what stands in its place.
var resultRules = []row{
	{Rule{ID: "not_one", Ref: jsonrpc + "response_object", Says: "both a result and an error, or neither", Kind: MalformedReply, Basis: BasisShape},
		func(r *reading) bool { return !r.m.good() }},
	{Rule{ID: "not_object", Ref: specLegacy + "basic#responses", Says: "a result that is no object", Kind: MalformedReply, Basis: BasisShape},
		func(r *reading) bool { return !r.m.res.isObject }},
	{Rule{ID: "task", Ref: specLegacy + "basic/utilities/tasks#creating-tasks", Says: "resultType task, or the task object of 2025-11-25", Kind: Task, Basis: BasisDefined},
		func(r *reading) bool {
			return r.m.res.kind() == "task" || r.m.res.resultType == nil && isObject(r.m.res.task) && (r.req.Task || r.taskInstead())
		}},
	{Rule{ID: "input_elsewhere", Ref: specLegacy + "client/elicitation", Says: "input_required on a request that cannot ask for input, or with neither inputRequests nor requestState in a form that can be read", Kind: MalformedReply, Basis: BasisShape},
		func(r *reading) bool {
			res := &r.m.res
			unreadable := res.inputRequests != nil && !isObject(res.inputRequests) || res.requestState != nil && text(res.requestState) == nil
			return r.asks() && (!r.req.ModelCall() || unreadable || res.inputRequests == nil && res.requestState == nil)
		}},
	{Rule{ID: "input_undeclared", Ref: specLegacy + "client/elicitation#capabilities", Says: "input is asked for that we did not declare", Kind: MissingCapability, Basis: BasisShape, Remedy: DeclareCapability},
		func(r *reading) bool {
			return r.asks() && slices.ContainsFunc(r.undeclaredInput(), func(c string) bool { return c != "" })
		}},
	{Rule{ID: "input_unknown", Ref: specLegacy + "client/elicitation#capabilities", Says: "input is asked for in a way that is none of the protocol's", Kind: MissingCapability, Basis: BasisShape},
		func(r *reading) bool { return r.asks() && len(r.undeclaredInput()) > 0 }},
	{Rule{ID: "state_only", Ref: specModern + "schema#inputrequiredresult", Says: "input_required with only a requestState: it wants to be sent again", Kind: InputRequired, Basis: BasisDefined, Remedy: EchoState},
		func(r *reading) bool { return r.asks() && len(r.inputRequests()) == 0 }},
	{Rule{ID: "input_required", Ref: specModern + "schema#inputrequiredresult", Says: "input_required, covered by our capabilities", Kind: InputRequired, Basis: BasisDefined},
		(*reading).asks},
	{Rule{ID: "unknown_result_type", Ref: specModern + "basic#resulttype", Says: "a resultType that nothing declared", Kind: MalformedReply, Basis: BasisShape},
		func(r *reading) bool { return !r.completes() }},
	{Rule{ID: "tool_failed_unlisted", Ref: specModern + "server/tools#error-handling", Says: "isError, and the tool is not on the list", Kind: ToolError, Basis: BasisDefined, Remedy: RefreshTools},
		func(r *reading) bool { return r.m.res.fails() && r.method("tools/call") && r.offList() }},
	{Rule{ID: "tool_failed", Ref: specModern + "server/tools#error-handling", Says: "isError is true, or any value but false, null, 0 and an empty string", Kind: ToolError, Basis: BasisDefined},
		func(r *reading) bool { return r.m.res.fails() }},
	{Rule{ID: "other_family", Ref: jsonrpc + "response_object", Says: "the result lacks what makes it an answer to this method, or holds the list of another", Kind: MalformedReply, Basis: BasisShape},
		(*reading).otherFamily},
	{Rule{ID: "discover_without_ours", Ref: specModern + "schema#discoverresult", Says: "a DiscoverResult whose supportedVersions lacks the version declared, and holds another that we speak", Kind: UnsupportedVersion, Basis: BasisShape, Remedy: Renegotiate},
		func(r *reading) bool { l, lacks := r.discovered(); return lacks && l.common() }},
	{Rule{ID: "discover_nothing_common", Ref: specModern + "schema#discoverresult", Says: "a DiscoverResult with no version that we speak", Kind: UnsupportedVersion, Basis: BasisShape},
		func(r *reading) bool { _, lacks := r.discovered(); return lacks }},
	{Rule{ID: "handshake_unspoken", Ref: specLegacy + "basic/lifecycle#version-negotiation", Says: "an InitializeResult in a version that we do not speak", Kind: UnsupportedVersion, Basis: BasisShape},
		func(r *reading) bool {
			v := text(r.m.res.protocolVersion)
			return r.method("initialize") && v != nil && !spoken(string(v))
		}},
	{Rule{ID: "result", Ref: jsonrpc + "response_object", Says: "a result", Kind: OK, Basis: BasisDefined}, nil},
}

// taskInstead: in the way of 2025-11-25 a task came where the tool's content should be, though nobody had asked for one.
func (r *reading) taskInstead() bool {
	v, _ := r.m.res.member(r.req.Method)
	return r.req.Version == Version20251125 && r.method("tools/call") && v == nil
}

// completes: a complete result, or of a type that a declared extension defines.
func (r *reading) completes() bool {
	k := r.m.res.kind()
	return k == "complete" || slices.Contains(r.req.ResultTypes, k)
}

// asks: the result asks for input. Only a resultType says so.
func (r *reading) asks() bool { return r.m.res.kind() == "input_required" }

// discovered returns the versions of a DiscoverResult and whether the one that we declared is missing from them.
func (r *reading) discovered() (l versionList, lacks bool) {
	if !r.probe() || !isArray(r.m.res.supportedVersions) {
		return l, false
	}
	l.supported = textList(r.m.res.supportedVersions)
	return l, !slices.Contains(l.supported, r.req.Version)
}

// otherFamily: strict for the modern calls whose members the specification requires, and in any era where another method's list came.
func (r *reading) otherFamily() bool {
	res := &r.m.res
	if res.content != nil && !isArray(res.content) && r.method("tools/call") {
		return true
	}
	if v, _ := res.member(r.req.Method); modern(r.req.Version) {
		switch {
		case r.method("tools/call"):
			return v == nil || res.ofAnotherMethod(r.req.Method)
		case r.req.ModelCall(), r.method("tools/list", "resources/list", "resources/templates/list", "prompts/list", "tasks/list"):
			return !isArray(v)
		}
	}
	return res.ofAnotherMethod(r.req.Method)
}

// inputRequests returns the requests of an input_required result, at most maxNames of them.
func (r *reading) inputRequests() (list []InputRequest) {
	members(r.m.res.inputRequests, func(name, v []byte) bool {
		list = append(list, InputRequest{Key: string(name), Method: string(text(member(v, "method"))), Params: member(v, "params")})
		return len(list) < maxNames
	})
	return list
}

// undeclaredInput returns the capabilities that the input requests need and we did not declare; "" for a method that is none of the protocol's.
func (r *reading) undeclaredInput() (list []string) {
	for _, q := range r.inputRequests() {
		c, ok := capabilityOf(q.Method, q.Params)
		if (!ok || !r.declared(c)) && !slices.Contains(list, c) {
			list = append(list, c)
		}
	}
	return list
}
