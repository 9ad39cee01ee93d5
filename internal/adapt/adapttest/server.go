// Package adapttest is a server for the tests and examples of adapters: it speaks both eras well, but for what a test has it say otherwise.
package adapttest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
)

// Server answers server/discover (if it is modern), initialize, tools/list and every tools/call with success.
type Server struct {
	*httptest.Server
	Modern bool

	mu       sync.Mutex
	arrived  *sync.Cond // of a request
	scripts  map[string][]Reply
	got      []Request
	sessions int
	known    map[string]bool // sessions
	until    map[string]chan struct{}
}

// Request is one message that arrived.
type Request struct {
	Method  string
	ID      string // raw JSON
	Params  json.RawMessage
	Session string
	Verb    string
	Header  http.Header
}

// Reply is what the server says otherwise. $ID stands for the request's id.
type Reply struct {
	Status int // 0: 200
	Header map[string]string
	Body   string
	Hang   bool // until the client gives up
	Drop   bool // the connection, before a byte of a reply
	Good   bool // the good answer after all
}

// Error is a reply with a JSON-RPC error.
func Error(status int, code int, data string) Reply {
	return Reply{Status: status, Body: fmt.Sprintf(`{"jsonrpc":"2.0","id":$ID,"error":{"code":%d,"message":"no","data":%s}}`, code, data)}
}

// Result is a reply with a result.
func Result(result string) Reply {
	return Reply{Body: `{"jsonrpc":"2.0","id":$ID,"result":` + result + `}`}
}

// New starts a server that ends with the test.
func New(t interface{ Cleanup(func()) }, modern bool) *Server {
	s := Start(modern)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

// Start starts a server.
func Start(modern bool) *Server {
	s := &Server{Modern: modern, scripts: make(map[string][]Reply), known: make(map[string]bool), until: make(map[string]chan struct{})}
	s.arrived = sync.NewCond(&s.mu)
	s.Server = httptest.NewServer(s)
	return s
}

// Say has the next requests of a method (or verb: GET, DELETE) answered so, one reply each.
func (s *Server) Say(method string, replies ...Reply) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripts[method] = append(s.scripts[method], replies...)
}

// Tool is Say for the calls of one tool.
func (s *Server) Tool(name string, replies ...Reply) { s.Say("tool "+name, replies...) }

// Forget ends every session.
func (s *Server) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.known)
}

// Got returns the requests of a method, or verb.
func (s *Server) Got(method string) []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.those(method)
}

func (s *Server) those(method string) []Request {
	return slices.DeleteFunc(slices.Clone(s.got), func(r Request) bool { return r.Method != method && r.Verb != method })
}

// Await waits for the first request of a method, or verb.
func (s *Server) Await(method string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.those(method)) == 0 {
		s.arrived.Wait()
	}
}

// All returns every request, in order.
func (s *Server) All() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got)
}

// Methods returns the methods of the requests that arrived, in order, notifications left out.
func (s *Server) Methods() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []string
	for _, r := range s.got {
		if r.ID != "" {
			list = append(list, r.Method)
		}
	}
	return list
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	}
	body, _ := io.ReadAll(r.Body)
	_ = json.Unmarshal(body, &m)
	got := Request{Method: m.Method, ID: string(m.ID), Params: m.Params, Session: r.Header.Get("Mcp-Session-Id"), Verb: r.Method, Header: r.Header}
	reply, lost := s.take(got)
	switch {
	case reply.Hang:
		<-r.Context().Done()
	case reply.Drop:
		if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
			c.Close()
		}
	case lost:
		http.Error(w, "session not found", http.StatusNotFound)
	case !reply.Good:
		for name, value := range reply.Header {
			w.Header().Set(name, value)
		}
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/json")
		}
		if reply.Status != 0 {
			w.WriteHeader(reply.Status)
		}
		io.WriteString(w, strings.ReplaceAll(reply.Body, "$ID", got.ID))
	case got.Verb != http.MethodPost:
		w.WriteHeader(http.StatusMethodNotAllowed)
	case got.ID == "":
		w.WriteHeader(http.StatusAccepted)
	default:
		s.answer(w, got)
	}
}

func (s *Server) take(r Request) (reply Reply, lost bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, r)
	s.arrived.Broadcast()
	for _, name := range []string{r.Method, r.Verb} {
		if passed := s.until[name]; passed != nil {
			close(passed)
			delete(s.until, name)
		}
	}
	key := r.Method
	if r.Verb != http.MethodPost {
		key = r.Verb
	}
	var called struct{ Name string }
	_ = json.Unmarshal(r.Params, &called)
	if tool := "tool " + called.Name; r.Method == "tools/call" && len(s.scripts[tool]) > 0 {
		key = tool
	}
	reply = Reply{Good: true}
	if list := s.scripts[key]; len(list) > 0 {
		reply, s.scripts[key] = list[0], list[1:]
	}
	return reply, r.Session != "" && !s.known[r.Session]
}

func (s *Server) answer(w http.ResponseWriter, r Request) {
	result := `{"resultType":"complete","content":[{"type":"text","text":"fine"}]}`
	switch r.Method {
	case "server/discover":
		if !s.Modern {
			http.Error(w, "no such method", http.StatusBadRequest)
			return
		}
		result = `{"resultType":"complete","supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public"}`
	case "initialize":
		s.mu.Lock()
		s.sessions++
		id := fmt.Sprintf("session-%d", s.sessions)
		s.known[id] = true
		s.mu.Unlock()
		w.Header().Set("Mcp-Session-Id", id)
		result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
	case "tools/list":
		result = `{"resultType":"complete","tools":[{"name":"t","inputSchema":{"type":"object"}}],"ttlMs":0,"cacheScope":"public"}`
	}
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, `{"jsonrpc":"2.0","id":`+r.ID+`,"result":`+result+`}`)
}
