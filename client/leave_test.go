package client

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// left fails the test unless the only session was ended.
func left(t *testing.T, s *script) {
	t.Helper()
	gone := s.got(http.MethodDelete)
	if len(gone) != 1 || gone[0].header.Get("Mcp-Session-Id") != "s-1" {
		t.Errorf("%d sessions were ended; the server got %s", len(gone), s.order())
	}
}

func TestCloseEndsASessionThatIsBeingOpened(t *testing.T) {
	opened := make(chan struct{})
	s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method == "notifications/initialized" {
			close(opened)
			<-r.Context().Done()
			return true
		}
		return false
	})
	c := s.dial(t, Options{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.Connect(context.Background())
	}()
	<-opened
	c.Close()
	left(t, s)
	<-done
}

func TestSessionOfAClosedClientIsEnded(t *testing.T) {
	s := newScript(t, false, nil)
	c := s.dial(t, Options{})
	proceeds(t, c.Connect(within(t)))
	c.cancel() // as Close does, just before a session that was replaced is left
	c.mu.Lock()
	c.dismiss(c.session)
	c.session = nil
	c.mu.Unlock()
	c.Close()
	left(t, s)
}

// A caller who gives up half way through a handshake leaves no session behind, and does not wait for its end.
func TestHandshakeGivenUpEndsItsSession(t *testing.T) {
	ctx, cancel := context.WithCancel(within(t))
	leave := make(chan struct{})
	s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.verb == http.MethodDelete {
			select {
			case <-leave:
			case <-r.Context().Done():
				t.Error("the caller waited for the session's end")
			}
		}
		return false
	})
	hc := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.Body != nil {
			body, _ := io.ReadAll(r.Body)
			if strings.Contains(string(body), "notifications/initialized") {
				cancel()
				return nil, ctx.Err()
			}
			r.Body = io.NopCloser(strings.NewReader(string(body)))
		}
		return http.DefaultTransport.RoundTrip(r)
	})}
	c := s.dialAs(t, HTTP{URL: s.URL, Client: hc}, Options{})
	if a := c.Connect(ctx); a.Outcome.Kind != interpret.Cancelled {
		t.Errorf("%v", a.Outcome.Kind)
	}
	close(leave)
	c.Close()
	left(t, s)
}
