package mcpgo

import (
	"context"
	"slices"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcperr/mcperr/internal/adapt"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// Session is an initialized client of mcp-go's that is replaced when its session is lost. Make it with [Connect] or [Dial];
// it is safe for concurrent use.
type Session struct {
	calls *adapt.Calls
	inner *adapt.Session[*mcpclient.Client]
}

// Connect opens a session with a server behind the Streamable HTTP transport, through the loop; nil is one with the default policy.
// init is what [mcpclient.Client.Initialize] takes: who the host is, and the protocol version it prefers.
func Connect(ctx context.Context, endpoint string, init mcp.InitializeRequest, loop *retry.Loop, opts ...mcpclient.ClientOption) (*Session, error) {
	return Dial(ctx, HTTP{Endpoint: endpoint}.Dialer(), init, loop, opts...)
}

// Dial is [Connect] for any transport. The dialer is asked again when the session has to be replaced: because the server forgot it,
// its process ended, or another protocol version is to be agreed on. The values of ctx are those of every session.
func Dial(ctx context.Context, dial Dialer, init mcp.InitializeRequest, loop *retry.Loop, opts ...mcpclient.ClientOption) (*Session, error) {
	calls, life := adapt.NewCalls(loop), context.WithoutCancel(ctx)
	opener := func(ctx context.Context) adapt.Opener[*mcpclient.Client] {
		t, err := dial(ctx)
		if err == nil {
			t = wrap(t, calls)
		}
		return func(ctx context.Context, version string) (*mcpclient.Client, interpret.Exchange, error) {
			return through(ctx, calls, interpret.Request{Method: "server/discover"}, func(ctx context.Context) (*mcpclient.Client, error) {
				if err != nil {
					return nil, adapt.Unsent(err)
				}
				init, opts := init, opts
				if version != "" {
					init.Params.ProtocolVersion = version
					opts = append(slices.Clone(opts), mcpclient.WithProtocolVersion(version))
				}
				c := mcpclient.NewClient(t, opts...)
				// A process or a listening stream lives as long as the session, not as the call that opened it.
				err := adapt.Unsent(c.Start(life))
				if err == nil {
					_, err = c.Initialize(ctx, init)
				}
				if err != nil {
					c.Close()
					return nil, err
				}
				return c, nil
			})
		}
	}
	inner, err := adapt.NewSession(ctx, calls, adapt.SDK[*mcpclient.Client]{
		Name: "mcp-go", Adapter: "mcpgo", Versions: mcp.ValidProtocolVersions, Closed: transport.ErrTransportClosed, Unmask: unmask, Dial: opener,
		Close:   func(c *mcpclient.Client) { c.Close() },
		Version: (*mcpclient.Client).ProtocolVersion,
	})
	if err != nil {
		return nil, err
	}
	return &Session{calls, inner}, nil
}

// through makes what mcp-go sends one attempt, and says what came of its last request.
func through[R any](ctx context.Context, calls *adapt.Calls, known interpret.Request, call func(context.Context) (R, error)) (R, interpret.Exchange, error) {
	ctx, last := adapt.Capturing(ctx)
	r, err := call(ctx)
	if x, ok := last(); ok {
		return r, x, err
	}
	return r, calls.Unrecorded(known, r, err, unmask), err
}

// Do makes one logical call: call is asked to make it with the client that there is, as often as the loop says. It must send one request, with the
// context that it is given: what goes out with another is a call of its own, of which no more is known than what it came to.
// method and target name what it sends, for the policy's rules and the host's word on what may run twice: a tool, a prompt, the URI of a resource,
// "" if it is about nothing that has a name. The result is mcp-go's, zero if there is none.
func Do[R any](ctx context.Context, s *Session, method, target string, call func(context.Context, *mcpclient.Client) (R, error)) (R, *retry.Answer) {
	known := interpret.Request{Method: method, Target: target}
	again := func(context.Context, *mcpclient.Client, *retry.Call) error { return nil } // every attempt begins anew, and makes its headers from its body
	own := map[interpret.Remedy]func(context.Context, *mcpclient.Client, *retry.Call) error{
		interpret.RestartCall: again, interpret.RebuildHeaders: again,
		interpret.RefreshTools: func(ctx context.Context, c *mcpclient.Client, _ *retry.Call) error {
			_, err := c.ListTools(ctx, mcp.ListToolsRequest{})
			return err
		},
	}
	r, a := adapt.Do(ctx, s.inner, known, own, func(ctx context.Context, c *mcpclient.Client) (R, interpret.Exchange, error) {
		return through(ctx, s.calls, known, func(ctx context.Context) (R, error) { return call(ctx, c) })
	})
	keep(r, a)
	return r, a
}

// CallTool calls a tool. The result is there if the server sent one, with IsError too; what is to be done is in the answer.
func (s *Session) CallTool(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, *retry.Answer) {
	return Do(ctx, s, "tools/call", r.Params.Name, func(ctx context.Context, c *mcpclient.Client) (*mcp.CallToolResult, error) { return c.CallTool(ctx, r) })
}

// ReadResource reads a resource.
func (s *Session) ReadResource(ctx context.Context, r mcp.ReadResourceRequest) (*mcp.ReadResourceResult, *retry.Answer) {
	return Do(ctx, s, "resources/read", r.Params.URI, func(ctx context.Context, c *mcpclient.Client) (*mcp.ReadResourceResult, error) {
		return c.ReadResource(ctx, r)
	})
}

// GetPrompt gets a prompt.
func (s *Session) GetPrompt(ctx context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, *retry.Answer) {
	return Do(ctx, s, "prompts/get", r.Params.Name, func(ctx context.Context, c *mcpclient.Client) (*mcp.GetPromptResult, error) {
		return c.GetPrompt(ctx, r)
	})
}

// ListTools reads all pages of the server's tools.
func (s *Session) ListTools(ctx context.Context) (*mcp.ListToolsResult, *retry.Answer) {
	return Do(ctx, s, "tools/list", "", func(ctx context.Context, c *mcpclient.Client) (*mcp.ListToolsResult, error) {
		return c.ListTools(ctx, mcp.ListToolsRequest{})
	})
}

// Client returns the client that is in use now. It may be replaced at any time; its calls go through the loop too.
func (s *Session) Client() *mcpclient.Client { return s.inner.Current() }

// Close ends the session.
func (s *Session) Close() error {
	s.inner.Close()
	return nil
}
