package gosdk

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/internal/adapt"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// Session is a session of the SDK's that is replaced when it is lost. Make it with [Connect] or [Dial]; it is safe for concurrent use.
type Session struct {
	calls *adapt.Calls
	inner *adapt.Session[*live]
}

// live is a session of the SDK's with what is known of its connection.
type live struct {
	*mcp.ClientSession
	lost *lost // nil: nothing is
}

// watch calls died when the session has ended by itself, if its connection tells, before the SDK refuses a call for it.
func (l *live) watch(died func()) {
	l.lost.then(died)
	go func() { l.Wait(); died() }()
}

// Connect opens a session with a server behind the Streamable HTTP transport, through the loop; nil is one with the default policy.
// The client is to be used for this server only: every call of it goes through the loop from now on, as after [Install].
func Connect(ctx context.Context, c *mcp.Client, endpoint string, loop *retry.Loop) (*Session, error) {
	return Dial(ctx, c, HTTP{Endpoint: endpoint}.Dialer(), loop)
}

// Dial is [Connect] for any transport. The dialer is asked again when the session has to be replaced: because the server forgot it,
// its process ended, or another protocol version is to be agreed on. The values of ctx are those of every session.
func Dial(ctx context.Context, c *mcp.Client, dial Dialer, loop *retry.Loop) (*Session, error) {
	calls, values := adapt.NewCalls(loop), ctx
	install(c, calls)
	// A session outlives the call that opens it, and with it would the call's marks.
	opener := func(ctx context.Context) adapt.Opener[*live] {
		t, err := dial(adapt.WithValues(ctx, values))
		if over, ok := transportOf(t); ok {
			calls.Over(over)
		}
		return func(ctx context.Context, version string) (*live, interpret.Exchange, error) {
			return adapt.Attempt(adapt.WithValues(ctx, values), calls, interpret.Request{Method: "server/discover"}, unmask,
				func(ctx context.Context) (*live, error) {
					if err != nil {
						return nil, adapt.Unsent(err)
					}
					cs, err := c.Connect(ctx, t, &mcp.ClientSessionOptions{ProtocolVersion: version})
					if err != nil {
						return nil, err
					}
					return &live{cs, lostOf(t)}, nil
				})
		}
	}
	inner, err := adapt.NewSession(ctx, calls, adapt.SDK[*live]{
		Name: "go-sdk", Adapter: "gosdk", Versions: mcp.SupportedProtocolVersions(), Closed: mcp.ErrConnectionClosed, Unmask: unmask, Dial: opener,
		Watch:   (*live).watch,
		Close:   func(l *live) { l.Close() },
		Version: func(l *live) string { return l.InitializeResult().ProtocolVersion },
	})
	if err != nil {
		return nil, err
	}
	return &Session{calls, inner}, nil
}

// Do makes one logical call: call is asked to make it with the session that there is, as often as the loop says. It must send one request, with
// the context that it is given: what goes out with another is a call of its own, of which no more is known than what it came to.
// method and target name what it sends, for the policy's rules and the host's word on what may run twice: a tool, a prompt, the URI of a resource,
// "" if it is about nothing that has a name. The result is the SDK's, zero if there is none.
func Do[R any](ctx context.Context, s *Session, method, target string, call func(context.Context, *mcp.ClientSession) (R, error)) (R, *retry.Answer) {
	known := interpret.Request{Method: method, Target: target}
	return do(ctx, s, known, nil, func(ctx context.Context, cs *mcp.ClientSession, _ mcp.Params) (R, error) { return call(ctx, cs) })
}

// of is Do for a request whose params the attempts amend.
func of[R any](ctx context.Context, s *Session, method string, p mcp.Params, call func(context.Context, *mcp.ClientSession, mcp.Params) (R, error)) (R, *retry.Answer) {
	return do(ctx, s, interpret.Request{Method: method, Target: target(p)}, p, call)
}

func do[R any](ctx context.Context, s *Session, known interpret.Request, p mcp.Params, call func(context.Context, *mcp.ClientSession, mcp.Params) (R, error)) (R, *retry.Answer) {
	params := newRounds(p)
	own := map[interpret.Remedy]func(context.Context, *live, *retry.Call) error{
		interpret.RefreshTools: func(ctx context.Context, l *live, _ *retry.Call) error { return refreshTools(ctx, l.ClientSession) },
	}
	for name, f := range params.remedies() {
		own[name] = func(ctx context.Context, _ *live, c *retry.Call) error { return f(ctx, c) }
	}
	r, a := adapt.Do(ctx, s.inner, known, own, func(ctx context.Context, l *live) (R, interpret.Exchange, error) {
		return adapt.Attempt(driven(ctx, s.calls), s.calls, known, unmask, func(ctx context.Context) (R, error) {
			return call(ctx, l.ClientSession, params.traced(ctx))
		})
	})
	keep(r, a)
	return r, a
}

// CallTool calls a tool. The result is there if the server sent one, with isError too; what is to be done is in the answer.
func (s *Session) CallTool(ctx context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, *retry.Answer) {
	if params == nil {
		params = new(mcp.CallToolParams)
	}
	return of(ctx, s, "tools/call", params, func(ctx context.Context, cs *mcp.ClientSession, p mcp.Params) (*mcp.CallToolResult, error) {
		return cs.CallTool(ctx, fresh[*mcp.CallToolParams](p))
	})
}

// ReadResource reads a resource.
func (s *Session) ReadResource(ctx context.Context, params *mcp.ReadResourceParams) (*mcp.ReadResourceResult, *retry.Answer) {
	if params == nil {
		params = new(mcp.ReadResourceParams)
	}
	return of(ctx, s, "resources/read", params, func(ctx context.Context, cs *mcp.ClientSession, p mcp.Params) (*mcp.ReadResourceResult, error) {
		return cs.ReadResource(ctx, fresh[*mcp.ReadResourceParams](p))
	})
}

// GetPrompt gets a prompt.
func (s *Session) GetPrompt(ctx context.Context, params *mcp.GetPromptParams) (*mcp.GetPromptResult, *retry.Answer) {
	if params == nil {
		params = new(mcp.GetPromptParams)
	}
	return of(ctx, s, "prompts/get", params, func(ctx context.Context, cs *mcp.ClientSession, p mcp.Params) (*mcp.GetPromptResult, error) {
		return cs.GetPrompt(ctx, fresh[*mcp.GetPromptParams](p))
	})
}

// ListTools reads one page of the server's tools.
func (s *Session) ListTools(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, *retry.Answer) {
	if params == nil {
		params = new(mcp.ListToolsParams)
	}
	return of(ctx, s, "tools/list", params, func(ctx context.Context, cs *mcp.ClientSession, p mcp.Params) (*mcp.ListToolsResult, error) {
		return cs.ListTools(ctx, fresh[*mcp.ListToolsParams](p))
	})
}

// ClientSession returns the session of the SDK's that is in use now. It may be replaced at any time; its calls go through the loop too.
func (s *Session) ClientSession() *mcp.ClientSession { return s.inner.Current().ClientSession }

// Close ends the session.
func (s *Session) Close() error {
	s.inner.Close()
	return nil
}
