package gosdk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/internal/adapt"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// Session is a session of the SDK's that is replaced when it is lost. Make it with [Connect] or [Dial]; it is safe for concurrent use.
type Session struct {
	client   *mcp.Client
	values   context.Context // of the host, for what outlives its call
	dial     Dialer
	calls    *adapt.Calls
	sessions *adapt.Sessions[*mcp.ClientSession]
}

// Connect opens a session with a server behind the Streamable HTTP transport, through the loop; nil is one with the default policy.
// The client is to be used for this server only: every call of it goes through the loop from now on, as after [Install].
func Connect(ctx context.Context, c *mcp.Client, endpoint string, loop *retry.Loop) (*Session, error) {
	return Dial(ctx, c, HTTP{Endpoint: endpoint}.Dialer(), loop)
}

// Dial is [Connect] for any transport. The dialer is asked again when the session has to be replaced: because the server forgot it,
// its process ended, or another protocol version is to be agreed on.
func Dial(ctx context.Context, c *mcp.Client, dial Dialer, loop *retry.Loop) (*Session, error) {
	s := &Session{client: c, values: ctx, dial: dial, calls: adapt.NewCalls(loop)}
	install(c, s.calls)
	s.sessions = adapt.NewSessions(s.connect, func(cs *mcp.ClientSession) { cs.Close() })
	if _, a, err := s.sessions.Open(ctx); a != nil {
		return nil, &adapt.Error{Answer: a}
	} else if err != nil {
		return nil, err
	}
	return s, nil
}

// connect opens a session of the SDK's: one logical call.
func (s *Session) connect(ctx context.Context, version string) (*mcp.ClientSession, *retry.Answer) {
	var cs *mcp.ClientSession
	var err error
	agree := func(_ context.Context, c *retry.Call) (err error) {
		version, err = s.choose(c.Outcome, version)
		return err
	}
	opens := interpret.Request{Method: "server/discover", Version: version}
	a := s.calls.Do(ctx, opens, map[interpret.Remedy]retry.RemedyFunc{interpret.Initialize: agree, interpret.Renegotiate: agree},
		func(ctx context.Context, _ interpret.Request) (x interpret.Exchange) {
			// The session outlives this call, and with it would the call's marks.
			cs, x, err = adapt.Attempt(adapt.WithValues(ctx, s.values), s.calls, opens, unmask, func(ctx context.Context) (*mcp.ClientSession, error) {
				t, err := s.dial(ctx)
				if err != nil {
					return nil, err
				}
				return s.client.Connect(ctx, t, &mcp.ClientSessionOptions{ProtocolVersion: version})
			})
			return x
		})
	cs, a, _ = adapt.Finish(cs, a, err)
	if a.Err() != nil {
		return nil, a
	}
	if v := cs.InitializeResult().ProtocolVersion; !s.calls.Policy().AllowsVersion(v) {
		cs.Close()
		return nil, adapt.BelowFloor(a, v)
	}
	go func() {
		cs.Wait()
		s.sessions.Died(cs)
	}()
	return cs, a
}

// lastHandshake is the newest version that the SDK agrees on by a handshake.
const lastHandshake = "2025-11-25"

// choose returns the version to agree on after one was refused: the newest that both speak and the policy allows.
func (s *Session) choose(o interpret.Outcome, refused string) (string, error) {
	supported := o.Supported
	if o.Kind == interpret.LegacyServer {
		supported = []string{lastHandshake}
	}
	for _, v := range mcp.SupportedProtocolVersions() {
		if v != refused && v != o.Requested && slices.Contains(supported, v) && s.calls.Policy().AllowsVersion(v) {
			return v, nil
		}
	}
	return "", fmt.Errorf("no other protocol version in common: the SDK speaks %s, the server %s",
		strings.Join(mcp.SupportedProtocolVersions(), ", "), strings.Join(supported, ", "))
}

// Do makes one logical call: call is asked to make it with the session that there is, as often as the loop says.
// The method names what it sends, for the policy's rules; call must send one request. The result is the SDK's, zero if there is none.
func Do[R any](ctx context.Context, s *Session, method string, call func(context.Context, *mcp.ClientSession) (R, error)) (R, *retry.Answer) {
	return do(ctx, s, method, newRounds(nil), func(ctx context.Context, cs *mcp.ClientSession, _ mcp.Params) (R, error) { return call(ctx, cs) })
}

func do[R any](ctx context.Context, s *Session, method string, params *rounds, call func(context.Context, *mcp.ClientSession, mcp.Params) (R, error)) (R, *retry.Answer) {
	var r R
	var err error
	var cs *mcp.ClientSession
	own := params.remedies()
	own[interpret.RefreshTools] = refreshTools(func() *mcp.ClientSession { return cs })
	own[interpret.Reinitialize] = func(ctx context.Context, _ *retry.Call) error { return s.sessions.Replace(ctx, cs, "", true) }
	own[interpret.Renegotiate] = func(ctx context.Context, c *retry.Call) error {
		version, err := s.choose(c.Outcome, cs.InitializeResult().ProtocolVersion)
		if err != nil {
			return err
		}
		return s.sessions.Replace(ctx, cs, version, false)
	}
	known := describe(method, params.first, s.ClientSession())
	a := s.calls.Do(ctx, known, own, func(ctx context.Context, _ interpret.Request) (x interpret.Exchange) {
		var failed *retry.Answer
		var release func()
		cs, release, failed, err = s.sessions.Use(ctx)
		defer release()
		switch {
		case failed != nil: // it was not sent: what came of the connecting stands for it
			return failed.Exchange
		case err != nil:
			return unmask(known, err, interpret.DeliveryNotSent)
		}
		r, x, err = adapt.Attempt(driven(ctx, s.calls), s.calls, known, unmask, func(ctx context.Context) (R, error) { return call(ctx, cs, params.traced(ctx)) })
		if errors.Is(err, mcp.ErrConnectionClosed) {
			s.sessions.Died(cs)
		}
		return x
	})
	if a.Outcome.Answered {
		s.sessions.Worked()
	}
	r, a, _ = adapt.Finish(r, a, err)
	return r, a
}

// CallTool calls a tool. The result is there if the server sent one, with isError too; what is to be done is in the answer.
func (s *Session) CallTool(ctx context.Context, params *mcp.CallToolParams) (*mcp.CallToolResult, *retry.Answer) {
	if params == nil {
		params = new(mcp.CallToolParams)
	}
	return do(ctx, s, "tools/call", newRounds(params), func(ctx context.Context, cs *mcp.ClientSession, p mcp.Params) (*mcp.CallToolResult, error) {
		return cs.CallTool(ctx, fresh[*mcp.CallToolParams](p))
	})
}

// ReadResource reads a resource.
func (s *Session) ReadResource(ctx context.Context, params *mcp.ReadResourceParams) (*mcp.ReadResourceResult, *retry.Answer) {
	if params == nil {
		params = new(mcp.ReadResourceParams)
	}
	return do(ctx, s, "resources/read", newRounds(params), func(ctx context.Context, cs *mcp.ClientSession, p mcp.Params) (*mcp.ReadResourceResult, error) {
		return cs.ReadResource(ctx, fresh[*mcp.ReadResourceParams](p))
	})
}

// GetPrompt gets a prompt.
func (s *Session) GetPrompt(ctx context.Context, params *mcp.GetPromptParams) (*mcp.GetPromptResult, *retry.Answer) {
	if params == nil {
		params = new(mcp.GetPromptParams)
	}
	return do(ctx, s, "prompts/get", newRounds(params), func(ctx context.Context, cs *mcp.ClientSession, p mcp.Params) (*mcp.GetPromptResult, error) {
		return cs.GetPrompt(ctx, fresh[*mcp.GetPromptParams](p))
	})
}

// ListTools reads one page of the server's tools.
func (s *Session) ListTools(ctx context.Context, params *mcp.ListToolsParams) (*mcp.ListToolsResult, *retry.Answer) {
	if params == nil {
		params = new(mcp.ListToolsParams)
	}
	return do(ctx, s, "tools/list", newRounds(params), func(ctx context.Context, cs *mcp.ClientSession, p mcp.Params) (*mcp.ListToolsResult, error) {
		return cs.ListTools(ctx, fresh[*mcp.ListToolsParams](p))
	})
}

// ClientSession returns the session of the SDK's that is in use now. It may be replaced at any time; its calls go through the loop too.
func (s *Session) ClientSession() *mcp.ClientSession { return s.sessions.Current() }

// Close ends the session.
func (s *Session) Close() error {
	s.sessions.Close()
	return nil
}
