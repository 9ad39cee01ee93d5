package peers

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	mcpgomcp "github.com/mark3labs/mcp-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client/gosdk"
	"github.com/mcperr/mcperr/client/mcpgo"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// called is what a host gets to know of one call.
type called struct {
	err     error
	isError bool               // a result that says so
	outcome *interpret.Outcome // nil without the adapter
}

// host is one way to call tools.
type host struct {
	name    string
	adapted bool
	connect func(t *testing.T, url string) func(ctx context.Context, tool string) called
}

// loop is a host's: what is longer than a second is not waited for here.
func loop() *retry.Loop {
	return &retry.Loop{Policy: &retry.Policy{FirstDelay: time.Millisecond, HintCap: time.Second}}
}

var hosts = []host{
	{"go-sdk", false, func(t *testing.T, url string) func(context.Context, string) called {
		c := mcp.NewClient(&mcp.Implementation{Name: "h", Version: "1"}, nil)
		cs, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: url}, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cs.Close() })
		if _, err := cs.ListTools(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		return func(ctx context.Context, tool string) called {
			r, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: tool})
			return called{err: err, isError: r != nil && r.IsError}
		}
	}},
	{"mcp-go", false, func(t *testing.T, url string) func(context.Context, string) called {
		c, err := client.NewStreamableHttpClient(url, transport.WithHTTPLogger(quiet))
		if err == nil {
			err = c.Start(t.Context())
		}
		if err == nil {
			_, err = c.Initialize(t.Context(), initialize)
		}
		if err == nil {
			_, err = c.ListTools(t.Context(), mcpgomcp.ListToolsRequest{})
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return func(ctx context.Context, tool string) called {
			r, err := c.CallTool(ctx, callTool(tool))
			return called{err: err, isError: r != nil && r.IsError}
		}
	}},
	{"go-sdk + adapter", true, func(t *testing.T, url string) func(context.Context, string) called {
		s, err := gosdk.Connect(t.Context(), mcp.NewClient(&mcp.Implementation{Name: "h", Version: "1"}, nil), url, loop())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		if _, a := s.ListTools(t.Context(), nil); a.Err() != nil {
			t.Fatal(a.Err())
		}
		return func(ctx context.Context, tool string) called {
			r, a := s.CallTool(ctx, &mcp.CallToolParams{Name: tool})
			return called{a.Err(), r != nil && r.IsError, &a.Outcome}
		}
	}},
	{"mcp-go + adapter", true, func(t *testing.T, url string) func(context.Context, string) called {
		dial := mcpgo.HTTP{Endpoint: url, Options: []transport.StreamableHTTPCOption{transport.WithHTTPLogger(quiet)}}.Dialer()
		s, err := mcpgo.Dial(t.Context(), dial, initialize, loop())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		if _, a := s.ListTools(t.Context()); a.Err() != nil {
			t.Fatal(a.Err())
		}
		return func(ctx context.Context, tool string) called {
			r, a := s.CallTool(ctx, callTool(tool))
			return called{a.Err(), r != nil && r.IsError, &a.Outcome}
		}
	}},
	{"go-sdk, installed", true, func(t *testing.T, url string) func(context.Context, string) called {
		c := mcp.NewClient(&mcp.Implementation{Name: "h", Version: "1"}, nil)
		gosdk.Install(c, loop())
		tr, _ := gosdk.HTTP{Endpoint: url, Listen: true}.Dialer()(t.Context())
		cs, err := c.Connect(t.Context(), tr, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cs.Close() })
		if _, err := cs.ListTools(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		return func(ctx context.Context, tool string) called {
			r, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: tool})
			return called{err, r != nil && r.IsError, &gosdk.Answer(r, err).Outcome}
		}
	}},
	{"mcp-go, wrapped", true, func(t *testing.T, url string) func(context.Context, string) called {
		tr, err := mcpgo.HTTP{Endpoint: url, Options: []transport.StreamableHTTPCOption{transport.WithHTTPLogger(quiet)}}.Dialer()(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c := client.NewClient(mcpgo.Wrap(tr, loop()))
		if err = c.Start(t.Context()); err == nil {
			_, err = c.Initialize(t.Context(), initialize)
		}
		if err == nil {
			_, err = c.ListTools(t.Context(), mcpgomcp.ListToolsRequest{})
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return func(ctx context.Context, tool string) called {
			r, err := c.CallTool(ctx, callTool(tool))
			return called{err, r != nil && r.IsError, &mcpgo.Answer(r, err).Outcome}
		}
	}},
}

var initialize = mcpgomcp.InitializeRequest{Params: mcpgomcp.InitializeParams{ClientInfo: mcpgomcp.Implementation{Name: "h", Version: "1"}}}

func callTool(name string) mcpgomcp.CallToolRequest {
	return mcpgomcp.CallToolRequest{Params: mcpgomcp.CallToolParams{Name: name, Arguments: map[string]any{}}}
}

// codes of the errors that mcp-go makes of some.
var sentinels = map[error]int64{
	mcpgomcp.ErrParseError: -32700, mcpgomcp.ErrInvalidRequest: -32600, mcpgomcp.ErrMethodNotFound: -32601, mcpgomcp.ErrInvalidParams: -32602,
	mcpgomcp.ErrInternalError: -32603, mcpgomcp.ErrResourceNotFound: -32002, mcpgomcp.HeaderMismatchError{}: -32020,
	mcpgomcp.MissingRequiredClientCapabilityError{}: -32021,
}

// codeOf is the JSON-RPC code that a host can find in an error of an SDK.
func codeOf(err error) (int64, bool) {
	var e *interpret.Error
	if errors.As(err, &e) {
		return e.Code, e.HasCode
	}
	var w *jsonrpc.Error
	if errors.As(err, &w) {
		return w.Code, true
	}
	if mcpgomcp.IsUnsupportedProtocolVersion(err) {
		return -32022, true
	}
	for sentinel, code := range sentinels {
		if errors.Is(err, sentinel) {
			return code, true
		}
	}
	return 0, false
}
