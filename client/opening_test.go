package client

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcperr/mcperr/internal/stdio"
	"github.com/mcperr/mcperr/interpret"
)

// returns ends the test unless f returns in a while.
func returns(t *testing.T, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-within(t).Done():
		t.Fatal("it does not return")
	}
}

// watched says when somebody begins to wait for its end.
type watched struct {
	context.Context
	once sync.Once
	seen chan struct{}
}

func (w *watched) Done() <-chan struct{} {
	w.once.Do(func() { close(w.seen) })
	return w.Context.Done()
}

// Who does not wait for an opening gets the plan by which it was begun, which whoever opens does not change. The race detector looks at this.
func TestOpeningNotWaitedFor(t *testing.T) {
	arrived, answer := make(chan struct{}), make(chan struct{})
	s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method == "server/discover" {
			close(arrived)
			<-answer
		}
		return false
	})
	c := s.dial(t, Options{})
	begun := c.next()
	var work sync.WaitGroup
	work.Go(func() { proceeds(t, c.Connect(within(t))) })
	<-arrived
	ended, cancel := context.WithCancel(within(t))
	cancel()
	ctx := &watched{Context: ended, seen: make(chan struct{})}
	work.Go(func() {
		session, tried, x, err := c.ready(ctx)
		if session != nil { // it was open by then: of two things that have happened, chance says which is seen
			c.mu.Lock()
			defer c.mu.Unlock()
			session.release()
			return
		}
		if tried != begun || x.Failure == nil || err != nil {
			t.Errorf("%+v %+v %v", tried, x.Failure, err)
		}
	})
	<-ctx.seen
	close(answer)
	work.Wait()
}

// A call does not wait beyond its deadline for a process that does not end.
func TestDeadlineWhileAProcessIsLeft(t *testing.T) {
	t.Parallel()
	s := childOf("deaf")
	s.Probe, s.Grace = 50*time.Millisecond, 25*time.Second // longer than within
	c, err := New(s, Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := c.link.(*stdioLink)
	var p *process
	returns(t, func() {
		ctx, cancel := context.WithTimeout(within(t), 500*time.Millisecond)
		defer cancel()
		a := c.CallTool(ctx, "act", nil)
		l.mu.Lock()
		defer l.mu.Unlock()
		if p = l.last.process; a.Err() == nil || p.ended() {
			t.Errorf("%v, the process has ended: %v", a.Err(), p.ended())
		}
	})
	stdio.Kill(p.cmd)
	c.Close()
}

// The next process waits for the one before, but neither beyond its time nor for one that calls still run in.
func TestNextProcessWaitsForTheOneBefore(t *testing.T) {
	t.Parallel()
	s := childOf("deaf")
	s.Grace = time.Hour
	c := dialChild(t, s, Options{})
	l := c.link.(*stdioLink)
	before := new(session)
	if failure, err := l.open(t.Context(), before); failure != nil {
		t.Fatal(failure, err)
	}
	p := before.process
	t.Cleanup(func() { p.end(time.Millisecond) })
	ended, cancel := context.WithCancel(t.Context())
	cancel()

	before.uses = 1
	before.retire()
	if err := l.awaitEnd(ended); err != nil {
		t.Errorf("waited for a process in use: %v", err)
	}
	before.release()
	if err := l.awaitEnd(ended); err != context.Canceled {
		t.Errorf("did not wait: %v", err)
	}
	if failure, err := l.open(ended, new(session)); failure == nil || failure.What != interpret.FailedCancelled || err != nil || l.last != before {
		t.Errorf("%+v, %v", failure, err)
	}
	l.t.Grace = time.Millisecond
	if err := l.awaitEnd(within(t)); err != nil || p.ended() {
		t.Errorf("waited for its end: %v", err)
	}
	l.t.Grace = time.Hour
	stdio.Kill(p.cmd)
	if err := l.awaitEnd(within(t)); err != nil || !p.ended() {
		t.Errorf("did not wait for its end: %v", err)
	}
}

// holdsDelete returns a client on whose wire no session ends before the call has returned.
func holdsDelete(t *testing.T, opts Options, on func(w http.ResponseWriter, r *http.Request, q seen) bool) (c *Client, s *script, returned chan struct{}) {
	returned = make(chan struct{})
	s = newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool { return on(w, r, q) })
	hc := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodDelete {
			select {
			case <-returned:
			case <-r.Context().Done():
				t.Error("the caller waits for the session's end")
			}
		}
		return http.DefaultTransport.RoundTrip(r)
	})}
	return s.dialAs(t, HTTP{URL: s.URL, Client: hc}, opts), s, returned
}

func TestRefusedSessionIsNotWaitedFor(t *testing.T) {
	c, s, returned := holdsDelete(t, Options{Protocol: []string{interpret.Version20251125}}, func(w http.ResponseWriter, r *http.Request, q seen) bool {
		if q.Method == "initialize" {
			w.Header().Set("Mcp-Session-Id", "s-1")
			q.reply(w, `{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`)
		}
		return q.Method == "initialize"
	})
	if a := c.CallTool(within(t), "act", nil); a.Outcome.Kind != interpret.UnsupportedVersion {
		t.Errorf("%v", a.Outcome.Kind)
	}
	close(returned)
	c.Close()
	left(t, s)
}

func TestSessionOpenedForAClosedClientIsNotWaitedFor(t *testing.T) {
	opened := make(chan struct{})
	c, s, returned := holdsDelete(t, Options{}, func(w http.ResponseWriter, r *http.Request, q seen) bool {
		if q.Method == "notifications/initialized" {
			close(opened)
			<-r.Context().Done()
		}
		return q.Method == "notifications/initialized"
	})
	go func() {
		defer close(returned)
		c.Connect(within(t))
	}()
	<-opened
	c.Close()
	left(t, s)
}

// Who was given credentials is not refused for those of an opening that somebody began before.
func TestAuthorizedCallWaitsForNoOlderOpening(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		granted, refuse := make(chan struct{}), make(chan struct{})
		s := &script{modern: true, on: func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
			if r.Header.Get("Authorization") == "Bearer good" {
				return false
			}
			if n > 1 {
				<-refuse
			}
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}}
		asked := 0
		c := dialBubble(t, s, Options{Authorize: func(context.Context, Challenge) (http.Header, error) {
			asked++
			<-granted
			return http.Header{"Authorization": {"Bearer good"}}, nil
		}})
		var work sync.WaitGroup
		for range 2 { // the second begins to open while the first is asking
			work.Go(func() {
				if a := c.Connect(t.Context()); a.Err() != nil {
					t.Error(a.Err())
				}
			})
			synctest.Wait()
		}
		close(granted)
		synctest.Wait()
		close(refuse)
		work.Wait()
		if asked != 1 {
			t.Errorf("asked %d times", asked)
		}
	})
}
