package client

import (
	"encoding/base64"
	"net/http"
	"strings"
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

// Marks of a header value that is carried in Base64.
const (
	sentinelOpen  = "=?base64?"
	sentinelClose = "?="
)

// headerValue returns s as a header can carry it: as it is, or in Base64 between the sentinel's marks
// if it has other characters than printable ASCII, leads or ends with white space, or looks like the sentinel itself.
func headerValue(s string) string {
	if s == strings.TrimSpace(s) && !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 || r > 0x7e }) &&
		!(strings.HasPrefix(s, sentinelOpen) && strings.HasSuffix(s, sentinelClose)) {
		return s
	}
	return sentinelOpen + base64.StdEncoding.EncodeToString([]byte(s)) + sentinelClose
}

// mirrorHeaders sets the headers by which 2026-07-28 mirrors a request's body: its method, its name, and the
// parameters that the tool's schema wants mirrored.
func mirrorHeaders(h http.Header, method string, params object, mirrored []paramHeader) {
	h.Set(headerMethod, method)
	if key := targetKey(method); key != "" && params.get(key) != nil {
		h.Set(headerName, headerValue(params.text(key)))
	}
	arguments, err := parseObject(params.get("arguments"))
	if err != nil {
		return // without arguments there is nothing to mirror
	}
	for _, p := range mirrored {
		if v, ok := p.value(arguments); ok {
			h.Set(headerParamPrefix+p.name, headerValue(v))
		}
	}
}

// targetKey names the member of params that says what a request is about, "" if none does.
func targetKey(method string) string {
	switch method {
	case "tools/call", "prompts/get":
		return "name"
	case "resources/read":
		return "uri"
	case "tasks/get", "tasks/result", "tasks/cancel", "tasks/update":
		return "taskId"
	}
	return ""
}
