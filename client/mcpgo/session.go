package mcpgo

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcperr/mcperr/internal/adapt"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// Session is an initialized client of mcp-go's that is replaced when its session is lost. Make it with [Connect] or [Dial];
// it is safe for concurrent use.
type Session struct {
	values   context.Context // of the host, for what outlives its call
	dial     Dialer
	init     mcp.InitializeRequest
	options  []client.ClientOption
	calls    *adapt.Calls
	sessions *adapt.Sessions[*client.Client]
}

// Connect opens a session with a server behind the Streamable HTTP transport, through the loop; nil is one with the default policy.
// init is what [client.Client.Initialize] takes: who the host is, and the protocol version it prefers.
func Connect(ctx context.Context, endpoint string, init mcp.InitializeRequest, loop *retry.Loop, opts ...client.ClientOption) (*Session, error) {
	return Dial(ctx, HTTP{Endpoint: endpoint}.Dialer(), init, loop, opts...)
}

// Dial is [Connect] for any transport. The dialer is asked again when the session has to be replaced: because the server forgot it,
// its process ended, or another protocol version is to be agreed on.
func Dial(ctx context.Context, dial Dialer, init mcp.InitializeRequest, loop *retry.Loop, opts ...client.ClientOption) (*Session, error) {
	s := &Session{values: context.WithoutCancel(ctx), dial: dial, init: init, options: opts, calls: adapt.NewCalls(loop)}
	s.sessions = adapt.NewSessions(s.connect, func(c *client.Client) { c.Close() })
	if _, a, err := s.sessions.Open(ctx); a != nil {
		return nil, &adapt.Error{Answer: a}
	} else if err != nil {
		return nil, err
	}
	return s, nil
}

// connect opens a session of mcp-go's: one logical call.
func (s *Session) connect(ctx context.Context, version string) (*client.Client, *retry.Answer) {
	var c *client.Client
	var err error
	agree := func(_ context.Context, call *retry.Call) (err error) {
		version, err = s.choose(call.Outcome, version)
		return err
	}
	opens := interpret.Request{Method: "server/discover", Version: version}
	a := s.calls.Do(ctx, opens, map[interpret.Remedy]retry.RemedyFunc{interpret.Initialize: agree, interpret.Renegotiate: agree},
		func(ctx context.Context, _ interpret.Request) (x interpret.Exchange) {
			c, x, err = through(ctx, s.calls, opens, func(ctx context.Context) (*client.Client, error) { return s.start(ctx, version) })
			return x
		})
	c, a, _ = adapt.Finish(c, a, err)
	if a.Err() != nil {
		return nil, a
	}
	if v := c.ProtocolVersion(); !s.calls.Policy().AllowsVersion(v) {
		c.Close()
		return nil, adapt.BelowFloor(a, v)
	}
	return c, a
}

func (s *Session) start(ctx context.Context, version string) (*client.Client, error) {
	t, err := s.dial(ctx)
	if err != nil {
		return nil, err
	}
	options := s.options
	init := s.init
	if version != "" {
		init.Params.ProtocolVersion = version
		options = append(slices.Clone(options), client.WithProtocolVersion(version))
	}
	c := client.NewClient(wrap(t, s.calls), options...)
	// A process or a listening stream lives as long as the session, not as the call that opened it.
	if err = c.Start(s.values); err == nil {
		_, err = c.Initialize(ctx, init)
	}
	if err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
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

// choose returns the version to agree on after one was refused: the newest that both speak and the policy allows.
func (s *Session) choose(o interpret.Outcome, refused string) (string, error) {
	supported := o.Supported
	if o.Kind == interpret.LegacyServer {
		supported = []string{mcp.LATEST_LEGACY_PROTOCOL_VERSION}
	}
	for _, v := range mcp.ValidProtocolVersions {
		if v != refused && v != o.Requested && slices.Contains(supported, v) && s.calls.Policy().AllowsVersion(v) {
			return v, nil
		}
	}
	return "", fmt.Errorf("no other protocol version in common: mcp-go speaks %s, the server %s",
		strings.Join(mcp.ValidProtocolVersions, ", "), strings.Join(supported, ", "))
}

// Do makes one logical call: call is asked to make it with the client that there is, as often as the loop says.
// method and target name what it sends, for the policy's rules. The result is mcp-go's, zero if there is none.
func Do[R any](ctx context.Context, s *Session, method, target string, call func(context.Context, *client.Client) (R, error)) (R, *retry.Answer) {
	var r R
	var err error
	var c *client.Client
	known := interpret.Request{Method: method, Target: target, Version: s.Client().ProtocolVersion()}
	again := func(context.Context, *retry.Call) error { return nil } // every attempt begins anew, and makes its headers from its body
	own := map[interpret.Remedy]retry.RemedyFunc{
		interpret.RestartCall: again, interpret.RebuildHeaders: again,
		interpret.RefreshTools: func(ctx context.Context, _ *retry.Call) error {
			_, err := c.ListTools(ctx, mcp.ListToolsRequest{})
			return err
		},
		interpret.Reinitialize: func(ctx context.Context, _ *retry.Call) error { return s.sessions.Replace(ctx, c, "", true) },
		interpret.Renegotiate: func(ctx context.Context, call *retry.Call) error {
			version, err := s.choose(call.Outcome, c.ProtocolVersion())
			if err != nil {
				return err
			}
			return s.sessions.Replace(ctx, c, version, false)
		},
	}
	a := s.calls.Do(ctx, known, own, func(ctx context.Context, _ interpret.Request) (x interpret.Exchange) {
		var failed *retry.Answer
		var release func()
		c, release, failed, err = s.sessions.Use(ctx)
		defer release()
		switch {
		case failed != nil: // it was not sent: what came of the connecting stands for it
			return failed.Exchange
		case err != nil:
			return unmask(known, err, interpret.DeliveryNotSent)
		}
		r, x, err = through(ctx, s.calls, known, func(ctx context.Context) (R, error) { return call(ctx, c) })
		if errors.Is(err, transport.ErrTransportClosed) {
			s.sessions.Died(c)
		}
		return x
	})
	if a.Outcome.Answered {
		s.sessions.Worked()
	}
	r, a, _ = adapt.Finish(r, a, err)
	return r, a
}

// CallTool calls a tool. The result is there if the server sent one, with IsError too; what is to be done is in the answer.
func (s *Session) CallTool(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, *retry.Answer) {
	return Do(ctx, s, "tools/call", r.Params.Name, func(ctx context.Context, c *client.Client) (*mcp.CallToolResult, error) { return c.CallTool(ctx, r) })
}

// ReadResource reads a resource.
func (s *Session) ReadResource(ctx context.Context, r mcp.ReadResourceRequest) (*mcp.ReadResourceResult, *retry.Answer) {
	return Do(ctx, s, "resources/read", r.Params.URI, func(ctx context.Context, c *client.Client) (*mcp.ReadResourceResult, error) {
		return c.ReadResource(ctx, r)
	})
}

// GetPrompt gets a prompt.
func (s *Session) GetPrompt(ctx context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, *retry.Answer) {
	return Do(ctx, s, "prompts/get", r.Params.Name, func(ctx context.Context, c *client.Client) (*mcp.GetPromptResult, error) { return c.GetPrompt(ctx, r) })
}

// ListTools reads all pages of the server's tools.
func (s *Session) ListTools(ctx context.Context) (*mcp.ListToolsResult, *retry.Answer) {
	return Do(ctx, s, "tools/list", "", func(ctx context.Context, c *client.Client) (*mcp.ListToolsResult, error) {
		return c.ListTools(ctx, mcp.ListToolsRequest{})
	})
}

// Client returns the client that is in use now. It may be replaced at any time; its calls go through the loop too.
func (s *Session) Client() *client.Client { return s.sessions.Current() }

// Close ends the session.
func (s *Session) Close() error {
	s.sessions.Close()
	return nil
}
