package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// replaces is a server of which a client replaces the first session: every tool but slow is refused in it, by a stream without an event or for want
// of a capability. A call of slow ends when the test says so, or with its session, as in the SDK for TypeScript.
type replaces struct {
	*script
	finish chan struct{}
	gone   chan struct{} // the first session is
}

func newReplaces(refuse func(w http.ResponseWriter, q seen), slow func(w http.ResponseWriter, r *http.Request, q seen)) *replaces {
	s := &replaces{finish: make(chan struct{}), gone: make(chan struct{})}
	if slow == nil {
		slow = func(w http.ResponseWriter, r *http.Request, q seen) {
			stream(w)
			select {
			case <-s.finish:
				finally(w, q)
			case <-s.gone:
			case <-r.Context().Done():
			}
		}
	}
	s.script = &script{on: func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		first := q.header.Get("Mcp-Session-Id") == "s-1"
		switch {
		case q.verb == http.MethodDelete && first:
			close(s.gone)
		case q.Method == "tools/call" && strings.Contains(string(q.Params), "slow"):
			slow(w, r, q)
			return true
		case q.Method == "tools/call" && first:
			refuse(w, q)
			return true
		}
		return false
	}}
	return s
}

func refuseByEmptyStream(w http.ResponseWriter, _ seen) { stream(w) }

func refuseForCapability(w http.ResponseWriter, q seen) {
	q.fault(w, 200, -32021, "needed", `{"requiredCapabilities":{"sampling":{}}}`)
}

// callUntilReplaced makes calls until one is answered, which is in another session.
func callUntilReplaced(t *testing.T, c *Client) {
	t.Helper()
	for range 3 {
		if a := c.CallTool(t.Context(), "act", nil); a.Err() == nil {
			return
		}
	}
	t.Error("the session was not replaced")
}

// calling makes a call in the background.
func calling(t *testing.T, c *Client, tool string) <-chan *retry.Answer {
	answer := make(chan *retry.Answer, 1)
	go func() { answer <- c.CallTool(t.Context(), tool, nil) }()
	synctest.Wait()
	return answer
}

// deleted returns the sessions that were ended so far, once everything has come to rest.
func (s *replaces) deleted() string {
	synctest.Wait()
	var ids []string
	for _, q := range s.got(http.MethodDelete) {
		ids = append(ids, q.header.Get("Mcp-Session-Id"))
	}
	return strings.Join(ids, " ")
}

// declaring is a host that declares what a server wants, in a new session.
func declaring() Options {
	rule := retry.Rule{Kinds: []interpret.Kind{interpret.MissingCapability}, Action: retry.Retry}
	return Options{Policy: quickly().With(rule), Vouch: []string{"act"}, Declare: func(context.Context, []string) (any, error) {
		return json.RawMessage(`{"sampling":{}}`), nil
	}}
}

// event sends one more event of a stream.
func event(w http.ResponseWriter, data string) {
	fmt.Fprintf(w, "data: %s\n\n", data)
	w.(http.Flusher).Flush()
}

// finally sends the result of a call as the last event of its stream.
func finally(w http.ResponseWriter, q seen) {
	event(w, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, doneResult))
}

func TestReplacedSessionIsLeftWhenItsLastCallHasEnded(t *testing.T) {
	for name, refuse := range map[string]func(http.ResponseWriter, seen){"empty streams": refuseByEmptyStream, "a capability": refuseForCapability} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := newReplaces(refuse, nil)
				c := dialBubble(t, s.script, declaring())
				proceeds(t, c.Connect(t.Context()))
				slow := calling(t, c, "slow")
				callUntilReplaced(t, c)
				if got := s.deleted(); got != "" {
					t.Errorf("ended under a call: %s", got)
				}
				close(s.finish)
				proceeds(t, <-slow)
				if got := s.deleted(); got != "s-1" {
					t.Errorf("ended after the call: %q", got)
				}
				c.Close()
				if got := s.deleted(); got != "s-1 s-2" {
					t.Errorf("ended after Close: %q", got)
				}
			})
		})
	}
}

// A call that waits to take up its stream again is still in the session.
func TestReplacedSessionIsResumedIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newReplaces(refuseForCapability, func(w http.ResponseWriter, _ *http.Request, q seen) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, "id: e-1\nretry: 5000\ndata:\n\n")
		})
		inner := s.on
		s.on = func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
			if q.verb != http.MethodGet {
				return inner(w, r, q, n)
			}
			if q.header.Get("Mcp-Session-Id") != "s-1" || q.header.Get("Last-Event-ID") != "e-1" {
				t.Errorf("headers %v", q.header)
			}
			stream(w)
			finally(w, s.got("tools/call")[0])
			return true
		}
		c := dialBubble(t, s.script, declaring())
		proceeds(t, c.Connect(t.Context()))
		slow := calling(t, c, "slow")
		callUntilReplaced(t, c)
		if got := s.deleted(); got != "" {
			t.Errorf("ended under a call: %s", got)
		}
		proceeds(t, <-slow)
		if got := s.deleted(); got != "s-1" {
			t.Errorf("ended after the call: %q", got)
		}
	})
}

// The server may ask something for a call in a session that was replaced.
func TestReplacedSessionIsAnsweredIn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked := make(chan struct{})
		var s *replaces
		s = newReplaces(refuseForCapability, func(w http.ResponseWriter, r *http.Request, q seen) {
			stream(w)
			<-s.finish
			event(w, `{"jsonrpc":"2.0","id":"srv-1","method":"roots/list"}`)
			<-asked
			finally(w, q)
		})
		inner := s.on
		s.on = func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
			if q.Method == "" && string(q.ID) == `"srv-1"` {
				if q.header.Get("Mcp-Session-Id") != "s-1" || q.Error != nil {
					t.Errorf("answered with %s, %v", q.Error, q.header)
				}
				close(asked)
				w.WriteHeader(http.StatusAccepted)
				return true
			}
			return inner(w, r, q, n)
		}
		opts := declaring()
		opts.Handlers = map[string]Handler{"roots/list": func(ctx context.Context, _ json.RawMessage) (any, error) {
			return map[string]any{"roots": []any{}}, ctx.Err()
		}}
		c := dialBubble(t, s.script, opts)
		proceeds(t, c.Connect(t.Context()))
		slow := calling(t, c, "slow")
		callUntilReplaced(t, c)
		close(s.finish)
		proceeds(t, <-slow)
	})
}

func TestCloseLeavesAReplacedSessionToo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newReplaces(refuseForCapability, nil)
		c := dialBubble(t, s.script, declaring())
		proceeds(t, c.Connect(t.Context()))
		slow := calling(t, c, "slow")
		callUntilReplaced(t, c)
		began := time.Now()
		c.Close()
		if a := <-slow; !errors.Is(a.Err(), ErrClosed) || a.Outcome.Kind != interpret.Cancelled {
			t.Errorf("%v: %v", a.Outcome.Kind, a.Err())
		}
		if got := s.deleted(); got != "s-1 s-2" || time.Since(began) != 0 {
			t.Errorf("ended: %q, after %v", got, time.Since(began))
		}
	})
}

// Who gives up while a session is opened, at whatever moment, does not keep it.
func TestSessionIsNotKeptByWhoGaveUp(t *testing.T) {
	for range 10 {
		synctest.Test(t, func(t *testing.T) {
			s := newReplaces(refuseForCapability, nil)
			inner := s.on
			s.on = func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
				if q.Method == "initialize" {
					time.Sleep(time.Second) // of the bubble's clock
				}
				return inner(w, r, q, n)
			}
			c := dialBubble(t, s.script, declaring())
			var work sync.WaitGroup
			for _, limit := range []time.Duration{time.Hour, time.Second / 2, time.Second, time.Second, time.Second, time.Hour} {
				work.Go(func() {
					ctx, cancel := context.WithTimeout(t.Context(), limit)
					defer cancel()
					c.Connect(ctx)
				})
				synctest.Wait()
			}
			work.Wait()
			callUntilReplaced(t, c)
			if got := s.deleted(); got != "s-1" {
				t.Errorf("ended: %q", got)
			}
		})
	}
}

// Nor does who gives up in the moment in which it is open.
func TestSessionIsNotKeptByWhoGaveUpAtLast(t *testing.T) {
	for range 20 { // of two things that have happened, chance says which is seen
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			s := newReplaces(refuseForCapability, nil)
			inner := s.on
			s.on = func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
				if q.Method == "notifications/initialized" {
					cancel()
				}
				return inner(w, r, q, n)
			}
			c := dialBubble(t, s.script, declaring())
			c.Connect(ctx)
			callUntilReplaced(t, c)
			if got := s.deleted(); got != "s-1" {
				t.Errorf("ended: %q", got)
			}
		})
	}
}

// A stream that could be taken up again, but is not, does not keep its session.
func TestSessionIsNotKeptByABrokenStream(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newReplaces(refuseForCapability, func(w http.ResponseWriter, _ *http.Request, q seen) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "id: e-1\nretry: %d\ndata:\n\n", 2*longestResume.Milliseconds())
		})
		c := dialBubble(t, s.script, declaring())
		proceeds(t, c.Connect(t.Context()))
		if a := c.CallTool(t.Context(), "slow", nil); !errors.Is(a.Err(), errNoResume) {
			t.Errorf("%v", a.Err())
		}
		callUntilReplaced(t, c)
		if got := s.deleted(); got != "s-1" {
			t.Errorf("ended: %q", got)
		}
	})
}

// A host that holds a call up holds Close up no longer than a farewell takes.
func TestCloseDoesNotWaitLongForACall(t *testing.T) {
	for _, replaced := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newReplaces(refuseForCapability, nil)
			c := dialBubble(t, s.script, declaring())
			proceeds(t, c.Connect(t.Context()))
			if _, _, _, err := c.ready(t.Context()); err != nil { // it is never released
				t.Fatal(err)
			}
			want := "s-1"
			if replaced {
				callUntilReplaced(t, c)
				want += " s-2"
			}
			began := time.Now()
			c.Close()
			if got := s.deleted(); got != want || time.Since(began) != farewell {
				t.Errorf("ended: %q, want %q, after %v", got, want, time.Since(began))
			}
		})
	}
}
