package gosdk_test

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"testing"
	"time"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client/gosdk"
	"github.com/mcperr/mcperr/internal/adapt/adapttest"
	"github.com/mcperr/mcperr/interpret"
)

// TestSessionsThatAreOverAreForgotten: a client lives as long as its host, and sees many sessions come and go.
func TestSessionsThatAreOverAreForgotten(t *testing.T) {
	idle := new(http.Transport) // its connections hold on to what they were last used for
	server := func(s *adapttest.Server) gosdk.Dialer {
		return gosdk.HTTP{Endpoint: s.URL, Client: &http.Client{Transport: idle}}.Dialer()
	}
	for name, over := range map[string]func(*testing.T, *adapttest.Server) []weak.Pointer[mcp.ClientSession]{
		"replaced in a Session": func(t *testing.T, s *adapttest.Server) (old []weak.Pointer[mcp.ClientSession]) {
			session, err := gosdk.Dial(t.Context(), sdk(), server(s), fast())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { session.Close() })
			for range 3 {
				old = append(old, weak.Make(session.ClientSession()))
				s.Forget()
				if _, a := session.CallTool(t.Context(), tool()); a.Err() != nil {
					t.Fatal(a.Err())
				}
			}
			return old
		},
		"closed by a host with Install": func(t *testing.T, s *adapttest.Server) (old []weak.Pointer[mcp.ClientSession]) {
			c, dial := sdk(), server(s)
			gosdk.Install(c, fast())
			t.Cleanup(func() { runtime.KeepAlive(c) })
			for range 3 {
				transport, _ := dial(t.Context())
				cs, err := c.Connect(t.Context(), transport, nil)
				if err != nil {
					t.Fatal(err)
				}
				old = append(old, weak.Make(cs))
				cs.Close()
			}
			return old
		},
		"never opened": func(t *testing.T, s *adapttest.Server) (old []weak.Pointer[mcp.ClientSession]) {
			c, dial := sdk(), server(s)
			gosdk.Install(c, fast())
			t.Cleanup(func() { runtime.KeepAlive(c) })
			c.AddSendingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
				return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
					if method == "initialize" {
						old = append(old, weak.Make(req.GetSession().(*mcp.ClientSession)))
						return nil, errors.New("no handshake today")
					}
					return next(ctx, method, req)
				}
			})
			transport, _ := dial(t.Context())
			if _, err := c.Connect(t.Context(), transport, nil); err == nil || len(old) != 1 {
				t.Fatalf("%v after %d handshakes", err, len(old))
			}
			return old
		},
	} {
		t.Run(name, func(t *testing.T) {
			old := over(t, adapttest.New(t, false))
			for end := time.Now().Add(20 * time.Second); ; {
				idle.CloseIdleConnections()
				runtime.GC()
				left := 0
				for _, s := range old {
					if s.Value() != nil {
						left++
					}
				}
				if left == 0 {
					return
				}
				if time.Now().After(end) {
					t.Fatalf("%d of %d are still there", left, len(old))
				}
			}
		})
	}
}

// TestProbeIsKnownToTheHandshakeAfterIt: a probe that failed for trouble is no reason for one, although its recorder is kept by nobody else.
func TestProbeIsKnownToTheHandshakeAfterIt(t *testing.T) {
	s := adapttest.New(t, true)
	s.Say("server/discover", down, down)
	c := sdk()
	gosdk.Install(c, fast())
	for range 2 {
		transport, _ := gosdk.HTTP{Endpoint: s.URL}.Dialer()(t.Context())
		if _, err := c.Connect(t.Context(), transport, nil); !errors.Is(err, interpret.Unavailable) {
			t.Error(err)
		}
	}
	if n := len(s.Got("initialize")); n != 0 {
		t.Errorf("%d handshakes", n)
	}
}
