package live_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// A request of the handshake era without a session cannot be named by a later cancel; this server does not watch the connection either.
const deafToCancel = "go-sdk-stateless/http/" + legacyVersion

func TestCancelEndsTheCallAndIsTold(t *testing.T) {
	each(t, small, func(t *testing.T, w way) {
		c := w.dial(t, client.Options{})
		ctx, cancel := context.WithCancel(limit(t))
		done := make(chan *retry.Answer)
		go func() { done <- c.CallTool(ctx, "slow", map[string]any{"ms": 600_000}) }()
		eventually(t, "the tool runs", func() bool { return c.ran(t, "slow") == 1 })
		cancel()
		answer := <-done
		if answer.Outcome.Kind != interpret.Cancelled || !errors.Is(answer.Err(), context.Canceled) || len(answer.Attempts) != 1 {
			t.Errorf("%s after %d attempts: %v", answer.Outcome.Kind, len(answer.Attempts), answer.Err())
		}
		if w.String() != deafToCancel {
			eventually(t, "the tool hears of it", func() bool { return c.ran(t, "slow cancelled") == 1 })
		}
		if got := text(t, c.CallTool(limit(t), "add", map[string]any{"a": 1, "b": 2})); got != "3" {
			t.Errorf("after the cancel 1 + 2 = %s", got)
		}
		if n := c.ran(t, "slow"); n != 1 {
			t.Errorf("the tool ran %d times", n)
		}
	})
}

func sessions(w way) bool {
	return small(w) && !w.stdio && w.version == legacyVersion && w.server.Sessions
}

// The session is ended behind the client's back; the call after it gets a new one and runs once.
func TestLostSessionIsReplaced(t *testing.T) {
	each(t, sessions, func(t *testing.T, w way) {
		process, tap := w.server.Start(t), new(sessionTap)
		c := connect(t, client.HTTP{URL: process.URL, Client: &http.Client{Transport: tap}}, client.Options{Protocol: []string{w.version}})
		if got := text(t, c.CallTool(limit(t), "counter", nil)); got != "1" {
			t.Fatalf("counted %s", got)
		}
		check := func(want string, lose func(session string)) {
			t.Helper()
			before := tap.session()
			lose(before)
			answer := c.CallTool(limit(t), "counter", nil)
			if got := text(t, answer); got != want {
				t.Errorf("counted %s, want %s", got, want)
			}
			if got := kinds(answer); !slices.Equal(got, []interpret.Kind{interpret.SessionLost, interpret.OK}) || answer.Attempts[1].Remedy != interpret.Reinitialize {
				t.Errorf("attempts %+v", answer.Attempts)
			}
			if tap.session() == before {
				t.Error("the session is the old one")
			}
		}
		check("2", func(session string) {
			do(t, http.MethodDelete, process.URL, "", http.Header{"Mcp-Session-Id": {session}, "Mcp-Protocol-Version": {w.version}})
		})
		check("3", func(string) {
			process.Kill()
			process.Restart(w.server)
		})
	})
}

func kinds(answer *retry.Answer) (all []interpret.Kind) {
	for _, attempt := range answer.Attempts {
		all = append(all, attempt.Kind)
	}
	return all
}

// The server dies in the middle of a call that it has begun. The call is not made again, and the client lives on.
func TestCallThatMayHaveRunIsNotRepeated(t *testing.T) {
	each(t, small, func(t *testing.T, w way) {
		ctx := limit(t)
		c := w.dial(t, client.Options{})
		answer := c.CallTool(ctx, "die", nil)
		o := answer.Outcome
		if o.Kind != interpret.ConnectionLost || o.Ran != interpret.RanUnknown || answer.Decision.Action != retry.Surface {
			t.Errorf("%s, ran %s, %s: %v", o.Kind, o.Ran, answer.Decision.Action, answer.Err())
		}
		if n := c.ran(t, "die"); n != 1 || len(answer.Attempts) != 1 {
			t.Errorf("ran %d times in %d attempts", n, len(answer.Attempts))
		}
		if c.process != nil {
			c.process.Kill()
			c.process.Restart(w.server)
		}
		if got := text(t, c.CallTool(ctx, "counter", nil)); got != "1" {
			t.Errorf("counted %s, want 1", got)
		}
	})
}

func overHTTP(w way) bool { return small(w) && !w.stdio }

// A server that is away for a while is waited for: what never reached it is safe to send again.
func TestCallThatWasNotSentIsRepeated(t *testing.T) {
	each(t, overHTTP, func(t *testing.T, w way) {
		ctx := limit(t)
		process := w.server.Start(t)
		back := onEnd{func(attempt retry.Attempt) {
			if attempt.Kind == interpret.Unavailable && attempt.Number == 1 {
				process.Restart(w.server)
			}
		}}
		c := connect(t, client.HTTP{URL: process.URL}, client.Options{Protocol: []string{w.version}, Observer: back})
		if got := text(t, c.CallTool(ctx, "counter", nil)); got != "1" {
			t.Fatalf("counted %s", got)
		}
		process.Kill()
		answer := c.CallTool(ctx, "counter", nil)
		if got := text(t, answer); got != "2" {
			t.Errorf("counted %s, want 2", got)
		}
		want := []interpret.Kind{interpret.Unavailable, interpret.OK}
		if sessions(w) {
			want = []interpret.Kind{interpret.Unavailable, interpret.SessionLost, interpret.OK}
		}
		if got := kinds(answer); !slices.Equal(got, want) {
			t.Errorf("attempts %v, want %v", got, want)
		}
	})
}

// onEnd is told of the end of each attempt.
type onEnd struct{ told func(retry.Attempt) }

func (onEnd) AttemptStart(context.Context, retry.Attempt) (context.Context, map[string]string) {
	return nil, nil
}
func (o onEnd) AttemptEnd(_ context.Context, attempt retry.Attempt) { o.told(attempt) }

// sessionTap notes the session id that the server gave last.
type sessionTap struct {
	mu sync.Mutex
	id string
}

func (s *sessionTap) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err == nil && resp.Header.Get("Mcp-Session-Id") != "" {
		s.mu.Lock()
		s.id = resp.Header.Get("Mcp-Session-Id")
		s.mu.Unlock()
	}
	return resp, err
}

func (s *sessionTap) session() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.id
}
