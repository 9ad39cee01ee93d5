// Package replay is an HTTP server that answers with recorded replies.
// Status, headers and body go out as they were recorded; only the id in them becomes that of the request, which the recording could not know.
package replay

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/mcperr/mcperr/interpret"
)

// maxRequest bounds the body of a request.
const maxRequest = 1 << 20

// A Script holds the replies to each JSON-RPC method, given one after the other, the last one again and again.
type Script map[string][]interpret.Exchange

// Server replays one script. It is safe for concurrent use.
// A notification is accepted, the listening stream refused, and a method that the script does not have is not found.
type Server struct {
	script Script
	mu     sync.Mutex
	given  map[string]int
	sent   []interpret.Exchange
}

// New returns a server for a script, which must not change afterwards.
func New(s Script) *Server { return &Server{script: s, given: map[string]int{}} }

// Given returns how many replies to a method were given.
func (s *Server) Given(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.given[method]
}

// Sent returns the recorded replies that went out, in order.
func (s *Server) Sent() []interpret.Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.sent)
}

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var request struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	switch r.Method {
	case http.MethodDelete:
		w.WriteHeader(http.StatusNoContent)
		return
	case http.MethodPost:
	default:
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxRequest))
	if err != nil || json.Unmarshal(body, &request) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if request.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	x, ok := s.next(request.Method)
	if !ok {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, request.ID)
		return
	}
	send(w, x, request.ID)
}

func (s *Server) next(method string) (interpret.Exchange, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	replies := s.script[method]
	if len(replies) == 0 {
		return interpret.Exchange{}, false
	}
	n := s.given[method]
	s.given[method]++
	x := replies[min(n, len(replies)-1)]
	s.sent = append(s.sent, x)
	return x, true
}

// hopByHop are headers of the recorded connection, not of the reply.
var hopByHop = []string{"Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive"}

// send writes a recorded reply, and breaks the connection where the recording's broke.
func send(w http.ResponseWriter, x interpret.Exchange, id json.RawMessage) {
	if x.Status == 0 {
		panic(http.ErrAbortHandler)
	}
	for name, values := range x.Header {
		if !slices.Contains(hopByHop, name) {
			w.Header()[name] = values
		}
	}
	body := replaceID(x.Header.Get("Content-Type"), x.Body, []byte(x.Request.ID), id)
	if x.Failure == nil {
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	w.WriteHeader(x.Status)
	if x.Status != http.StatusNoContent {
		w.Write(body)
	}
	if x.Failure != nil {
		http.NewResponseController(w).Flush() // what was recorded arrives, then the connection breaks
		panic(http.ErrAbortHandler)
	}
}
