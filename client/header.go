package client

import (
	"net/http"
	"strings"

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

// returnedMost bounds what a server has us send back to it as a header, in bytes. Web servers and proxies commonly refuse
// requests with more than 8 KiB of headers.
const returnedMost = 4 << 10

// returnable returns what a server gave to be sent back as a header, "" if it is none (RFC 9110, 5.5) or too long: every request
// with it would fail.
func returnable(v string) string {
	if len(v) > returnedMost || strings.ContainsFunc(v, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return ""
	}
	return v
}

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
