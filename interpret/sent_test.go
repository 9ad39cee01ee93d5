package interpret_test

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/mcperr/mcperr/interpret"
)

// sent writes a request whose facts are those of r: its bytes, and the headers that would go with them, nil on stdio.
// Where r keeps the bytes that were really sent, it is those.
func sent(r *interpret.Request) (body []byte, h http.Header) {
	if r.Transport == interpret.HTTP {
		h = http.Header{}
		for name, v := range r.Headers {
			h[http.CanonicalHeaderKey(name)] = v
		}
		if r.Version != "" && r.Method != "initialize" {
			h.Set("MCP-Protocol-Version", r.Version)
		}
		if r.Session {
			h.Set("Mcp-Session-Id", "s-1")
		}
	}
	switch {
	case r.Body != nil:
		return r.Body, h
	case r.Method == "" && r.ID == "":
		return nil, h
	case r.Method == "":
		return []byte(`{"id":` + r.ID + `}`), h
	}
	params := map[string]any{}
	if r.Target != "" {
		params[targetOf(r.Method)] = r.Target
	}
	switch r.Arguments {
	case interpret.ArgumentsObject:
		params["arguments"] = map[string]any{"a": 1}
	case interpret.ArgumentsOther:
		params["arguments"] = "no object"
	}
	if r.Cursor {
		params["cursor"] = "page-2"
	}
	if r.State != interpret.StateNone {
		params["requestState"] = "state-1"
	}
	if r.Task {
		params["task"] = map[string]any{}
	}
	const prefix = "io.modelcontextprotocol/"
	switch r.Meta {
	case interpret.PresentAll:
		params["_meta"] = map[string]any{prefix + "protocolVersion": r.Version, prefix + "clientCapabilities": tree(r.Capabilities)}
	case interpret.PresentPartial:
		params["_meta"] = map[string]any{prefix + "protocolVersion": r.Version}
	}
	if r.Method == "initialize" {
		params["protocolVersion"], params["capabilities"] = r.Version, tree(r.Capabilities)
	}
	message := map[string]any{"jsonrpc": "2.0", "method": r.Method, "params": params}
	if r.ID != "" {
		message["id"] = json.RawMessage(r.ID)
	}
	body, err := json.Marshal(message)
	if err != nil {
		panic(err)
	}
	return body, h
}

func targetOf(method string) string {
	switch {
	case method == "resources/read":
		return "uri"
	case strings.HasPrefix(method, "tasks/"):
		return "taskId"
	}
	return "name"
}

// tree is the capabilities object of dotted leaves.
func tree(leaves []string) map[string]any {
	root := map[string]any{}
	for _, l := range leaves {
		at := root
		for step := range strings.SplitSeq(l, ".") {
			next, ok := at[step].(map[string]any)
			if !ok {
				next = map[string]any{}
				at[step] = next
			}
			at = next
		}
	}
	return root
}
