package mcpgo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcperr/mcperr/internal/adapt"
	"github.com/mcperr/mcperr/interpret"
)

// unmask says what came of a request as far as an error of mcp-go's tells, where nothing was recorded.
func unmask(req interpret.Request, err error, sent interpret.Delivery) interpret.Exchange {
	x := interpret.Exchange{Request: req}
	fail := func(what interpret.FailureWhat) interpret.Exchange {
		x.Failure = &interpret.Failure{What: what, Delivery: sent, Err: err}
		return x
	}
	var auth *transport.AuthorizationRequiredError
	switch {
	case errors.Is(err, context.Canceled):
		return fail(interpret.FailedCancelled)
	case errors.Is(err, context.DeadlineExceeded):
		return fail(interpret.FailedTimeout)
	case errors.Is(err, transport.ErrSessionTerminated): // any 404
		x.Status = http.StatusNotFound
		return x
	case errors.Is(err, transport.ErrLegacySSEServer): // any other 4xx to initialize
		x.Request.Method, x.Status = "initialize", http.StatusMethodNotAllowed
		return x
	case errors.As(err, &auth):
		x.Status, x.Header = http.StatusUnauthorized, http.Header{}
		if auth.ResourceMetadataURL != "" {
			x.Header.Set("WWW-Authenticate", fmt.Sprintf("Bearer resource_metadata=%q", auth.ResourceMetadataURL))
		}
		return x
	case errors.Is(err, transport.ErrAuthorizationRequired), errors.Is(err, transport.ErrOAuthAuthorizationRequired):
		x.Status = http.StatusUnauthorized
		return x
	case errors.Is(err, transport.ErrTransportClosed), errors.Is(err, io.EOF):
		return fail(interpret.FailedEOF)
	}
	if code, message, data, ok := unmaskCode(err); ok {
		return adapt.Line(req, errorLine(req.ID, code, message, data))
	}
	return unmaskText(x, err, fail)
}

// unmaskCode finds the code behind an error that mcp-go made of one; data is what it kept of that.
func unmaskCode(err error) (code int, message string, data any, ok bool) {
	var version mcp.UnsupportedProtocolVersionError
	var header mcp.HeaderMismatchError
	var capability mcp.MissingRequiredClientCapabilityError
	var visit mcp.URLElicitationRequiredError
	switch {
	case errors.As(err, &version):
		return mcp.UNSUPPORTED_PROTOCOL_VERSION, err.Error(), map[string]any{"supported": version.Supported, "requested": version.Version}, true
	case errors.As(err, &header):
		return mcp.HEADER_MISMATCH, header.Reason, nil, true
	case errors.As(err, &capability):
		return mcp.MISSING_REQUIRED_CLIENT_CAPABILITY, err.Error(), nil, true
	case errors.As(err, &visit):
		return mcp.URL_ELICITATION_REQUIRED, err.Error(), map[string]any{"elicitations": visit.Elicitations}, true
	}
	for sentinel, code := range map[error]int{
		mcp.ErrParseError: mcp.PARSE_ERROR, mcp.ErrInvalidRequest: mcp.INVALID_REQUEST, mcp.ErrMethodNotFound: mcp.METHOD_NOT_FOUND,
		mcp.ErrInvalidParams: mcp.INVALID_PARAMS, mcp.ErrInternalError: mcp.INTERNAL_ERROR, mcp.ErrResourceNotFound: mcp.RESOURCE_NOT_FOUND,
	} {
		if errors.Is(err, sentinel) {
			return code, strings.TrimPrefix(err.Error(), sentinel.Error()+": "), nil, true
		}
	}
	return 0, "", nil, false
}

// unmaskText reads what mcp-go says in words only.
func unmaskText(x interpret.Exchange, err error, fail func(interpret.FailureWhat) interpret.Exchange) interpret.Exchange {
	said := err.Error()
	has := func(s string) bool { return strings.Contains(said, s) }
	var status int
	if _, after, ok := strings.Cut(said, "request failed with status "); ok {
		if n, _ := fmt.Sscanf(after, "%d:", &status); n == 1 {
			_, body, _ := strings.Cut(after, ": ")
			x.Status, x.Body = status, []byte(body)
			return x
		}
	}
	switch {
	case has("unexpected nil response"):
		x.Status, x.Header = http.StatusOK, http.Header{"Content-Type": {"text/event-stream"}}
	case has("unexpected content type: text/html"):
		x.Status, x.Header, x.Body = http.StatusOK, http.Header{"Content-Type": {"text/html"}}, []byte("<html>")
	case has("unexpected content type"), has("failed to decode response"), has("failed to unmarshal response"), has("response should contain RPC id"):
		x.Status = http.StatusOK
	default:
		return fail(interpret.FailedReset)
	}
	return x
}

func errorLine(id string, code int, message string, data any) []byte {
	type fault struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
		Data    any    `json:"data,omitempty"`
	}
	line, _ := json.Marshal(struct { // nothing in it fails to
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   fault           `json:"error"`
	}{"2.0", json.RawMessage(id), fault{code, message, data}})
	return line
}
