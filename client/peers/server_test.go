package peers

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// server speaks one era well, and answers the tool "bad" as the reply says.
type server struct {
	*httptest.Server
	era   string
	reply reply
	bad   atomic.Int32 // calls of the tool that arrived
	runs  atomic.Int32 // calls of it that ran
	ids   atomic.Int32 // of sessions
}

const tools = `[{"name":"bad","inputSchema":{"type":"object"}},{"name":"good","inputSchema":{"type":"object"}}]`

func newServer(t *testing.T, era string, r reply) *server {
	s := &server{era: era, reply: r}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name string `json:"name"`
	} `json:"params"`
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodPost {
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	var m message
	body, _ := io.ReadAll(r.Body)
	if json.Unmarshal(body, &m) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if m.ID == nil {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	meta := ""
	if s.era == "modern" {
		meta = `"resultType":"complete",`
	}
	switch {
	case m.Method == "server/discover" && s.era == "modern":
		answer(w, m, `{"resultType":"complete","supportedVersions":["2026-07-28","2025-11-25"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}`)
	case m.Method == "initialize":
		w.Header().Set("Mcp-Session-Id", "s"+strconv.Itoa(int(s.ids.Add(1))))
		answer(w, m, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)
	case m.Method == "tools/list":
		answer(w, m, `{`+meta+`"tools":`+tools+`,"ttlMs":0,"cacheScope":"public"}`)
	case m.Method == "tools/call" && m.Params.Name == "good":
		answer(w, m, `{`+meta+`"content":[{"type":"text","text":"fine"}]}`)
	case m.Method == "tools/call":
		s.bad.Add(1)
		if s.reply.runs() {
			s.runs.Add(1)
		}
		s.answerBadly(w, r, m)
	default:
		http.Error(w, "no such thing", http.StatusBadRequest)
	}
}

func answer(w http.ResponseWriter, m message, result string) {
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":`+result+`}`)
}

func (s *server) answerBadly(w http.ResponseWriter, req *http.Request, m message) {
	r := s.reply
	hangUp := func() {
		c, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			c.Close()
		}
	}
	switch {
	case r.HangMs > 0:
		<-req.Context().Done() // longer than HangMs if the machine is slow: no answer may overtake the caller's deadline
		return
	case r.Drop == "before-headers":
		hangUp()
		return
	}
	for name, value := range r.Headers {
		w.Header().Set(name, value)
	}
	w.WriteHeader(r.Status)
	io.WriteString(w, strings.ReplaceAll(r.Body, "$ID", string(m.ID)))
	if r.Drop != "" {
		w.(http.Flusher).Flush()
		hangUp()
	}
}
