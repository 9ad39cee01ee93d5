package interpret

// -32601, the other crowded code: the first that fits. The probe of an unknown server has been looked for before.
var code32601 = []row{
	{Rule{ID: "task_refused", Ref: specLegacy + "basic/utilities/tasks#tool-level-negotiation", Codes: []int64{-32601}, Says: "a call that carried task", Kind: InvalidRequest, Basis: BasisShape, Remedy: DropTask},
		func(r *reading) bool { return r.req.Task }},
	{Rule{ID: "tool_off_list_32601", Ref: specModern + "server/tools#error-handling", Codes: []int64{-32601}, Says: "tools/call, and the name is not on the list", Kind: UnknownTool, Basis: BasisShape, Remedy: RefreshTools},
		func(r *reading) bool { return r.method("tools/call") && r.offList() }},
	{Rule{ID: "arguments_no_object_32601", Ref: specLegacy + "server/tools#calling-tools", Codes: []int64{-32601}, Says: "arguments was there and no object", Kind: InvalidArguments, Basis: BasisShape},
		func(r *reading) bool { return r.req.Arguments == ArgumentsOther }},
	{Rule{ID: "capability_named_32601", Ref: specModern + "basic#error-codes", Codes: []int64{-32601}, Says: "a capability phrase that names a capability, on a model call", Kind: MissingCapability, Basis: BasisText, Remedy: DeclareCapability},
		func(r *reading) bool { _, named := r.capabilityWords(); return named }},
	{Rule{ID: "capability_32601", Ref: specModern + "basic#error-codes", Codes: []int64{-32601}, Says: "a capability phrase, on a model call", Kind: MissingCapability, Basis: BasisText},
		func(r *reading) bool { found, _ := r.capabilityWords(); return found }},
	{Rule{ID: "tool_on_list_32601", Ref: recorded, Codes: []int64{-32601}, Says: "tools/call, and the name is on the list", Kind: InvalidRequest, Basis: BasisShape},
		func(r *reading) bool { return r.method("tools/call") && r.onList() }},
	{Rule{ID: "tool_words_32601", Ref: specModern + "server/tools#error-handling", Codes: []int64{-32601}, Says: "tools/call, and a phrase names the tool as missing", Kind: UnknownTool, Basis: BasisText, Remedy: RefreshTools},
		func(r *reading) bool { return r.method("tools/call") && r.says(saysNoTool) }},
	{Rule{ID: "resource_words_32601", Ref: specModern + "server/resources#error-handling", Codes: []int64{-32601}, Says: "resources/read, and a phrase names the resource as missing", Kind: ResourceNotFound, Basis: BasisText},
		func(r *reading) bool { return r.method("resources/read") && r.says(saysNoResource) }},
	{Rule{ID: "prompt_words_32601", Ref: specModern + "server/prompts#error-handling", Codes: []int64{-32601}, Says: "prompts/get, and a phrase names the prompt as missing", Kind: UnknownPrompt, Basis: BasisText},
		func(r *reading) bool { return r.method("prompts/get") && r.says(saysNoPrompt) }},
	{Rule{ID: "handshake_words", Ref: specLegacy + "basic/lifecycle#initialization", Codes: []int64{-32601}, Says: "a handshake phrase: the method is not what is missing", Kind: InvalidRequest, Basis: BasisText},
		func(r *reading) bool { return r.says(saysHandshake) }},
	{Rule{ID: "method_not_found", Ref: jsonrpc + "error_object", Codes: []int64{-32601}, Says: "otherwise", Kind: MethodNotFound, Basis: BasisDefined}, nil},
}
