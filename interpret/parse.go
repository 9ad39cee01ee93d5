package interpret

import (
	"bytes"
	"errors"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/mcperr/mcperr/internal/proto"
)

// ErrNotRequest says that what was sent is neither a JSON-RPC request nor a notification: no JSON, no UTF-8, no object, another jsonrpc, no method,
// or an id that is no string and no number.
var ErrNotRequest = errors.New("interpret: the body is no JSON-RPC request: it needs jsonrpc \"2.0\", a method, and an id that is a string or a number")

// ParseRequest reads the facts of a request from the bytes sent and the headers that went with them; a nil header means stdio.
// What only the host knows (Era, Known, ParamHeaders, InFlight, and StateAgain) is left for the host to set. Body and headers are shared, not copied.
// For what is no request it returns [ErrNotRequest] beside a Request that [Reply] reads as one of those, so the error may be ignored.
func ParseRequest(body []byte, h http.Header) (Request, error) {
	req := Request{Body: body}
	if h == nil {
		req.Transport = Stdio
	} else {
		req.Headers = mcpHeaders(h)
		req.Session = h.Get("Mcp-Session-Id") != ""
		req.Version = h.Get("MCP-Protocol-Version")
	}
	m := readMessage(body)
	req.ID = string(m.id) // of what is no request, too: a server may answer under it
	if !utf8.Valid(body) || m.form != isRPC || m.broken() || !m.jsonrpc || m.method == "" || m.hasResult || m.hasError || !validID(m.id) {
		return req, ErrNotRequest
	}
	req.Method = m.method
	req.readParams(m.params)
	return req, nil
}

// validID: absent, a string or a number.
func validID(id []byte) bool {
	return id == nil || id[0] == '"' || id[0] == '-' || id[0] >= '0' && id[0] <= '9'
}

func (r *Request) readParams(params []byte) {
	members(params, func(name, v []byte) bool {
		switch string(name) {
		case "name", "uri", "taskId":
			if string(name) == proto.TargetName(r.Method) {
				r.Target = string(text(v))
			}
		case "arguments":
			if r.Method == "tools/call" || r.Method == "prompts/get" {
				if r.Arguments = ArgumentsOther; isObject(v) {
					r.Arguments = ArgumentsObject
				}
			}
		case "cursor":
			r.Cursor = r.isList()
		case "requestState":
			r.State = StateFirst
		case "task":
			r.Task = true
		case "_meta":
			r.readMeta(v)
		case "protocolVersion":
			if r.Method == "initialize" {
				r.Version = string(text(v))
			}
		case "capabilities":
			if r.Method == "initialize" {
				r.Capabilities = leaves(v)
			}
		}
		return true
	})
}

func (r *Request) readMeta(meta []byte) {
	version, capabilities := text(member(meta, proto.MetaVersion)), member(meta, proto.MetaCapabilities)
	switch {
	case version != nil && isObject(capabilities):
		r.Meta = PresentAll
	case bytes.Contains(meta, []byte(proto.MetaPrefix)):
		r.Meta = PresentPartial
	}
	if version != nil {
		r.Version = string(version)
	}
	if isObject(capabilities) {
		r.Capabilities = leaves(capabilities)
	}
}

// mcpHeaders keeps the headers that a server compares with the body.
func mcpHeaders(h http.Header) http.Header {
	kept := http.Header{}
	for name, v := range h {
		if n := strings.ToLower(name); strings.HasPrefix(n, "mcp-") && n != "mcp-session-id" {
			kept[http.CanonicalHeaderKey(name)] = v
		}
	}
	return kept
}
