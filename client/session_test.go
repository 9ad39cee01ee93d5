package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

func TestLostSessionIsReplacedOnceForAllCalls(t *testing.T) {
	const calls = 20
	var executions, refused atomic.Int32
	all := make(chan struct{})
	s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method != "tools/call" {
			return false
		}
		if q.header.Get("Mcp-Session-Id") == "s-1" {
			if refused.Add(1) == calls {
				close(all)
			}
			<-all // all of them are in flight
			http.Error(w, "no such session", http.StatusNotFound)
			return true
		}
		executions.Add(1)
		return false
	})
	c := s.dial(t, Options{})
	proceeds(t, c.Connect(within(t)))
	var wg sync.WaitGroup
	for range calls {
		wg.Go(func() {
			if a := c.CallTool(within(t), "act", nil); a.Decision.Action != retry.Proceed {
				t.Errorf("%v %+v", a.Decision, a.Err())
			}
		})
	}
	wg.Wait()
	if n := len(s.got("initialize")); n != 2 {
		t.Errorf("%d handshakes, want 2", n)
	}
	if executions.Load() != calls {
		t.Errorf("%d executions of %d calls", executions.Load(), calls)
	}
}

func TestSecondLossEndsTheCall(t *testing.T) {
	s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method == "tools/call" {
			http.Error(w, "no such session", http.StatusNotFound)
		}
		return q.Method == "tools/call"
	})
	c := s.dial(t, Options{})
	for range 2 {
		a := c.CallTool(within(t), "act", nil)
		if a.Outcome.Kind != interpret.SessionLost || a.Decision.Action == retry.Retry || a.Decision.Action == retry.Proceed {
			t.Errorf("%v %v", a.Outcome.Kind, a.Decision)
		}
	}
	if n := len(s.got("initialize")); n > 3 {
		t.Errorf("%d handshakes", n)
	}
}

// mcp 1.9 for Python answers every request of a session with an empty stream, once one was cancelled.
func TestTwoEmptyStreamsMeanANewSession(t *testing.T) {
	s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method == "tools/call" && q.header.Get("Mcp-Session-Id") == "s-1" {
			stream(w)
			return true
		}
		return false
	})
	c := s.dial(t, Options{})
	for range 2 {
		if a := c.CallTool(within(t), "act", nil); a.Outcome.Kind != interpret.ConnectionLost {
			t.Fatalf("%v", a.Outcome.Kind)
		}
	}
	proceeds(t, c.CallTool(within(t), "act", nil))
	if n := len(s.got("initialize")); n != 2 {
		t.Errorf("%d handshakes", n)
	}
}

// FastMCP 2 and mcp 1.9 serve /mcp/ and redirect /mcp with 307.
func TestRedirectWithinTheOriginIsRemembered(t *testing.T) {
	s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if r.URL.Path == "/mcp" {
			http.Redirect(w, r, "/mcp/", http.StatusTemporaryRedirect)
			return true
		}
		return false
	})
	c := s.dialAs(t, HTTP{URL: s.URL + "/mcp", Header: http.Header{"Authorization": {"Bearer secret"}}}, Options{})
	a := c.CallTool(within(t), "act", nil)
	proceeds(t, a)
	if len(a.Attempts) != 1 {
		t.Errorf("the redirect counts as a resend: %d attempts", len(a.Attempts))
	}
	redirected := 0
	for _, q := range s.got() {
		if q.path == "/mcp" {
			redirected++
		} else if q.header.Get("Authorization") != "Bearer secret" {
			t.Errorf("%s lost its credentials", q.Method)
		}
	}
	if redirected > 2 { // the probe's and the handshake's: the address is remembered for one session
		t.Errorf("%d requests went to the old address", redirected)
	}
}

func TestRedirectToAnotherOriginIsTheReply(t *testing.T) {
	var leaked atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { leaked.Add(1) }))
	t.Cleanup(other.Close)
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		http.Redirect(w, r, other.URL+"/mcp", http.StatusTemporaryRedirect)
		return true
	})
	c := s.dialAs(t, HTTP{URL: s.URL + "/mcp", Header: http.Header{"Authorization": {"Bearer secret"}}}, Options{})
	a := c.CallTool(within(t), "act", nil)
	if a.Outcome.Kind != interpret.NotMCP || a.Outcome.Location != other.URL+"/mcp" || leaked.Load() != 0 {
		t.Errorf("%v, location %q, %d requests reached the other origin", a.Outcome.Kind, a.Outcome.Location, leaked.Load())
	}
}

// Java and Spring ask for roots of a client that declared none.
func TestServerRequestIsRefusedAtOnce(t *testing.T) {
	answered := make(chan seen, 1)
	s := newScript(t, false, nil)
	s.on = func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		switch {
		case q.Method == "tools/call":
			stream(w, `{"jsonrpc":"2.0","id":"srv-1","method":"roots/list"}`)
			select {
			case q := <-answered:
				if string(q.ID) != `"srv-1"` || !strings.Contains(string(q.Error), "-32601") || q.header.Get("Mcp-Session-Id") != "s-1" {
					t.Errorf("answered with id %s, %s", q.ID, q.Error)
				}
			case <-r.Context().Done():
				t.Error("the client gave up first")
			}
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[]}}\n\n", q.ID)
			return true
		case q.Method == "" && q.Error != nil:
			answered <- q
			w.WriteHeader(http.StatusAccepted)
			return true
		}
		return false
	}
	proceeds(t, s.dial(t, Options{}).CallTool(within(t), "act", nil))
}

func TestServerRequestIsAnsweredByTheHost(t *testing.T) {
	answered := make(chan []byte, 1)
	var told atomic.Int32
	s := newScript(t, false, nil)
	s.on = func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		switch {
		case q.Method == "tools/call":
			stream(w, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info"}}`, `{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":{"message":"which?"}}`)
			<-answered
			fmt.Fprintf(w, "data: {\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{\"content\":[]}}\n\n", q.ID)
			return true
		case q.Method == "" && q.verb == http.MethodPost:
			answered <- nil
			w.WriteHeader(http.StatusAccepted)
			return true
		}
		return false
	}
	c := s.dial(t, Options{
		Capabilities: map[string]any{"elicitation": map[string]any{}},
		Handlers: map[string]Handler{"elicitation/create": func(_ context.Context, params json.RawMessage) (any, error) {
			if string(params) != `{"message":"which?"}` {
				t.Errorf("params %s", params)
			}
			return map[string]any{"action": "accept", "content": map[string]any{"a": 1}}, nil
		}},
		Notified: func(method string, params json.RawMessage) {
			if method == "notifications/message" && string(params) == `{"level":"info"}` {
				told.Add(1)
			}
		},
	})
	proceeds(t, c.CallTool(within(t), "act", nil))
	if told.Load() != 1 {
		t.Errorf("%d notifications", told.Load())
	}
}

func TestCancelInAHandshakeSession(t *testing.T) {
	arrived, taken := make(chan struct{}), make(chan seen, 1)
	s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		switch q.Method {
		case "tools/call":
			close(arrived)
			<-r.Context().Done()
			return true
		case "notifications/cancelled":
			taken <- q
		}
		return false
	})
	c := s.dial(t, Options{})
	proceeds(t, c.Connect(within(t)))
	ctx, cancel := context.WithCancel(within(t))
	go func() { <-arrived; cancel() }()
	a := c.CallTool(ctx, "act", nil)
	if a.Outcome.Kind != interpret.Cancelled || a.Decision.Action != retry.Abort || len(a.Attempts) != 1 {
		t.Errorf("%v %v, %d attempts", a.Outcome.Kind, a.Decision, len(a.Attempts))
	}
	q, want := <-taken, s.got("tools/call")[0].ID
	if !bytes.Contains(q.Params, append([]byte(`"requestId":`), want...)) {
		t.Errorf("taken back: %s, want %s", q.Params, want)
	}
}

func TestCancelIn20260728ClosesTheStream(t *testing.T) {
	arrived, closed := make(chan struct{}), make(chan struct{})
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method == "tools/call" {
			stream(w)
			close(arrived)
			<-r.Context().Done()
			close(closed)
			return true
		}
		return false
	})
	c := s.dial(t, Options{Vouch: []string{"act"}})
	ctx, cancel := context.WithCancel(within(t))
	go func() { <-arrived; cancel() }()
	if a := c.CallTool(ctx, "act", nil); a.Outcome.Kind != interpret.Cancelled || len(a.Attempts) != 1 {
		t.Errorf("%v, %d attempts", a.Outcome.Kind, len(a.Attempts))
	}
	<-closed
	c.Close()
	if got := s.order(); got != "server/discover tools/call" {
		t.Errorf("the server got %s", got)
	}
}

func TestStreamIsResumed(t *testing.T) {
	for _, again := range []int{http.StatusOK, http.StatusMethodNotAllowed, http.StatusNotFound, http.StatusBadGateway} {
		executions := 0
		s := newScript(t, false, nil)
		s.on = func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
			switch {
			case q.Method == "tools/call":
				executions++
				w.Header().Set("Content-Type", "text/event-stream")
				fmt.Fprint(w, "id: e-1\nretry: 30\ndata:\n\n")
				return true
			case q.verb == http.MethodGet:
				if q.header.Get("Last-Event-ID") != "e-1" || q.header.Get("Mcp-Session-Id") != "s-1" {
					t.Errorf("headers %v", q.header)
				}
				if again != http.StatusOK {
					http.Error(w, "no", again)
					return true
				}
				stream(w, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"content":[]}}`, s.got("tools/call")[0].ID))
				return true
			}
			return false
		}
		c := s.dial(t, Options{})
		proceeds(t, c.Connect(within(t)))
		start := time.Now()
		a := c.CallTool(within(t), "act", nil)
		if again == http.StatusOK {
			proceeds(t, a)
			if waited := time.Since(start); waited < 30*time.Millisecond {
				t.Errorf("resumed after %v, sooner than the stream asked for", waited)
			}
		} else if a.Outcome.Kind != interpret.ConnectionLost || a.Outcome.Ran != interpret.RanUnknown || a.Decision.Action != retry.Surface {
			t.Errorf("GET refused with %d: %v %v %v", again, a.Outcome.Kind, a.Outcome.Ran, a.Decision)
		}
		if executions != 1 {
			t.Errorf("GET answered with %d: %d executions", again, executions)
		}
	}
}

func TestListeningStream(t *testing.T) {
	told := make(chan string, 4)
	s := newScript(t, false, nil)
	s.on = func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method == "" && q.Error != nil { // our answer to a request on the stream (Python SDK 1.x)
			told <- "answered " + string(q.ID)
			w.WriteHeader(http.StatusAccepted)
			return true
		}
		if q.verb != http.MethodGet {
			return false
		}
		w.Header().Set("Content-Type", "text/event-stream")
		if n == 1 {
			fmt.Fprint(w, "id: 5\nretry: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n")
			return true
		}
		if q.header.Get("Last-Event-ID") != "5" {
			t.Errorf("Last-Event-ID %q", q.header.Get("Last-Event-ID"))
		}
		stream(w, `{"jsonrpc":"2.0","method":"notifications/second"}`, `{"jsonrpc":"2.0","id":9,"method":"roots/list"}`)
		<-r.Context().Done()
		return true
	}
	c := s.dialAs(t, HTTP{URL: s.URL, Listen: true}, Options{Notified: func(method string, _ json.RawMessage) { told <- method }})
	proceeds(t, c.Connect(within(t)))
	for _, want := range []string{"notifications/tools/list_changed", "notifications/second", "answered 9"} {
		select {
		case got := <-told:
			if got != want {
				t.Errorf("told %s, want %s", got, want)
			}
		case <-within(t).Done():
			t.Fatalf("not told %s", want)
		}
	}
	c.Close() // ends the stream
}

func TestClosedClient(t *testing.T) {
	s := newScript(t, true, nil)
	c := s.dial(t, Options{})
	c.Close()
	a := c.CallTool(within(t), "act", nil)
	if !errors.Is(a.Err(), ErrClosed) || a.Outcome.Ran != interpret.RanNo || len(s.got()) != 0 {
		t.Errorf("%v: %v", a.Outcome.Kind, a.Err())
	}
	nobodyGaveUp(t, a)
}

// What was not sent has its name all the same.
func TestClosedClientNamesTheCall(t *testing.T) {
	s := newScript(t, true, nil)
	c := s.dial(t, Options{})
	proceeds(t, c.Connect(within(t)))
	c.Close()
	for want, a := range map[string]*retry.Answer{
		`The call of tool "act" was cancelled.`:       c.CallTool(within(t), "act", nil),
		`Reading resource "file:///a" was cancelled.`: c.ReadResource(within(t), "file:///a"),
		`Getting prompt "greet" was cancelled.`:       c.GetPrompt(within(t), "greet", nil),
	} {
		if text := a.ForModel(); !errors.Is(a.Err(), ErrClosed) || !strings.HasPrefix(text, want) || a.Exchange.Request.Target == "" {
			t.Errorf("%s\nwant %s", text, want)
		}
	}
}

// A host that closes the client has not given the call up.
func TestClosedUnderACall(t *testing.T) {
	for _, at := range []string{"server/discover", "tools/call"} {
		arrived := make(chan struct{})
		s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
			if q.Method == at {
				close(arrived)
				<-r.Context().Done()
			}
			return q.Method == at
		})
		c := s.dial(t, Options{Vouch: []string{"act"}})
		go func() { <-arrived; c.Close() }()
		a := c.CallTool(within(t), "act", nil)
		if !errors.Is(a.Err(), ErrClosed) || a.Outcome.Kind != interpret.Cancelled || len(a.Attempts) != 1 {
			t.Errorf("%s: %v: %v, %d attempts", at, a.Outcome.Kind, a.Err(), len(a.Attempts))
		}
		nobodyGaveUp(t, a)
	}
}
