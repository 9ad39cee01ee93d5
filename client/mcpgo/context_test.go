package mcpgo_test

import (
	"context"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcperr/mcperr/client/mcpgo"
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

// queue is a transport that sends tool calls with a context of its own.
type queue struct {
	*transport.StreamableHTTP
	own context.Context
}

func (q queue) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	if r.Method == "tools/call" {
		ctx = q.own
	}
	return q.StreamableHTTP.SendRequest(ctx, r)
}

// TestToolWhoseContextWasReplacedRunsOnce: that nobody saw a request is no proof that it was not sent.
func TestToolWhoseContextWasReplacedRunsOnce(t *testing.T) {
	pay := func(ctx context.Context, c *client.Client) (*mcp.CallToolResult, error) {
		return c.CallTool(ctx, call("pay"))
	}
	for where, run := range map[string]func(*testing.T, *adapttest.Server, context.Context) *retry.Answer{
		"by the host's function": func(t *testing.T, s *adapttest.Server, own context.Context) *retry.Answer {
			_, a := mcpgo.Do(t.Context(), connect(t, s, fast()), "tools/call", "pay", func(_ context.Context, c *client.Client) (*mcp.CallToolResult, error) {
				return pay(own, c)
			})
			return a
		},
		"by a transport below the loop": func(t *testing.T, s *adapttest.Server, own context.Context) *retry.Answer {
			dial := mcpgo.HTTP{Endpoint: s.URL}.Dialer()
			session, err := mcpgo.Dial(t.Context(), func(ctx context.Context) (transport.Interface, error) {
				below, err := dial(ctx)
				if err != nil {
					return nil, err
				}
				return queue{below.(*transport.StreamableHTTP), own}, nil
			}, initialize, fast())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { session.Close() })
			_, a := mcpgo.Do(t.Context(), session, "tools/call", "pay", pay)
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
	_, a := mcpgo.Do(t.Context(), session, "tools/list", "", func(_ context.Context, c *client.Client) (*mcp.ListToolsResult, error) {
		return c.ListTools(context.Background(), mcp.ListToolsRequest{})
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
	r, a := mcpgo.Do(t.Context(), session, "tools/call", "t", func(_ context.Context, c *client.Client) (*mcp.CallToolResult, error) {
		return c.CallTool(context.Background(), call("t"))
	})
	if a.Err() != nil || r == nil || len(s.Got("initialize")) != 2 {
		t.Errorf("%v after %v", a.Err(), s.Methods())
	}
}
