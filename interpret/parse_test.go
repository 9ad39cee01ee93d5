package interpret_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"slices"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

func TestEveryMemberOfARequest(t *testing.T) {
	const legacy, current = interpret.Version20251125, interpret.Version20260728
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},` +
		`"io.modelcontextprotocol/clientCapabilities":{"sampling":{},"elicitation":{"form":{},"url":{}}}}`
	capabilities := []string{"elicitation.form", "elicitation.url", "sampling"}
	for _, c := range []struct {
		name, body string
		h          http.Header
		want       interpret.Request
	}{
		{"a tool call on stdio", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{}}}`, nil,
			interpret.Request{Transport: interpret.Stdio, Method: "tools/call", ID: "1", Target: "add", Arguments: interpret.ArgumentsObject}},
		{"in a session", `{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"add"}}`,
			http.Header{"Mcp-Session-Id": {"s"}, "Mcp-Protocol-Version": {legacy}, "Accept": {"*/*"}},
			interpret.Request{Method: "tools/call", ID: `"a"`, Target: "add", Version: legacy, Session: true, Headers: http.Header{"Mcp-Protocol-Version": {legacy}}}},
		{"one that declares itself", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"c",` + meta + `}}`,
			http.Header{"Mcp-Protocol-Version": {current}, "Mcp-Method": {"tools/list"}},
			interpret.Request{Method: "tools/list", ID: "1", Version: current, Meta: interpret.PresentAll, Cursor: true, Capabilities: capabilities,
				Headers: http.Header{"Mcp-Protocol-Version": {current}, "Mcp-Method": {"tools/list"}}}},
		{"its own version before the header's", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + meta + `}}`, http.Header{"Mcp-Protocol-Version": {legacy}},
			interpret.Request{Method: "ping", ID: "1", Version: current, Meta: interpret.PresentAll, Capabilities: capabilities, Headers: http.Header{"Mcp-Protocol-Version": {legacy}}}},
		{"one that declares a part", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`, nil,
			interpret.Request{Transport: interpret.Stdio, Method: "ping", ID: "1", Version: current, Meta: interpret.PresentPartial}},
		{"or another", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":{"roots":{}}}}}`, nil,
			interpret.Request{Transport: interpret.Stdio, Method: "ping", ID: "1", Meta: interpret.PresentPartial, Capabilities: []string{"roots"}}},
		{"a _meta that declares nothing", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"progressToken":1}}}`, nil,
			interpret.Request{Transport: interpret.Stdio, Method: "ping", ID: "1"}},
		{"the handshake", `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true}}}}`, http.Header{},
			interpret.Request{Method: "initialize", ID: "0", Version: legacy, Capabilities: []string{"roots.listChanged"}, Headers: http.Header{}}},
		{"a notification", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, nil,
			interpret.Request{Transport: interpret.Stdio, Method: "notifications/initialized"}},
		{"a resource", `{"jsonrpc":"2.0","id":-1.5,"method":"resources/read","params":{"uri":"file:\/\/\/a"}}`, nil,
			interpret.Request{Transport: interpret.Stdio, Method: "resources/read", ID: "-1.5", Target: "file:///a"}},
		{"a prompt", `{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"p","arguments":[1]}}`, nil,
			interpret.Request{Transport: interpret.Stdio, Method: "prompts/get", ID: "1", Target: "p", Arguments: interpret.ArgumentsOther}},
		{"a task", `{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"taskId":"t"}}`, nil,
			interpret.Request{Transport: interpret.Stdio, Method: "tasks/get", ID: "1", Target: "t"}},
		{"a call as a task, with a state", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":null,"task":{"ttl":1},"requestState":"s"}}`, nil,
			interpret.Request{Transport: interpret.Stdio, Method: "tools/call", ID: "1", Target: "add", Arguments: interpret.ArgumentsOther, Task: true, State: interpret.StateFirst}},
		{"a name that is no string", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":1}}`, nil,
			interpret.Request{Transport: interpret.Stdio, Method: "tools/call", ID: "1"}},
		{"escaped names", `{"jsonrpc":"2.0","id":1,"m\u0065thod":"tools/call","params":{"n\u0061me":"add"}}`, nil,
			interpret.Request{Transport: interpret.Stdio, Method: "tools/call", ID: "1", Target: "add"}},
		{"members of other methods", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"name":"a","uri":"b","taskId":"c","cursor":"d","arguments":{},"":"e","protocolVersion":"x","capabilities":{"y":{}}}}`, nil,
			interpret.Request{Transport: interpret.Stdio, Method: "ping", ID: "1"}},
		{"params that are no object", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":["add"]}`, nil,
			interpret.Request{Transport: interpret.Stdio, Method: "tools/call", ID: "1"}},
	} {
		got, err := interpret.ParseRequest([]byte(c.body), c.h)
		c.want.Body = []byte(c.body)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %s\ngot  %+v, %v\nwant %+v", c.name, c.body, got, err, c.want)
		}
	}
}

func TestWhatIsNoRequest(t *testing.T) {
	for body, id := range map[string]string{
		``: ``, `{`: ``, `[]`: ``, `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`: ``, `"ping"`: ``, `null`: ``,
		`{"id":1,"method":"ping"}`:                                          `1`,
		`{"jsonrpc":"1.0","id":1,"method":"ping"}`:                          `1`,
		`{"jsonrpc":"2.0","id":1}`:                                          `1`,
		`{"jsonrpc":"2.0","id":1,"method":""}`:                              `1`,
		`{"jsonrpc":"2.0","id":1,"method":1}`:                               `1`,
		`{"jsonrpc":"2.0","id":null,"method":"ping"}`:                       `null`,
		`{"jsonrpc":"2.0","id":{},"method":"ping"}`:                         `{}`,
		`{"jsonrpc":"2.0","id":true,"method":"ping"}`:                       `true`,
		`{"jsonrpc":"2.0","id":1,"result":{}}`:                              `1`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","result":{}}`:              `1`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","method":"x"}`:             `1`,
		`{"jsonrpc":"2.0","id":1,"method":"ping"} x`:                        `1`,
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\",\"a\":\"\xff\"}": `1`,
	} {
		req, err := interpret.ParseRequest([]byte(body), http.Header{})
		if !errors.Is(err, interpret.ErrNotRequest) || req.Method != "" || req.ID != id {
			t.Errorf("%s: got %q with the id %q, %v", body, req.Method, req.ID, err)
		}
		o := interpret.Reply(interpret.Exchange{Request: req, Status: 400})
		if o.Kind != interpret.InvalidRequest || o.Leave != interpret.LeaveNever {
			t.Errorf("%s: 400 to it reads as %s", body, brief(o))
		}
	}
}

// The facts that a label gives are those that the bytes say, where there are bytes.
func TestRequestsOfTheCorpus(t *testing.T) {
	real := 0
	for _, c := range corpus(t) {
		want := c.x.Request
		body, h := sent(&want)
		got, err := interpret.ParseRequest(body, h)
		if (err == nil) != (want.Method != "") {
			t.Errorf("%s: %v", c.ID, err)
			continue
		}
		if want.Method == "" {
			if got.ID != want.ID {
				t.Errorf("%s: no request, with the id %s, want %s", c.ID, got.ID, want.ID)
			}
			continue
		}
		bytesSay := func(member string) bool {
			var params struct {
				Params map[string]json.RawMessage `json:"params"`
			}
			_ = json.Unmarshal(body, &params)
			_, there := params.Params[member]
			return want.Body == nil || there
		}
		if want.Body != nil {
			real++
		}
		fault := func(fact string, got, want any) { t.Errorf("%s: %s is %v, want %v\n%s", c.ID, fact, got, want, body) }
		if got.Method != want.Method || got.ID != want.ID || got.Transport != want.Transport || got.Session != want.Session {
			fault("the envelope", got.Method+" "+got.ID, want.Method+" "+want.ID)
		}
		if got.Target != want.Target && (targets(want.Method) || got.Target != "") {
			fault("the target", got.Target, want.Target)
		}
		if got.Arguments != want.Arguments || got.Cursor != want.Cursor || got.Task != want.Task {
			fault("what the params hold", []any{got.Arguments, got.Cursor, got.Task}, []any{want.Arguments, want.Cursor, want.Task})
		}
		if (got.State == interpret.StateNone) != (want.State == interpret.StateNone) {
			fault("the state", got.State, want.State)
		}
		if bytesSay("_meta") && got.Meta != want.Meta {
			fault("_meta", got.Meta, want.Meta)
		}
		if want.Meta == interpret.PresentAll && bytesSay("_meta") || want.Method == "initialize" && bytesSay("capabilities") {
			if slices.Sort(want.Capabilities); !slices.Equal(got.Capabilities, want.Capabilities) && len(got.Capabilities)+len(want.Capabilities) > 0 {
				fault("the capabilities", got.Capabilities, want.Capabilities)
			}
			if got.Version != want.Version {
				fault("the version", got.Version, want.Version)
			}
		}
	}
	if real == 0 {
		t.Error("no case has the bytes that were sent")
	}
}

// targets reports whether requests of a method name something.
func targets(method string) bool {
	return slices.Contains([]string{"tools/call", "prompts/get", "resources/read", "tasks/get", "tasks/result", "tasks/cancel"}, method)
}

func FuzzParseRequest(f *testing.F) {
	for _, c := range seeds(f) {
		body, h := sent(&c.x.Request)
		f.Add(body, h.Get("Mcp-Protocol-Version"), h != nil)
	}
	f.Fuzz(func(t *testing.T, body []byte, version string, overHTTP bool) {
		var h http.Header
		if overHTTP {
			h = http.Header{"Mcp-Protocol-Version": {version}, "Authorization": {"Bearer secret"}, "Mcp-Session-Id": {"s"}}
		}
		req, err := interpret.ParseRequest(body, h)
		if again, _ := interpret.ParseRequest(body, h); !reflect.DeepEqual(req, again) {
			t.Error("parsed twice, and apart")
		}
		if (err == nil) != (req.Method != "") || err != nil && !errors.Is(err, interpret.ErrNotRequest) {
			t.Errorf("%q, %v", req.Method, err)
		}
		if err == nil && (!json.Valid(body) || req.ID != "" && !json.Valid([]byte(req.ID))) {
			t.Errorf("a request of no JSON, or its id %q", req.ID)
		}
		if req.Cursor && req.ModelCall() || req.Arguments != interpret.ArgumentsAbsent && !req.ModelCall() || len(req.Capabilities) > 1024 {
			t.Errorf("%+v", req)
		}
		for name := range req.Headers {
			if name != "Mcp-Protocol-Version" {
				t.Errorf("keeps the header %s", name)
			}
		}
		soundly(t, interpret.Exchange{Request: req, Status: 404, Header: jsonBody, Body: []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"Method not found"}}`)})
	})
}
