package live_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"testing"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// A request of the handshake era without a session cannot be named by a later cancel; this server does not watch the connection either.
const deafToCancel = "go-sdk-stateless/http/" + legacyVersion

func TestCancelEndsTheCallAndIsTold(t *testing.T) {
	for _, w := range ways(small) {
		t.Run(w.String(), func(t *testing.T) {
			c := w.dial(t, client.Options{})
			ctx, cancel := context.WithCancel(limit(t))
			done := make(chan *retry.Answer)
			go func() { done <- c.CallTool(ctx, "slow", map[string]any{"ms": 30_000}) }()
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
}

func sessions(w way) bool {
	return small(w) && !w.stdio && w.version == legacyVersion && w.server.Sessions
}

// The session is ended behind the client's back; the call after it gets a new one and runs once.
func TestLostSessionIsReplaced(t *testing.T) {
	for _, w := range ways(sessions) {
		for _, loss := range []string{"restarted", "deleted"} {
			t.Run(w.String()+"/"+loss, func(t *testing.T) {
				ctx := limit(t)
				var tap sessionTap
				process := w.server.Start(t)
				c := connect(t, client.HTTP{URL: process.URL, Client: &http.Client{Transport: &tap}}, client.Options{Protocol: []string{w.version}})
				if got := text(t, c.CallTool(ctx, "counter", nil)); got != "1" {
					t.Fatalf("counted %s", got)
				}
				first := tap.id
				if loss == "restarted" {
					process.Kill()
					process.Restart(w.server)
				} else {
					do(t, http.MethodDelete, process.URL, "", http.Header{"Mcp-Session-Id": {first}, "Mcp-Protocol-Version": {w.version}})
				}
				answer := c.CallTool(ctx, "counter", nil)
				if got := text(t, answer); got != "2" {
					t.Errorf("counted %s, want 2", got)
				}
				kinds := kinds(answer)
				if !slices.Equal(kinds, []interpret.Kind{interpret.SessionLost, interpret.OK}) || answer.Attempts[1].Remedy != interpret.Reinitialize {
					t.Errorf("attempts %v with remedy %q", kinds, answer.Attempts[len(kinds)-1].Remedy)
				}
				if tap.id == first {
					t.Error("the session is the old one")
				}
			})
		}
	}
}

func kinds(answer *retry.Answer) (all []interpret.Kind) {
	for _, attempt := range answer.Attempts {
		all = append(all, attempt.Kind)
	}
	return all
}

// The server dies in the middle of a call that it has begun. The call is not made again, and the client lives on.
func TestCallThatMayHaveRunIsNotRepeated(t *testing.T) {
	for _, w := range ways(small) {
		t.Run(w.String(), func(t *testing.T) {
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
}

func overHTTP(w way) bool { return small(w) && !w.stdio }

// A server that is away for a while is waited for: what never reached it is safe to send again.
func TestCallThatWasNotSentIsRepeated(t *testing.T) {
	for _, w := range ways(overHTTP) {
		t.Run(w.String(), func(t *testing.T) {
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
}

// onEnd is told of the end of each attempt.
type onEnd struct{ told func(retry.Attempt) }

func (onEnd) AttemptStart(context.Context, retry.Attempt) (context.Context, map[string]string) {
	return nil, nil
}
func (o onEnd) AttemptEnd(_ context.Context, attempt retry.Attempt) { o.told(attempt) }

// sessionTap notes the session id that the server gave last.
type sessionTap struct{ id string }

func (s *sessionTap) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err == nil && resp.Header.Get("Mcp-Session-Id") != "" {
		s.id = resp.Header.Get("Mcp-Session-Id")
	}
	return resp, err
}
