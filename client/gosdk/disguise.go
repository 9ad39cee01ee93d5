package gosdk

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/internal/adapt"
	"github.com/mcperr/mcperr/interpret"
)

// Codes that the SDK gives to its own failures. A server may send them too; without a recorder nobody can tell.
const (
	codeUnknown       = -32001 // "unknown error"
	codeClientClosing = -32003
	codeServerClosing = -32004
	codeRejected      = -32005 // whatever its HTTP transport did not like
)

// unmask says what came of a request as far as an error of the SDK's tells, where nothing was recorded.
// sent is what to think of the request's delivery: no error of the SDK's proves it, for a server may send the like.
func unmask(req interpret.Request, err error, sent interpret.Delivery) interpret.Exchange {
	x := interpret.Exchange{Request: req}
	fail := func(what interpret.FailureWhat, d interpret.Delivery) interpret.Exchange {
		x.Failure = &interpret.Failure{What: what, Delivery: d, Err: err}
		return x
	}
	var wire *jsonrpc.Error
	switch {
	case errors.Is(err, context.Canceled):
		return fail(interpret.FailedCancelled, sent)
	case errors.Is(err, context.DeadlineExceeded):
		return fail(interpret.FailedTimeout, sent)
	case errors.Is(err, mcp.ErrSessionMissing):
		x.Status, x.Request.Session, x.Request.Era = http.StatusNotFound, true, interpret.EraLegacy
		return x
	case errors.Is(err, mcp.ErrConnectionClosed):
		return fail(interpret.FailedEOF, sent)
	case errors.As(err, &wire):
		return unmaskCode(x, wire, err, sent)
	case errors.Is(err, io.EOF):
		return fail(interpret.FailedEOF, sent)
	case strings.Contains(err.Error(), "request terminated without response"):
		x.Status, x.Header = http.StatusOK, http.Header{"Content-Type": {"text/event-stream"}}
		return x
	}
	return fail(interpret.FailedReset, sent)
}

func unmaskCode(x interpret.Exchange, e *jsonrpc.Error, err error, sent interpret.Delivery) interpret.Exchange {
	mine := map[int64]string{codeUnknown: "unknown error", codeClientClosing: "client is closing", codeServerClosing: "server is closing", codeRejected: "rejected by transport"}
	if said, ok := mine[e.Code]; !ok || e.Message != said || e.Data != nil {
		return adapt.Line(x.Request, errorLine(x.Request.ID, e))
	}
	for _, status := range []int{429, 500, 502, 503, 504} { // the SDK says no more of them than this
		if strings.HasSuffix(err.Error(), ": "+http.StatusText(status)) {
			x.Status = status
			return x
		}
	}
	x.Failure = &interpret.Failure{What: interpret.FailedReset, Delivery: sent, Err: err}
	return x
}

func errorLine(id string, e *jsonrpc.Error) []byte {
	line, _ := json.Marshal(struct { // data is JSON that was read before
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *jsonrpc.Error  `json:"error"`
	}{"2.0", json.RawMessage(id), e})
	return line
}
