package gosdk_test

import (
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client/gosdk"
	"github.com/mcperr/mcperr/internal/adapt/adapttest"
	"github.com/mcperr/mcperr/interpret"
)

// TestDisguises reads the errors of a bare SDK, without a tap and without Install, as far as they go.
func TestDisguises(t *testing.T) {
	for _, c := range []struct {
		name    string
		reply   adapttest.Reply
		again   bool // the call after that one, on what is left of the session
		patient bool
		want    interpret.Kind
		ran     interpret.Ran
	}{
		{"429 as -32005", adapttest.Reply{Status: 429}, false, true, interpret.RateLimited, interpret.RanNo},
		{"503 as -32005", down, false, true, interpret.Unavailable, interpret.RanUnknown},
		{"a session that was forgotten", adapttest.Reply{Status: 404}, false, true, interpret.SessionLost, interpret.RanNo},
		{"a client that is closing", adapttest.Reply{Status: 404}, true, true, interpret.ConnectionLost, interpret.RanUnknown},
		{"a stream without an answer", adapttest.Reply{Header: map[string]string{"Content-Type": "text/event-stream"}, Body: ": hi\n\n"}, false, true, interpret.ConnectionLost, interpret.RanUnknown},
		{"a code of the server's own", adapttest.Error(200, -32003, `{"requiredCapabilities":{"sampling":{}}}`), false, true, interpret.ConnectionLost, interpret.RanUnknown},
		{"an error with data", adapttest.Error(200, 7, `{"retryAfterMs":1000}`), false, true, interpret.RateLimited, interpret.RanUnknown},
		{"a deadline", adapttest.Reply{Hang: true}, false, false, interpret.Timeout, interpret.RanUnknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := adapttest.New(t, false)
			cs, err := sdk().Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: s.URL, DisableStandaloneSSE: true}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer cs.Close()
			s.Say("tools/call", c.reply)
			ctx := t.Context()
			if !c.patient {
				ctx = s.Until("tools/call")
			}
			_, err = cs.CallTool(ctx, &mcp.CallToolParams{Name: "t"})
			if c.again {
				_, err = cs.CallTool(ctx, &mcp.CallToolParams{Name: "t"})
			}
			o := gosdk.Answer(nil, err).Outcome
			if o.Kind != c.want || o.Ran != c.ran {
				t.Errorf("%v reads as %s, ran %s; want %s, %s", err, o.Kind, o.Ran, c.want, c.ran)
			}
		})
	}
}

func TestAnswerOfErrorsThatAreNobodys(t *testing.T) {
	for _, c := range []struct {
		err  error
		want interpret.Kind
	}{
		{fmt.Errorf("calling: %w", io.EOF), interpret.ConnectionLost},
		{fmt.Errorf("calling: %w", context.Canceled), interpret.Cancelled},
		{fmt.Errorf("calling: %w", &jsonrpc.Error{Code: -32001, Message: "unknown error"}), interpret.ConnectionLost},
		{fmt.Errorf("calling: %w", &jsonrpc.Error{Code: -32602, Message: "bad"}), interpret.InvalidArguments},
		{fmt.Errorf("calling: %w: x", mcp.ErrConnectionClosed), interpret.ConnectionLost},
		{(&interpret.Outcome{Kind: interpret.Forbidden}).Err(), interpret.Forbidden},
	} {
		if a := gosdk.Answer(nil, c.err); a.Outcome.Kind != c.want || a.Err() == nil {
			t.Errorf("%v reads as %s, want %s", c.err, a.Outcome.Kind, c.want)
		}
	}
}
