package probe

import (
	"encoding/json"
	"maps"
	"strings"

	"github.com/mcperr/mcperr/internal/proto"
	"github.com/mcperr/mcperr/interpret"
)

// spoiling is one thing that a server can do wrong, and what the probe must say about it.
type spoiling struct {
	name    string
	over    transports
	era     interpret.Era // unknown: both
	spoil   func(*asked, *answer)
	check   string
	verdict Verdict  // "" is Deviates
	says    string   // in a fault
	all     bool     // the server that does everything wrong does it
	also    []string // other checks that it makes deviate, for good reason
}

const (
	legacyEra = interpret.EraLegacy
	modernEra = interpret.EraModern
)

func at(method string, spoil func(*answer)) func(*asked, *answer) {
	return func(q *asked, a *answer) {
		if q.Method == method {
			spoil(a)
		}
	}
}

func atBroken(spoil func(*answer)) func(*asked, *answer) {
	return func(q *asked, a *answer) {
		if q.broken {
			spoil(a)
		}
	}
}

// atNoRequest spoils the answer to JSON that is no request.
func atNoRequest(spoil func(*answer)) func(*asked, *answer) {
	return func(q *asked, a *answer) {
		if !q.broken && q.Method == "" && q.raw != "" {
			spoil(a)
		}
	}
}

func fails(code any, message string) func(*answer) {
	return func(a *answer) { a.fail(a.status, code, message, nil) }
}

// gives answers with a result. Each answer has its own, for tests run beside each other, and another spoiling may change it.
func gives(result params) func(*answer) {
	return func(a *answer) {
		a.err, a.status, a.result = nil, 200, maps.Clone(result)
	}
}

func shows(status int, media, body string) func(*answer) {
	return func(a *answer) { a.page(status, media, body) }
}

const aPage = "<!DOCTYPE html><html><title>Error</title></html>"

func failed(text string) params {
	return params{"resultType": "complete", "isError": true, "content": []params{{"type": "text", "text": text}}}
}

var spoilings = []spoiling{
	{name: "discovery without versions", era: modernEra, spoil: at("server/discover", func(a *answer) {
		if a.result != nil {
			a.result["capabilities"] = nil
		}
	}), check: "opening", says: "it declares no capabilities object"},
	{name: "handshake without serverInfo", era: legacyEra, spoil: at("initialize", func(a *answer) { delete(a.result, "serverInfo") }), check: "opening", says: "it has no serverInfo", all: true},
	{name: "no tool list", spoil: at("tools/list", func(a *answer) {
		if a.err == nil {
			a.fail(200, -32603, "Internal error", nil)
		}
	}), check: "tool_list", says: "it answers with an error", all: true},

	{name: "unknown method with another code", spoil: at(noMethod, fails(-32000, "no")), check: "unknown_method", says: "its code is -32000, not -32601", all: true},
	{name: "unknown method with 200", over: overHTTP, era: modernEra, spoil: at(noMethod, func(a *answer) { a.status = 200 }), check: "unknown_method", says: "its HTTP status is 200, not 404", all: true},
	{name: "unknown method with a result", spoil: at(noMethod, gives(params{"resultType": "complete"})), check: "unknown_method", says: "it answers with a result"},
	{name: "unknown method with a page", over: overHTTP, spoil: at(noMethod, shows(404, "text/html", aPage)), check: "unknown_method", says: "an HTML page"},
	{name: "unknown method with nothing", over: overHTTP, spoil: at(noMethod, shows(404, "text/plain", "")), check: "unknown_method", says: "no body"},
	{name: "unknown method in silence", spoil: at(noMethod, func(a *answer) { a.silent = true }), check: "unknown_method", says: "it stays silent"},
	{name: "unknown method ends it", over: overStdio, spoil: at(noMethod, func(a *answer) { a.drop = true }), check: "unknown_method", says: "its process ends"},

	{name: "unknown tool as isError", spoil: at("tools/call", func(a *answer) {
		if a.err != nil {
			gives(failed("Unknown tool"))(a)
		}
	}), check: "unknown_tool", says: "isError: a model reads that a tool has failed", all: true},
	{name: "unknown tool as unknown method", spoil: at("tools/call", func(a *answer) {
		if a.err != nil {
			a.err.Code = -32601
		}
	}), check: "unknown_tool", says: "its code is -32601, not -32602"},
	{name: "unknown resource is empty", spoil: at("resources/read", gives(params{"contents": []any{}, "resultType": "complete"})), check: "unknown_resource", says: "empty contents", all: true},
	{name: "unknown resource is an internal error", spoil: at("resources/read", fails(-32603, "oops")), check: "unknown_resource", says: "a client reads it as server_error"},
	{name: "unknown resource without uri", spoil: at("resources/read", func(a *answer) { a.err.Data = nil }), check: "unknown_resource", verdict: Advice, says: "data.uri"},
	{name: "unknown resource with the other code", era: legacyEra, spoil: at("resources/read", func(a *answer) { a.err.Code = -32602 }), check: "unknown_resource", verdict: Advice, says: "its code is -32602, not -32002"},
	{name: "unknown resource with the retired code", era: modernEra, spoil: at("resources/read", func(a *answer) { a.err.Code = -32002 }), check: "unknown_resource", verdict: Advice, says: "its code is -32002, not -32602", also: []string{"envelope"}},
	{name: "unknown prompt with a result", spoil: at("prompts/get", gives(params{"messages": []any{}, "resultType": "complete"})), check: "unknown_prompt", says: "it answers with a result", all: true},
	{name: "unknown prompt is an internal error", spoil: at("prompts/get", fails(-32603, "oops")), check: "unknown_prompt", says: "a client reads it as server_error"},

	{name: "the tool takes anything", spoil: at("tools/call", func(a *answer) {
		if a.err == nil {
			a.result["isError"] = false
		}
	}), check: "bad_arguments", says: "the tool takes them"},
	{name: "the tool does not say why", spoil: at("tools/call", func(a *answer) {
		if a.err == nil {
			a.result["content"] = []params{{"type": "text", "text": "Invalid input"}}
		}
	}), check: "bad_arguments", says: "its text names no argument", all: true},
	{name: "the tool refuses with an error", spoil: at("tools/call", func(a *answer) {
		if a.err == nil {
			a.fail(200, -32602, "Invalid arguments: a must be a number", nil)
		}
	}), check: "bad_arguments", verdict: Advice, says: "not with isError"},
	{name: "the cursor is passed over", spoil: func(q *asked, a *answer) {
		if q.Params.Cursor != "" {
			gives(params{"tools": []any{}, "resultType": "complete"})(a)
		}
	}, check: "bad_cursor", verdict: Advice, says: "it passes over the cursor"},
	{name: "the cursor breaks it", spoil: func(q *asked, a *answer) {
		if q.Params.Cursor != "" {
			a.silent = true
		}
	}, check: "bad_cursor", says: "it stays silent", all: true},

	{name: "broken JSON as an internal error", spoil: atBroken(fails(-32603, "oops")), check: "broken_json", says: "its code is -32603, not -32700", all: true},
	{name: "broken JSON with an id", spoil: atBroken(func(a *answer) { a.id = json.RawMessage(`"server-error"`) }), check: "broken_json", says: "its id is ‹\"server-error\"›", all: true},
	{name: "broken JSON with a page", over: overHTTP, spoil: atBroken(shows(400, "text/html", aPage)), check: "broken_json", says: "an HTML page"},
	{name: "broken JSON with nothing", over: overHTTP, spoil: atBroken(shows(400, "text/plain", "")), check: "broken_json", says: "no body"},
	{name: "broken JSON with 500", over: overHTTP, spoil: atBroken(func(a *answer) { a.status = 500 }), check: "broken_json", says: "its HTTP status is 500", all: true},
	{name: "broken JSON with 200", over: overHTTP, spoil: atBroken(func(a *answer) { a.status = 200 }), check: "broken_json", verdict: Advice, says: "its HTTP status is 200, not 400"},
	{name: "broken JSON drops", over: overHTTP, spoil: atBroken(func(a *answer) { a.drop = true }), check: "broken_json", says: "it drops the connection"},
	{name: "broken JSON ends it", over: overStdio, spoil: atBroken(func(a *answer) { a.drop = true }), check: "broken_json", says: "its process ends"},
	{name: "broken JSON in silence", over: overStdio, spoil: atBroken(func(a *answer) { a.silent = true }), check: "broken_json", says: "it stays silent"},
	{name: "no request as broken JSON", spoil: atNoRequest(func(a *answer) { a.err.Code = -32700 }), check: "no_request", says: "its code is -32700, not -32600", all: true},
	{name: "no request as accepted", over: overHTTP, spoil: atNoRequest(shows(202, "text/plain", "")), check: "no_request", says: "no body"},
	{name: "no request in silence", over: overStdio, spoil: atNoRequest(func(a *answer) { a.silent = true }), check: "no_request", says: "it stays silent"},

	{name: "any version will do", spoil: func(q *asked, a *answer) {
		if q.Params.Meta[proto.MetaVersion] == noVersion {
			gives(params{"resultType": "complete", "supportedVersions": []string{noVersion}, "capabilities": params{}})(a)
		}
	}, era: modernEra, check: "unknown_version", says: "it answers with a result"},
	{name: "a version is refused without a word", spoil: func(q *asked, a *answer) {
		if q.Params.Meta[proto.MetaVersion] == noVersion && a.err != nil && a.err.Code == -32022 {
			a.err.Data = nil
		}
	}, era: modernEra, check: "unknown_version", says: "data.supported what it speaks", all: true},
	{name: "a version is refused with 200", over: overHTTP, spoil: func(q *asked, a *answer) {
		if q.Params.Meta[proto.MetaVersion] == noVersion {
			a.status = 200
		}
	}, era: modernEra, check: "unknown_version", says: "its HTTP status is 200, not 400", all: true},
	{name: "any version is agreed to", spoil: func(q *asked, a *answer) {
		if q.Params.ProtocolVersion == noVersion {
			a.result["protocolVersion"] = noVersion
		}
	}, era: legacyEra, check: "unknown_version", says: "it agrees to 1900-01-01", all: true},
	{name: "any version in the header", over: overHTTP, era: legacyEra, spoil: func(q *asked, a *answer) {
		if q.header.Get(headerVersion) == noVersion && q.Method == "ping" {
			gives(params{})(a)
		}
	}, check: "unspoken_version", says: "its HTTP status is 200, not 400", all: true},

	{name: "the method header is not looked at", over: overHTTP, era: modernEra, spoil: func(q *asked, a *answer) {
		if h := q.header.Get(headerMethod); h == "tools/list" && q.Method != h {
			gives(params{"resultType": "complete", "supportedVersions": []string{interpret.Version20260728}, "capabilities": params{}})(a)
		}
	}, check: "method_header", says: "it answers with a result", all: true},
	{name: "the version header is refused with another code", over: overHTTP, era: modernEra, spoil: func(q *asked, a *answer) {
		if q.header.Get(headerVersion) == interpret.Version20251125 {
			a.fail(400, -32600, "Bad Request", nil)
		}
	}, check: "version_header", says: "its code is -32600, not -32020", all: true},
	{name: "_meta is not missed", era: modernEra, spoil: func(q *asked, a *answer) {
		if q.is("server/discover") && q.Params.Meta == nil {
			gives(params{"resultType": "complete", "supportedVersions": []string{interpret.Version20260728}, "capabilities": params{}})(a)
		}
	}, check: "missing_meta", says: "it answers with a result", all: true},
	{name: "_meta is missed with 200", over: overHTTP, era: modernEra, spoil: func(q *asked, a *answer) {
		if q.is("server/discover") && q.Params.Meta == nil {
			a.status = 200
		}
	}, check: "missing_meta", says: "its HTTP status is 200, not 400"},

	{name: "Accept breaks it", over: overHTTP, spoil: func(q *asked, a *answer) {
		if q.header.Get("Accept") == "text/plain" {
			a.status = 500
		}
	}, check: "wrong_accept", says: "its HTTP status is 500, not 406", all: true},
	{name: "Accept is refused with 400", over: overHTTP, spoil: func(q *asked, a *answer) {
		if q.header.Get("Accept") == "text/plain" {
			a.status = 400
		}
	}, check: "wrong_accept", verdict: Advice, says: "its HTTP status is 400, not 406"},
	{name: "Content-Type draws a page", over: overHTTP, spoil: func(q *asked, a *answer) {
		if q.header.Get("Content-Type") == "text/plain" {
			a.page(415, "text/html", aPage)
		}
	}, check: "wrong_content_type", says: "an HTML page", all: true},
	{name: "plain text is served", over: overHTTP, spoil: func(q *asked, a *answer) {
		if q.header.Get("Content-Type") == "text/plain" {
			gives(params{"resultType": "complete", "supportedVersions": []string{interpret.Version20260728}, "capabilities": params{}})(a)
			a.id = q.ID
		}
	}, check: "wrong_content_type", verdict: Advice, says: "it takes plain text for a request"},
	{name: "any page is served", over: overHTTP, spoil: func(q *asked, a *answer) {
		if q.header.Get("Origin") != "" {
			gives(params{"resultType": "complete", "supportedVersions": []string{interpret.Version20260728}, "capabilities": params{}})(a)
			a.id = q.ID
		}
	}, check: "foreign_origin", says: "it serves the request", all: true},
	{name: "a page is refused with 400", over: overHTTP, spoil: func(q *asked, a *answer) {
		if q.header.Get("Origin") != "" {
			a.status = 400
		}
	}, check: "foreign_origin", says: "its HTTP status is 400, not 403"},
	{name: "credentials are refused without a challenge", over: overHTTP, spoil: func(q *asked, a *answer) {
		if a.status == 401 {
			a.header.Del("WWW-Authenticate")
		}
	}, check: "no_credentials", says: "it has no Bearer challenge", all: true},
	{name: "credentials are refused with 403", over: overHTTP, spoil: func(q *asked, a *answer) {
		if a.status == 401 {
			a.fail(403, -32000, "no", nil)
		}
	}, check: "no_credentials", says: "its HTTP status is 403, not 401"},
	{name: "the metadata lead nowhere", over: overHTTP, spoil: func(q *asked, a *answer) {
		if strings.HasPrefix(q.path, "/.well-known/") {
			a.page(404, "text/plain", "")
		}
	}, check: "no_credentials", says: "nothing names an authorization server"},
	{name: "any session will do", over: overHTTP, era: legacyEra, spoil: func(q *asked, a *answer) {
		if a.status == 404 && q.is("ping") {
			gives(params{})(a)
		}
	}, check: "unknown_session", says: "it takes a session that it never gave"},
	{name: "a lost session is a bad request", over: overHTTP, era: legacyEra, spoil: func(q *asked, a *answer) {
		if a.status == 404 && q.is("ping") {
			a.status = 400
		}
	}, check: "unknown_session", says: "its HTTP status is 400, not 404", all: true},

	{name: "a trace of Python", spoil: at("prompts/get", func(a *answer) {
		a.fail(200, -32602, "Unknown prompt\nTraceback (most recent call last):\n  File \"server.py\", line 3", nil)
	}), check: "stack_trace", says: "‹Traceback (most recent call last)›, in its answer to unknown_prompt"},
	{name: "a trace of JavaScript", spoil: at(noMethod, func(a *answer) {
		a.err.Data = params{"stack": "Error: no\n    at handle (server.js:10:5)"}
	}), check: "stack_trace", says: "server.js:10:5", all: true},
	{name: "a trace of Java", spoil: at(noMethod, func(a *answer) {
		a.fail(a.status, -32601, "Method not found", "java.lang.Error\n\tat io.example.Server.handle(Server.java:12)")
	}), check: "stack_trace", says: "Server.java:12"},
	{name: "a trace of Go", spoil: at(noMethod, func(a *answer) {
		a.fail(a.status, -32601, "panic\n\ngoroutine 7 [running]:\nmain.main()", nil)
	}), check: "stack_trace", says: "goroutine 7 [running"},
	{name: "a private address", spoil: at(noMethod, func(a *answer) { a.err.Message += " at 10.1.2.3:5432" }), check: "internal_host", says: "‹10.1.2.3:5432›, in its answer to unknown_method", all: true},
	{name: "a name of the cluster", spoil: at(noMethod, func(a *answer) { a.err.Message += " by db.prod.svc.cluster.local" }), check: "internal_host", says: "db.prod.svc.cluster.local"},
	{name: "a path", spoil: at(noMethod, func(a *answer) { a.err.Message += ": see /home/deploy/app/server.py" }), check: "file_path", says: "‹/home/deploy/app/server.py›", all: true},
	{name: "a path of Windows", spoil: at(noMethod, func(a *answer) { a.err.Message += `: see C:\srv\app.exe` }), check: "file_path", says: `C:\srv\app.exe`},
	{name: "a key", spoil: at(noMethod, func(a *answer) { a.err.Message += " api_key=sk-live-0123456789abcdef" }), check: "secret", says: "[redacted]", all: true},
	{name: "a reserved code", spoil: at(noMethod, fails(-32050, "no")), check: "reserved_code", says: "its code is -32050, in its answer to unknown_method", also: []string{"unknown_method"}},
	{name: "a result without its type", era: modernEra, spoil: at("tools/list", func(a *answer) { delete(a.result, "resultType") }), check: "result_type", says: "in its answer to tool_list"},
	{name: "a code that is a text", spoil: at(noMethod, fails("METHOD_NOT_FOUND", "no")), check: "unknown_method", says: "its code is ‹\"METHOD_NOT_FOUND\"›, not -32601", also: []string{"envelope"}},
	{name: "an error that is a text", spoil: at(noMethod, func(a *answer) {
		a.extra = map[string]any{"error": "no"}
	}), check: "envelope", says: "its error is no object", also: []string{"unknown_method"}},
	{name: "no jsonrpc", spoil: at(noMethod, func(a *answer) { a.extra = map[string]any{"jsonrpc": nil} }), check: "envelope", says: `it lacks jsonrpc "2.0"`, all: true},
	{name: "another id", spoil: at(noMethod, func(a *answer) { a.id = json.RawMessage("null") }), check: "envelope", says: "lacks the id of the request"},
	{name: "another content type", over: overHTTP, spoil: at(noMethod, func(a *answer) { a.header.Set("Content-Type", "text/plain") }), check: "envelope", says: "another content type"},
	{name: "noise", over: overStdio, spoil: at(noMethod, func(a *answer) {
		raw := "starting up\n" + string(a.body())
		a.raw = &raw
	}), check: "envelope", says: "lines on standard output are no JSON-RPC"},
}

// worst are faults that only the server that does everything wrong has, in place of others on the same question.
var worst = []spoiling{
	{name: "a reserved code to a page", spoil: at("tools/list", func(a *answer) { a.fail(200, -32077, "Internal error", nil) }), check: "reserved_code", says: "its code is -32077"},
	{name: "results without their type", era: modernEra, spoil: func(_ *asked, a *answer) { delete(a.result, "resultType") }, check: "result_type", says: "its result has no resultType"},
}
