package client

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
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
	if len(v) > returnedMost || !isFieldValue(v) {
		return ""
	}
	return v
}

// isFieldValue reports whether net/http sends v as the value of a header: it has no control character but tabs.
func isFieldValue(v string) bool {
	return !strings.ContainsFunc(v, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f })
}

// sendable returns an error if a host's headers cannot be sent, which quotes no value: it may be a secret.
func sendable(h http.Header) error {
	for _, name := range slices.Sorted(maps.Keys(h)) {
		if !isToken(name) {
			return errors.New("client: a header whose name is none")
		}
		if i := slices.IndexFunc(h[name], func(v string) bool { return !isFieldValue(v) }); i >= 0 {
			return fmt.Errorf("client: the value of the header %s has a control character", name)
		}
	}
	return nil
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
