package interpret

import "bytes"

// result is the top level of a result: the raw values of the members that decide something.
type result struct {
	isObject bool

	content, structured, contents, messages, description   []byte
	tools, resources, resourceTemplates, prompts, tasks    []byte
	isError, resultType, inputRequests, requestState, task []byte
	protocolVersion, supportedVersions, completion         []byte
	capabilities, serverInfo                               []byte
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
	case "description":
		return &r.description
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
	case "completion":
		return &r.completion
	case "protocolVersion":
		return &r.protocolVersion
	case "supportedVersions":
		return &r.supportedVersions
	case "capabilities":
		return &r.capabilities
	case "serverInfo":
		return &r.serverInfo
	}
	return nil
}

func (r *result) read(t *tokens, up *level) []byte {
	r.isObject = t.kind() == '{'
	return t.strict(resultNames, up, func(name, v []byte) {
		if s := r.slot(name); s != nil && !(isNull(v) && (s == &r.inputRequests || s == &r.requestState)) { // null is how some write "none"
			*s = v
		}
	})
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

// member returns what makes a result the answer to the method, nil if it is not there. known is false where no version says what that is:
// a request of an extension, or one whose result is empty or another method's.
func (r *result) member(method string) (value []byte, known bool) {
	switch method {
	case "tools/call":
		if r.content == nil {
			return r.structured, true
		}
		return r.content, true
	case "resources/read":
		return r.contents, true
	case "prompts/get":
		return r.messages, true
	case "tools/list":
		return r.tools, true
	case "resources/list":
		return r.resources, true
	case "resources/templates/list":
		return r.resourceTemplates, true
	case "prompts/list":
		return r.prompts, true
	case "tasks/list":
		return r.tasks, true
	case "completion/complete":
		return r.completion, true
	case "initialize":
		return r.protocolVersion, true
	case "server/discover":
		return r.supportedVersions, true
	}
	return nil, false
}

// none reports whether the result has no member of the method's own. Of a method that no version knows nothing is known to be missing.
func (r *result) none(method string) bool {
	v, known := r.member(method)
	switch method {
	case "ping", "logging/setLevel", "resources/subscribe", "resources/unsubscribe":
		return true // their results are empty
	case "prompts/get":
		return v == nil && r.description == nil
	case "initialize", "server/discover":
		return v == nil && r.capabilities == nil && r.serverInfo == nil
	}
	return known && v == nil
}

// ofAnotherMethod reports whether the result holds the list of another method and nothing of this one.
func (r *result) ofAnotherMethod(method string) bool {
	if !r.none(method) {
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
