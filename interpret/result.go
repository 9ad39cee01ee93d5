package interpret

import "bytes"

// result is the top level of a result: the raw values of the members that decide something.
type result struct {
	isObject bool

	content, structured, contents, messages                []byte
	tools, resources, resourceTemplates, prompts, tasks    []byte
	isError, resultType, inputRequests, requestState, task []byte
	protocolVersion, supportedVersions                     []byte
}

var resultNames = []string{
	"content", "structuredContent", "isError", "resultType", "_meta", "contents", "messages", "description", "tools", "resources",
	"resourceTemplates", "prompts", "tasks", "nextCursor", "completion", "protocolVersion", "supportedVersions", "capabilities",
	"serverInfo", "instructions", "inputRequests", "requestState", "task", "ttlMs", "cacheScope",
}

// slot returns where the member of that name is kept, nil if it decides nothing.
func (r *result) slot(name []byte) *[]byte {
	switch string(name) {
	case "content":
		return &r.content
	case "structuredContent":
		return &r.structured
	case "contents":
		return &r.contents
	case "messages":
		return &r.messages
	case "tools":
		return &r.tools
	case "resources":
		return &r.resources
	case "resourceTemplates":
		return &r.resourceTemplates
	case "prompts":
		return &r.prompts
	case "tasks":
		return &r.tasks
	case "isError":
		return &r.isError
	case "resultType":
		return &r.resultType
	case "inputRequests":
		return &r.inputRequests
	case "requestState":
		return &r.requestState
	case "task":
		return &r.task
	case "protocolVersion":
		return &r.protocolVersion
	case "supportedVersions":
		return &r.supportedVersions
	}
	return nil
}

func (r *result) read(t *tokens, up *level) []byte {
	if t.kind() != '{' {
		return t.value()
	}
	r.isObject = true
	seen := level{defined: resultNames}
	start := t.dec.InputOffset()
	for t.enter(); t.more(); {
		name := t.name()
		if t.err != nil {
			break
		}
		seen.add(name)
		v := t.value()
		if s := r.slot(name); s != nil {
			*s = v
		}
	}
	t.leave()
	up.join(&seen)
	return between(t, start)
}

// fails reports whether isError says so: any value but false, null, 0 and "".
func (r *result) fails() bool {
	switch string(r.isError) {
	case "", "false", "null", `""`:
		return false
	}
	if n, ok := integer(r.isError); ok && n == 0 {
		return false
	}
	return true
}

// kind returns the resultType, "complete" where it is absent.
func (r *result) kind() string {
	if r.resultType == nil {
		return "complete"
	}
	return string(text(r.resultType))
}

// lists is what a result of each method must hold: the member that makes it one.
func (r *result) member(method string) []byte {
	switch method {
	case "tools/call":
		return r.content
	case "resources/read":
		return r.contents
	case "prompts/get":
		return r.messages
	case "tools/list":
		return r.tools
	case "resources/list":
		return r.resources
	case "resources/templates/list":
		return r.resourceTemplates
	case "prompts/list":
		return r.prompts
	case "tasks/list":
		return r.tasks
	}
	return nil
}

// ofAnotherMethod reports whether the result holds the list of another method and none of its own members.
func (r *result) ofAnotherMethod(method string) bool {
	if r.member(method) != nil || method == "tools/call" && r.structured != nil {
		return false
	}
	for _, v := range [][]byte{r.tools, r.resources, r.resourceTemplates, r.prompts, r.tasks, r.contents, r.messages} {
		if isArray(v) {
			return true
		}
	}
	return false
}

// emptyArray reports whether a whole value is [].
func emptyArray(raw []byte) bool {
	return isArray(raw) && len(bytes.TrimSpace(raw[1:len(raw)-1])) == 0
}
