package gosdk_test

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client/gosdk"
	"github.com/mcperr/mcperr/internal/adapt/adapttest"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// afterTheRun are what a server may do once a tool has run, and what that reads as.
var afterTheRun = map[string]struct {
	adapttest.Reply
	interpret.Kind
}{
	"drops the connection":       {adapttest.Reply{Drop: true}, interpret.ConnectionLost},
	"answers 500":                {adapttest.Reply{Status: 500}, interpret.ServerError},
	"ends an empty stream":       {adapttest.Reply{Header: map[string]string{"Content-Type": "text/event-stream"}}, interpret.ConnectionLost},
	"is silent until a deadline": {adapttest.Reply{Hang: true}, interpret.Timeout},
}

// detached is a context without the marks of a call, with a deadline of its own where nothing else ends it.
func detached(s *adapttest.Server, reply adapttest.Reply) context.Context {
	if reply.Hang {
		return s.Until("tools/call")
	}
	return context.Background()
}

// TestToolWhoseContextWasReplacedRunsOnce: that nobody saw a request is no proof that it was not sent.
func TestToolWhoseContextWasReplacedRunsOnce(t *testing.T) {
	call := func(ctx context.Context, cs *mcp.ClientSession) (*mcp.CallToolResult, error) {
		return cs.CallTool(ctx, &mcp.CallToolParams{Name: "pay"})
	}
	for where, run := range map[string]func(*testing.T, *adapttest.Server, context.Context) *retry.Answer{
		"by the host's function": func(t *testing.T, s *adapttest.Server, own context.Context) *retry.Answer {
			session := connect(t, s, fast())
			_, a := gosdk.Do(t.Context(), session, "tools/call", "pay", func(_ context.Context, cs *mcp.ClientSession) (*mcp.CallToolResult, error) {
				return call(own, cs)
			})
			return a
		},
		"by middleware below the loop": func(t *testing.T, s *adapttest.Server, own context.Context) *retry.Answer {
			c := sdk()
			c.AddSendingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
				return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
					if method == "tools/call" {
						ctx = own
					}
					return next(ctx, method, req)
				}
			})
			session, err := gosdk.Connect(t.Context(), c, s.URL, fast())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { session.Close() })
			_, a := gosdk.Do(t.Context(), session, "tools/call", "pay", call)
			return a
		},
	} {
		for what, reply := range afterTheRun {
			for era, modern := range map[string]bool{"modern": true, "legacy": false} {
				t.Run(where+"/"+what+"/"+era, func(t *testing.T) {
					s := adapttest.New(t, modern)
					s.Tool("pay", reply.Reply, reply.Reply)
					a := run(t, s, detached(s, reply.Reply))
					if n := len(s.Got("tools/call")); n != 1 {
						t.Errorf("the tool ran %d times", n)
					}
					if a.Outcome.Kind != reply.Kind || a.Outcome.Ran != interpret.RanUnknown || a.Decision.Stop != retry.StopUnsafe || a.Err() == nil {
						t.Errorf("%s, ran %s, %+v: %v", a.Outcome.Kind, a.Outcome.Ran, a.Decision, a.Err())
					}
				})
			}
		}
	}
}

// TestLoopsDoNotMultiply: what one loop of the session has given up on, the one around it does not begin anew.
func TestLoopsDoNotMultiply(t *testing.T) {
	s := adapttest.New(t, true)
	session := connect(t, s, fast())
	for range 20 {
		s.Say("tools/list", down)
	}
	_, a := gosdk.Do(t.Context(), session, "tools/list", "", func(_ context.Context, cs *mcp.ClientSession) (*mcp.ListToolsResult, error) {
		return cs.ListTools(context.Background(), nil)
	})
	if n := len(s.Got("tools/list")); n != 4 || a.Outcome.Kind != interpret.Unavailable || a.Exchange.Status != 503 || a.Decision.Stop != retry.StopAttempts {
		t.Errorf("%d sent, %s with status %d, %+v", n, a.Outcome.Kind, a.Exchange.Status, a.Decision)
	}
}

// TestSessionIsReplacedForACallOfItsOwnToo: what only the session can mend is mended, whatever context a call went out with.
func TestSessionIsReplacedForACallOfItsOwnToo(t *testing.T) {
	s := adapttest.New(t, false)
	session := connect(t, s, fast())
	s.Forget()
	r, a := gosdk.Do(t.Context(), session, "tools/call", "t", func(_ context.Context, cs *mcp.ClientSession) (*mcp.CallToolResult, error) {
		return cs.CallTool(context.Background(), &mcp.CallToolParams{Name: "t"})
	})
	if a.Err() != nil || r == nil || len(s.Got("initialize")) != 2 {
		t.Errorf("%v after %v", a.Err(), s.Methods())
	}
}

// TestTargetIsWhatTheHostIsAskedAbout: its word on a tool holds for Do too.
func TestTargetIsWhatTheHostIsAskedAbout(t *testing.T) {
	s := adapttest.New(t, true)
	loop := fast()
	loop.Vouch = func(r interpret.Request) bool { return r.Target == "twice" }
	session := connect(t, s, loop)
	for tool, sent := range map[string]int{"twice": 2, "once": 1} {
		s.Tool(tool, down)
		before := len(s.Got("tools/call"))
		_, a := gosdk.Do(t.Context(), session, "tools/call", tool, func(ctx context.Context, cs *mcp.ClientSession) (*mcp.CallToolResult, error) {
			return cs.CallTool(ctx, &mcp.CallToolParams{Name: tool})
		})
		if n := len(s.Got("tools/call")) - before; n != sent || a.Attempts[0].Target != tool {
			t.Errorf("%s: sent %d times, as %q", tool, n, a.Attempts[0].Target)
		}
	}
}
