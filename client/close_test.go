package client

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// asks is a server that asks for the roots while it handles a call, and answers that when it has heard.
func asks(t *testing.T) *script {
	return newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method == "tools/call" {
			stream(w, `{"jsonrpc":"2.0","id":"srv-1","method":"roots/list"}`)
			<-r.Context().Done()
		}
		return q.Method == "tools/call"
	})
}

// closes calls Close and fails the test unless it returns in a while.
func closes(t *testing.T, c *Client, atLeast time.Duration) {
	t.Helper()
	done, began := make(chan struct{}), time.Now()
	go func() { c.Close(); close(done) }()
	select {
	case <-done:
		if took := time.Since(began); took < atLeast {
			t.Errorf("Close returned after %v", took)
		}
	case <-within(t).Done():
		t.Error("Close does not return")
	}
}

func TestCloseWithinAHandler(t *testing.T) {
	t.Parallel()
	closed := make(chan struct{})
	var c *Client
	handlers := map[string]Handler{"roots/list": func(context.Context, json.RawMessage) (any, error) {
		closes(t, c, 0)
		close(closed)
		return map[string]any{"roots": []any{}}, nil
	}}
	overStdio, err := New(childOf("asks"), Options{Handlers: handlers, Protocol: []string{interpret.Version20251125}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c = range []*Client{asks(t).dial(t, Options{Handlers: handlers}), overStdio} {
		closed = make(chan struct{})
		a := c.CallTool(within(t), "act", nil)
		if !errors.Is(a.Err(), ErrClosed) {
			t.Errorf("%v: %v", a.Decision, a.Err())
		}
		<-closed
	}
}

func TestCloseDoesNotWaitLongForAHandler(t *testing.T) {
	t.Parallel()
	asked, free, gone := make(chan struct{}), make(chan struct{}), make(chan struct{})
	c := asks(t).dial(t, Options{Handlers: map[string]Handler{"roots/list": func(ctx context.Context, _ json.RawMessage) (any, error) {
		defer close(gone)
		close(asked)
		<-free // whatever becomes of its context
		return nil, ctx.Err()
	}}})
	go c.CallTool(within(t), "act", nil)
	<-asked
	closes(t, c, farewell/2)
	close(free)
	<-gone
}

func TestCloseWaitsForAHandlerThatReturns(t *testing.T) {
	asked, over := make(chan struct{}), false
	c := asks(t).dial(t, Options{Handlers: map[string]Handler{"roots/list": func(ctx context.Context, _ json.RawMessage) (any, error) {
		close(asked)
		<-ctx.Done()
		over = true // the race detector looks at this
		return nil, ctx.Err()
	}}})
	go c.CallTool(within(t), "act", nil)
	<-asked
	closes(t, c, 0)
	if !over {
		t.Error("Close did not wait")
	}
}

// A call in which a person is asked ends with the client too, and whoever asks may close it.
func TestCloseEndsWhatAsksAPerson(t *testing.T) {
	for _, itself := range []bool{false, true} {
		s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
			if q.Method == "tools/call" {
				w.WriteHeader(http.StatusUnauthorized)
			}
			return q.Method == "tools/call"
		})
		asked := make(chan struct{})
		var c *Client
		c = s.dial(t, Options{Authorize: func(ctx context.Context, _ Challenge) (http.Header, error) {
			close(asked)
			if itself {
				c.Close()
			}
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		if !itself {
			go func() { <-asked; c.Close() }()
		}
		a := c.CallTool(within(t), "act", nil)
		if !errors.Is(a.Err(), ErrClosed) || !errors.Is(a.Err(), retry.StopRemedy) || within(t).Err() != nil {
			t.Errorf("%v: %v", a.Decision, a.Err())
		}
	}
}
