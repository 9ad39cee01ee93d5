package crosscheck

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"testing"
)

// Two cases that keep the schema, to be broken.
const (
	overHTTP = `{
		"id": "s@1/http-2025-11-25/probe", "about": "a probe", "source": {"kind": "capture", "ref": "r", "server": "s", "sdk": "k", "sdkVersion": "1", "language": "go"},
		"request": {"transport": "http", "httpMethod": "POST", "method": "tools/call", "target": "add", "id": 7, "version": "2025-11-25", "era": "legacy", "session": true,
			"meta": "none", "cursor": false, "arguments": "object", "state": "none", "task": false, "capabilities": ["sampling"], "tools": ["add"], "prompts": [], "resources": [],
			"headers": [["Mcp-Name", "add"]], "paramHeaders": false, "body": "{}"},
		"reply": {"http": {"status": 200, "headers": [["Content-Type", "application/json"]], "body": "{}", "truncated": false}},
		"want": {"kind": "tool_error", "origin": "server", "ran": "yes", "action": "surface", "basis": "defined", "deviations": ["id_missing"]}
	}`
	overStdio = `{
		"id": "s@1/probe", "about": "a probe", "source": {"kind": "report", "ref": "r"},
		"request": {"transport": "stdio", "method": "tools/list", "id": 7, "version": "", "cursor": true},
		"reply": {"lines": ["{}"], "failure": {"what": "exited", "delivery": "written", "exitCode": 1}},
		"want": {"kind": "rate_limited", "origin": "server", "ran": "no", "action": "retry", "basis": "shape", "remedy": "resume", "retryAfterMs": 60000, "supported": [], "requested": "",
			"scopes": ["a"], "schemes": ["Bearer"], "resourceMetadata": "https://r.example/", "requiredCapabilities": ["elicitation.form"], "uri": "", "location": "/x", "code": -32029, "deviations": []}
	}`
)

// change is a member, by its dotted path, and its new value as JSON; no value takes it away.
type change struct{ at, value string }

// broken is a case that must be refused, for something at the place of its first change.
type broken struct {
	base    string
	changes []change
}

func (b broken) String() string { return fmt.Sprint(b.changes) }

// points reports whether a place is that of the first change, or holds it, or lies in it.
func (b broken) points(at string) bool {
	want := b.changes[0].at
	holder, _, _ := cutLast(want)
	return at == want || at == holder || strings.HasPrefix(at, want+".") || want == ""
}

// apply returns the file with the broken case.
func (b broken) apply(t *testing.T) any {
	t.Helper()
	file := parse(t, []byte("["+b.base+"]")).([]any)
	for _, c := range b.changes {
		if c.at == "" {
			return parse(t, []byte(c.value))
		}
		holder, name, _ := cutLast(c.at)
		var v any = file[0]
		for p := range strings.SplitSeq(holder, ".") {
			if p != "" {
				v = child(v, p)
			}
		}
		switch v := v.(type) {
		case map[string]any:
			if delete(v, name); c.value != "" {
				v[name] = parse(t, []byte(c.value))
			}
		case []any:
			i, _ := strconv.Atoi(name)
			v[i] = parse(t, []byte(c.value))
		default:
			t.Fatalf("%s: nothing at %q", c, holder)
		}
	}
	return file
}

// child is what stands in an object or a list under a name.
func child(v any, name string) any {
	switch v := v.(type) {
	case map[string]any:
		return v[name]
	case []any:
		i, _ := strconv.Atoi(name)
		return v[i]
	}
	return nil
}

// cutLast splits a path before its last name.
func cutLast(path string) (holder, name string, ok bool) {
	i := strings.LastIndexByte(path, '.')
	return path[:max(i, 0)], path[i+1:], i >= 0
}

var breaks = build()

func build() (all []broken) {
	in := func(base string, changes ...string) {
		b := broken{base: base}
		for i := 0; i < len(changes); i += 2 {
			b.changes = append(b.changes, change{changes[i], changes[i+1]})
		}
		all = append(all, b)
	}
	http := func(changes ...string) { in(overHTTP, changes...) }
	stdio := func(changes ...string) { in(overStdio, changes...) }

	// Members of another type, for every member.
	http("", `{}`)
	http("", `[1]`)
	stdio("request.method", `1`, "request.cursor", "")
	stdio("request", `1`)
	stdio("reply.failure.what", `"lost"`, "reply.failure.exitCode", "")
	for at, wrong := range maps.All(map[string]string{
		"about": `1`, "id": `1`, "source": `"capture"`, "request": `[]`, "reply": `null`, "want": `[]`,
		"source.kind": `"rumour"`, "source.server": `1`, "source.sdk": `1`, "source.sdkVersion": `1`, "source.language": `null`, "source.ref": `1`,
		"request.transport": `"udp"`, "request.httpMethod": `"PATCH"`, "request.method": `1`, "request.target": `1`, "request.version": `null`, "request.era": `"old"`,
		"request.session": `"yes"`, "request.meta": `"some"`, "request.cursor": `0`, "request.arguments": `"list"`, "request.state": `"second"`, "request.task": `{}`,
		"request.capabilities": `"sampling"`, "request.tools": `"add"`, "request.prompts": `null`, "request.resources": `[1]`, "request.headers": `{}`,
		"request.paramHeaders": `"no"`, "request.body": `{}`,
		"reply.http": `200`, "reply.http.status": `"200"`, "reply.http.headers": `{}`, "reply.http.body": `{}`, "reply.http.truncated": `1`,
	}) {
		http(at, wrong)
	}
	for at, wrong := range maps.All(map[string]string{
		"reply.lines": `"{}"`, "reply.failure": `"exited"`, "reply.failure.what": `"lost"`, "reply.failure.delivery": `""`, "reply.failure.exitCode": `"1"`,
		"want.kind": `"unknown"`, "want.origin": `"proxy"`, "want.ran": `""`, "want.action": `"wait"`, "want.basis": `"guess"`, "want.remedy": `"try_http_sse"`,
		"want.retryAfterMs": `"1"`, "want.supported": `"2025-11-25"`, "want.requested": `1`, "want.scopes": `"a"`, "want.schemes": `"Bearer"`, "want.resourceMetadata": `1`,
		"want.requiredCapabilities": `{}`, "want.uri": `1`, "want.location": `1`, "want.code": `"1"`, "want.deviations": `"id_missing"`,
	}) {
		stdio(at, wrong)
	}

	// Members missing, and members too many.
	for _, at := range []string{
		"id", "about", "source", "request", "reply", "want", "source.kind", "source.ref", "request.transport", "request.method", "request.version", "request.arguments",
		"reply.http", "reply.http.status", "reply.http.headers", "reply.http.body", "want.kind", "want.origin", "want.ran", "want.action", "want.basis", "want.deviations",
	} {
		http(at, "")
	}
	stdio("reply.failure.what", "")
	stdio("reply.failure.delivery", "")
	stdio("reply", `{}`)
	stdio("request", "")
	stdio("request.transport", "")
	http("want.kind", "", "want.action", `"proceed"`)
	http("want.action", "", "want.kind", `"ok"`)
	for _, at := range []string{"x", "source.x", "request.x", "reply.x", "reply.http.x", "want.x"} {
		http(at, `1`)
	}
	stdio("reply.failure.x", `1`)

	// Texts and numbers that have a form.
	stdio("id", `"a/b/c/d"`)
	http("id", `"s@1/http/probe"`)
	http("about", `""`)
	http("source.ref", `""`)
	http("request.body", `""`)
	http("request.capabilities", `["roots", "roots"]`)
	http("request.capabilities", `[1]`)
	http("request.headers", `[["Accept", "*/*"]]`)
	http("request.headers", `[["Mcp-Name"]]`)
	http("request.headers", `[["Mcp-Name", "a", "b"]]`)
	http("request.headers", `["Mcp-Name: a"]`)
	http("request.headers", `[[1, "a"]]`)
	http("request.headers", `[["Mcp-Name", 1]]`)
	http("reply.http.status", `99`)
	http("reply.http.status", `1000`)
	http("reply.http.headers", `[["", "x"]]`)
	http("reply.http.headers", `[["X"]]`)
	http("reply.http.headers", `[["X", "a", "b"]]`)
	http("reply.http.headers", `["X: a"]`)
	http("reply.http.headers", `[[1, "a"]]`)
	http("reply.http.headers", `[["X", 1]]`)
	http("reply.http.bodyBase64", `""`)
	http("reply.http.bodyBase64", `"YQ"`, "reply.http.body", "")
	http("reply.http.bodyBase64", `1`, "reply.http.body", "")
	stdio("reply.lines", `["a\nb"]`)
	stdio("reply.lines", `[1]`)
	stdio("reply.linesBase64", `["YQ"]`, "reply.lines", "")
	stdio("reply.linesBase64", `"YQ=="`, "reply.lines", "")
	stdio("want.retryAfterMs", `0`)
	stdio("want.retryAfterMs", `60001`)
	stdio("want.retryAfterMs", `31536000001`, "want.action", `"abort"`)
	stdio("want.supported", `[1]`)
	for _, names := range []string{"want.scopes", "want.schemes"} {
		stdio(names, `[]`)
		stdio(names, `[""]`)
		stdio(names, `[1]`)
		stdio(names, `["a", "a"]`)
	}
	stdio("want.resourceMetadata", `""`)
	stdio("want.requiredCapabilities", `["elicitation."]`)
	stdio("want.requiredCapabilities", `["a", "a"]`)
	stdio("want.requiredCapabilities", `[1]`)
	stdio("want.location", `""`)
	stdio("want.code", `9007199254740992`)
	stdio("want.code", `-9007199254740992`)
	stdio("want.deviations", `["id_missing", "id_missing"]`)
	stdio("want.deviations", `["odd"]`)

	// Members that contradict each other.
	http("request.method", `"prompts/list"`)
	http("request.method", `"prompts/get"`, "request.paramHeaders", `true`)
	http("request.method", `"tools/call"`, "request.cursor", `true`)
	http("reply.lines", `[]`, "reply.http", "")
	http("reply.linesBase64", `[]`, "reply.http", "")
	http("reply.lines", `[]`)
	http("reply.linesBase64", `[]`)
	stdio("reply.linesBase64", `[]`)
	stdio("reply.http", `{"status": 200, "headers": [], "body": ""}`, "reply.lines", "")
	stdio("reply.http", `{"status": 200, "headers": [], "body": ""}`)
	stdio("request.httpMethod", `"POST"`)
	stdio("request.headers", `[]`)
	stdio("request.session", `true`)
	stdio("reply.failure.what", `"eof"`)
	http("want.kind", `"tool_error"`, "want.action", `"proceed"`)
	http("want.action", `"surface"`, "want.kind", `"ok"`)
	http("want.action", `"surface"`, "want.kind", `"task"`, "want.ran", `"unknown"`)
	http("want.kind", `"malformed_reply"`)
	http("want.action", `"ask"`, "want.basis", `"text"`)
	return all
}
