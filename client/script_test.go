package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcperr/mcperr/retry"
)

// seen is one request as it reached a script.
type seen struct {
	message
	verb   string
	path   string
	header http.Header
	meta   map[string]json.RawMessage
}

// script is an HTTP server of one era that answers well, save where a test says otherwise.
type script struct {
	*httptest.Server
	modern bool
	// on answers a request itself, or returns false to have it answered well. n counts the requests of its method from 1.
	on func(w http.ResponseWriter, r *http.Request, q seen, n int) bool

	mu       sync.Mutex
	log      []seen
	sessions int
}

func newScript(t *testing.T, modern bool, on func(w http.ResponseWriter, r *http.Request, q seen, n int) bool) *script {
	t.Helper()
	s := &script{modern: modern, on: on}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	q := seen{verb: r.Method, path: r.URL.Path, header: r.Header.Clone()}
	json.Unmarshal(body, &q.message)
	var params struct {
		Meta map[string]json.RawMessage `json:"_meta"`
	}
	json.Unmarshal(q.Params, &params)
	q.meta = params.Meta
	s.mu.Lock()
	s.log = append(s.log, q)
	n := 0
	for _, l := range s.log {
		if l.verb == q.verb && l.Method == q.Method {
			n++
		}
	}
	s.mu.Unlock()
	if s.on != nil && s.on(w, r, q, n) {
		return
	}
	switch {
	case r.Method == http.MethodGet:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case r.Method == http.MethodDelete:
	case q.ID == nil:
		w.WriteHeader(http.StatusAccepted)
	case q.Method == "server/discover" && s.modern:
		q.reply(w, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{},"prompts":{},"resources":{}}}`)
	case q.Method == "initialize" && !s.modern:
		s.mu.Lock()
		s.sessions++
		w.Header().Set("Mcp-Session-Id", fmt.Sprintf("s-%d", s.sessions))
		s.mu.Unlock()
		q.reply(w, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{},"prompts":{},"resources":{}},"serverInfo":{"name":"s","version":"1"}}`)
	case q.Method == "tools/list":
		q.reply(w, `{"resultType":"complete","tools":[{"name":"act","inputSchema":{"type":"object"}}]}`)
	case q.Method == "tools/call":
		q.reply(w, doneResult)
	default:
		http.Error(w, "Bad Request", http.StatusBadRequest)
	}
}

// reply answers with a result.
func (q seen) reply(w http.ResponseWriter, result string) {
	q.write(w, http.StatusOK, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, result))
}

// fault answers with an error.
func (q seen) fault(w http.ResponseWriter, status, code int, message, data string) {
	if data != "" {
		data = `,"data":` + data
	}
	q.write(w, status, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%q%s}}`, q.ID, code, message, data))
}

func (q seen) write(w http.ResponseWriter, status int, body string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	io.WriteString(w, body)
}

// stream starts an event stream and sends it the events.
func stream(w http.ResponseWriter, events ...string) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.WriteHeader(http.StatusOK)
	for _, e := range events {
		fmt.Fprintf(w, "data: %s\n\n", e)
	}
	w.(http.Flusher).Flush()
}

// got returns the requests so far, of one method if it is given.
func (s *script) got(methods ...string) []seen {
	s.mu.Lock()
	defer s.mu.Unlock()
	var g []seen
	for _, q := range s.log {
		if len(methods) == 0 || slices.Contains(methods, q.Method) || slices.Contains(methods, q.verb) {
			g = append(g, q)
		}
	}
	return g
}

// order returns the methods of the requests so far, those without one as their verb.
func (s *script) order() string {
	var o []string
	for _, q := range s.got() {
		name := q.Method
		if name == "" {
			name = q.verb
		}
		o = append(o, name)
	}
	return strings.Join(o, " ")
}

// dial returns a client of the script that is closed with the test.
func (s *script) dial(t *testing.T, opts Options) *Client {
	t.Helper()
	return s.dialAs(t, HTTP{URL: s.URL + "/mcp"}, opts)
}

func (s *script) dialAs(t *testing.T, transport HTTP, opts Options) *Client {
	t.Helper()
	if transport.Client == nil {
		transport.Client = s.Client()
	}
	if opts.Policy == nil {
		opts.Policy = quickly()
	}
	c, err := New(transport, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// within is a context for one test: nothing may take longer.
func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// proceeds fails the test if the answer is no result.
func proceeds(t *testing.T, a *retry.Answer) {
	t.Helper()
	if a.Decision.Action != retry.Proceed {
		t.Fatalf("%v %v: %+v", a.Outcome.Kind, a.Decision, a.Err())
	}
}

func unmarshal(t *testing.T, raw []byte, v any) {
	t.Helper()
	if err := json.Unmarshal(raw, v); err != nil {
		t.Error(err)
	}
}
