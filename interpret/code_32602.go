package interpret

import (
	"bytes"
	"slices"
	"unicode"
)

// -32602, the crowded code: the first that fits. A version list and what we had left out have been looked for before.
var code32602 = []row{
	{Rule{ID: "envelope_words", Ref: specModern + "basic#meta", Codes: []int64{-32602}, Says: "the message names an io.modelcontextprotocol/ member: the envelope is the host's", Kind: InvalidRequest, Basis: BasisText},
		func(r *reading) bool { return r.says(saysMeta) }},
	{Rule{ID: "state_expired", Ref: specModern + "schema#inputrequiredresult", Codes: []int64{-32602}, Says: "the request carried a requestState, and no argument phrase stands there", Kind: InputExpired, Basis: BasisShape, Remedy: RestartCall},
		func(r *reading) bool { return r.req.State != StateNone && !r.aboutArguments() }},
	{Rule{ID: "task_words_32602", Ref: specLegacy + "basic/utilities/tasks#tool-level-negotiation", Codes: []int64{-32602}, Says: "the call carried task, and a task phrase stands there", Kind: InvalidRequest, Basis: BasisText},
		func(r *reading) bool { return r.req.Task && r.says(saysTask) }},
	{Rule{ID: "cursor_refused_32602", Ref: specLegacy + "server/utilities/pagination#error-handling", Codes: []int64{-32602}, Says: "a list request with a cursor", Kind: InvalidCursor, Basis: BasisShape, Remedy: RestartList},
		func(r *reading) bool { return r.req.Cursor && r.req.isList() }},
	{Rule{ID: "resource_output", Ref: recorded, Codes: []int64{-32602}, Says: "resources/read, and an output phrase", Kind: ServerError, Basis: BasisText},
		func(r *reading) bool { return r.method("resources/read") && r.says(saysOutput) }},
	{Rule{ID: "resource_named", Ref: specModern + "server/resources#error-handling", Codes: []int64{-32602}, Says: "resources/read, and data.uri is what was asked for", Kind: ResourceNotFound, Basis: BasisDefined},
		func(r *reading) bool {
			return r.method("resources/read") && bytes.Equal(text(member(r.data(), "uri")), []byte(r.req.Target))
		}},
	{Rule{ID: "resource_32602", Ref: specModern + "server/resources#error-handling", Codes: []int64{-32602}, Says: "resources/read", Kind: ResourceNotFound, Basis: BasisShape},
		func(r *reading) bool { return r.method("resources/read") }},
	{Rule{ID: "host_32602", Ref: jsonrpc + "error_object", Codes: []int64{-32602}, Says: "any other request of the host's own", Kind: InvalidRequest, Basis: BasisShape},
		func(r *reading) bool { return !r.req.ModelCall() }},
	{Rule{ID: "tool_off_list_32602", Ref: specModern + "server/tools#error-handling", Codes: []int64{-32602}, Says: "tools/call, and the name is not on the list", Kind: UnknownTool, Basis: BasisShape, Remedy: RefreshTools},
		func(r *reading) bool { return r.method("tools/call") && r.offList() }},
	{Rule{ID: "prompt_off_list_32602", Ref: specModern + "server/prompts#error-handling", Codes: []int64{-32602}, Says: "prompts/get, and the name is not on the list", Kind: UnknownPrompt, Basis: BasisShape},
		func(r *reading) bool { return r.method("prompts/get") && r.offList() }},
	{Rule{ID: "tool_words_32602", Ref: specModern + "server/tools#error-handling", Codes: []int64{-32602}, Says: "tools/call, and a phrase names the tool as unknown", Kind: UnknownTool, Basis: BasisText, Remedy: RefreshTools},
		func(r *reading) bool { return r.method("tools/call") && r.says(saysNoTool) }},
	{Rule{ID: "prompt_words_32602", Ref: specModern + "server/prompts#error-handling", Codes: []int64{-32602}, Says: "prompts/get, and a phrase names the prompt as unknown", Kind: UnknownPrompt, Basis: BasisText},
		func(r *reading) bool { return r.method("prompts/get") && r.says(saysNoPrompt) }},
	{Rule{ID: "output_words", Ref: recorded, Codes: []int64{-32602}, Says: "an output phrase: the tool ran and its own result was refused", Kind: ServerError, Basis: BasisText},
		func(r *reading) bool { return r.says(saysOutput) }},
	{Rule{ID: "arguments_32602", Ref: jsonrpc + "error_object", Codes: []int64{-32602}, Says: "otherwise", Kind: InvalidArguments, Basis: BasisShape}, nil},
}

// aboutArguments: a validator's issue list about params.arguments, or an argument phrase.
func (r *reading) aboutArguments() bool { return r.issues() == argumentIssues || r.says(saysArgument) }

const (
	noIssues       = iota
	otherIssues    // a path starts outside params.arguments
	argumentIssues // none does
)

// issues: whether the message is a validator's JSON list of issues, each with a path or a code, and what they are about.
func (r *reading) issues() int {
	msg := bytes.TrimSpace(r.m.rpc.message)
	i := bytes.IndexByte(msg, '[')
	if i < 0 || len(msg) > 4*wordsLimit || !valid(msg[i:]) || r.sentList(msg[i:]) {
		return noIssues
	}
	found := noIssues
	elements(msg[i:], func(v []byte) bool {
		path, code := member(v, "path"), member(v, "code")
		switch {
		case path == nil && code == nil:
			found = noIssues
			return false
		case !underArguments(path):
			found = otherIssues
		case found == noIssues:
			found = argumentIssues
		}
		return true
	})
	return found
}

// sentList: the list is one that we sent, as a text or as it is, however it is spaced.
func (r *reading) sentList(list []byte) bool {
	list = unspaced(list)
	return bytes.Contains(unspaced(r.req.Body), list) ||
		slices.ContainsFunc(sentStrings(r.req), func(s string) bool { return bytes.Contains(unspaced([]byte(s)), list) })
}

func unspaced(s []byte) []byte {
	return bytes.Map(func(c rune) rune {
		if unicode.IsSpace(c) {
			return -1
		}
		return c
	}, s)
}

// underArguments: a path of the request's envelope starts with params; what is not of the envelope is of the arguments themselves.
func underArguments(path []byte) bool {
	var steps []string
	elements(path, func(v []byte) bool {
		steps = append(steps, string(text(v)))
		return len(steps) < 2
	})
	if len(steps) == 0 {
		return true
	}
	switch steps[0] {
	case "params":
		return len(steps) == 2 && steps[1] == "arguments"
	case "method", "jsonrpc", "id":
		return false
	}
	return true
}
