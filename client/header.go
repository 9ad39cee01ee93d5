package client

import (
	"net/http"

	"github.com/mcperr/mcperr/internal/proto"
)

// Header names of the Streamable HTTP transport, as the specification writes them.
const (
	headerVersion     = "MCP-Protocol-Version"
	headerSession     = "Mcp-Session-Id"
	headerMethod      = "Mcp-Method"
	headerName        = "Mcp-Name"
	headerParamPrefix = "Mcp-Param-"
	headerLastEvent   = "Last-Event-ID"
)

// mirrorHeaders sets the headers by which 2026-07-28 mirrors a request's body: its method, its name, and the
// parameters that the tool's schema wants mirrored.
func mirrorHeaders(h http.Header, method string, params object, mirrored []paramHeader) {
	h.Set(headerMethod, method)
	if key := proto.TargetName(method); key != "" && params.get(key) != nil {
		h.Set(headerName, proto.EncodeHeader(params.text(key)))
	}
	arguments, err := parseObject(params.get("arguments"))
	if err != nil {
		return // without arguments there is nothing to mirror
	}
	for _, p := range mirrored {
		if v, ok := p.value(arguments); ok {
			h.Set(headerParamPrefix+p.name, proto.EncodeHeader(v))
		}
	}
}
