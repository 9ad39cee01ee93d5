package probe

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/mcperr/mcperr/internal/proto"
	"github.com/mcperr/mcperr/interpret"
)

// server answers every question as the specification wants it, in one era, and lets a fault spoil the answer.
type server struct {
	era    interpret.Era
	http   bool
	secret string // that Authorization must bear; "": none is wanted
	bare   bool   // it declares no features
	spoil  []func(*asked, *answer)

	mu       sync.Mutex
	origin   string
	sessions map[string]bool
	opened   int
	got      []string // methods and verbs, in order
	called   []string // tools that ran, or refused to
}

// asked is a message as the server understands it.
type asked struct {
	verb, path string
	header     http.Header
	raw        string
	broken     bool // no JSON
	ID         json.RawMessage
	Method     string
	Params     struct {
		Name, URI, Cursor string
		ProtocolVersion   string
		Arguments         map[string]any
		Meta              map[string]any `json:"_meta"`
	}
}

// is reports whether a sound request of the method was asked.
func (q *asked) is(method string) bool { return q.Method == method }

// answer is what goes back. An error stands above a result, raw above both.
type answer struct {
	status int
	header http.Header
	id     json.RawMessage
	result map[string]any
	err    *fault
	extra  map[string]any // members of the envelope
	raw    *string
	drop   bool // the connection, or the process
	silent bool
}

type fault struct {
	Code    any    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (a *answer) fail(status int, code any, message string, data any) {
	a.status, a.err = status, &fault{code, message, data}
}

func (a *answer) page(status int, media, body string) {
	a.status, a.raw = status, &body
	a.header.Set("Content-Type", media)
}

func (s *server) modern() bool { return s.era == interpret.EraModern }

// reply is the right answer, spoilt by the faults.
func (s *server) reply(q *asked) *answer {
	a := &answer{status: 200, header: http.Header{"Content-Type": {"application/json"}}, id: q.ID}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, strings.TrimSpace(q.verb+" "+q.Method))
	s.right(q, a)
	for _, f := range s.spoil {
		f(q, a)
	}
	if id := a.header.Get(headerSession); id != "" {
		s.sessions[id] = true
		s.opened++
	}
	return a
}

func (s *server) right(q *asked, a *answer) {
	bad := 200
	if s.http {
		bad = 400
		if s.refusedByHTTP(q, a) {
			return
		}
	}
	switch {
	case q.broken:
		a.id = json.RawMessage("null")
		a.fail(bad, -32700, "Parse error", nil)
	case q.Method == "":
		a.fail(bad, -32600, "Invalid Request", nil)
	case strings.HasPrefix(q.Method, "notifications/"):
		a.status, a.silent = 202, true
	case s.modern():
		s.declared(q, a, bad)
	default:
		s.dispatch(q, a)
	}
}

// refusedByHTTP looks at what stands outside of the body.
func (s *server) refusedByHTTP(q *asked, a *answer) bool {
	accept := q.header.Get("Accept")
	switch {
	case strings.HasPrefix(q.path, "/.well-known/oauth-protected-resource"):
		a.page(200, "application/json", `{"resource":"`+s.origin+`/mcp","authorization_servers":["https://login.example"]}`)
	case q.header.Get("Origin") != "":
		a.id = nil
		a.fail(403, -32600, "Forbidden origin", nil)
	case s.secret != "" && q.header.Get("Authorization") != "Bearer "+s.secret:
		a.page(401, "text/plain", "")
		a.header.Set("WWW-Authenticate", `Bearer resource_metadata="`+s.origin+`/.well-known/oauth-protected-resource/mcp"`)
	case q.verb == http.MethodDelete && s.sessions[q.header.Get(headerSession)]:
		delete(s.sessions, q.header.Get(headerSession))
		a.page(204, "text/plain", "")
	case q.verb != http.MethodPost:
		a.page(405, "text/plain", "")
	case !strings.Contains(accept, "application/json") || !strings.Contains(accept, "text/event-stream"):
		a.id = nil
		a.fail(406, -32600, "Not Acceptable", nil)
	case q.header.Get("Content-Type") != "application/json":
		a.id = nil
		a.fail(415, -32600, "Unsupported Media Type", nil)
	case !s.modern() && !q.broken && q.Method != "initialize" && q.Method != "server/discover" && !s.sessions[q.header.Get(headerSession)]:
		a.fail(404, -32001, "Session not found", nil)
	case !s.modern() && !q.broken && q.header.Get(headerVersion) == noVersion:
		a.fail(400, -32600, "Unsupported protocol version", nil)
	default:
		return false
	}
	return true
}

// declared looks at how a request of 2026-07-28 declares itself.
func (s *server) declared(q *asked, a *answer, bad int) {
	version, _ := q.Params.Meta[proto.MetaVersion].(string)
	header := q.header.Get(headerVersion)
	switch {
	case version == "" || q.Params.Meta[proto.MetaCapabilities] == nil:
		a.fail(bad, -32602, "_meta lacks io.modelcontextprotocol/protocolVersion", nil)
	case s.http && (header != version || q.header.Get(headerMethod) != q.Method):
		a.fail(bad, -32020, "Header mismatch", nil)
	case version != interpret.Version20260728:
		a.fail(bad, -32022, "Unsupported protocol version", map[string]any{"supported": []string{interpret.Version20260728}, "requested": version})
	default:
		s.dispatch(q, a)
		if a.result != nil {
			a.result["resultType"] = "complete"
		}
	}
}

// dispatch answers a request that was declared as it must be.
func (s *server) dispatch(q *asked, a *answer) {
	has := map[string]any{"tools": params{}, "resources": params{}, "prompts": params{}}
	if s.bare {
		has = map[string]any{}
	}
	unknownMethod := func() {
		a.fail(200, -32601, "Method not found", nil)
		if s.modern() {
			a.status = 404
		}
	}
	feature, _, _ := strings.Cut(q.Method, "/")
	switch {
	case q.is("server/discover") && s.modern():
		a.result = params{"supportedVersions": []string{interpret.Version20260728}, "capabilities": has,
			"_meta": params{"io.modelcontextprotocol/serverInfo": params{"name": "right", "version": "1"}}}
	case q.is("initialize") && !s.modern():
		version := q.Params.ProtocolVersion
		if !slices.Contains([]string{interpret.Version20250326, interpret.Version20250618, interpret.Version20251125}, version) {
			version = interpret.Version20251125
		}
		a.result = params{"protocolVersion": version, "capabilities": has, "serverInfo": params{"name": "right", "version": "1"}}
		if s.http {
			a.header.Set(headerSession, fmt.Sprintf("session-%04d-abcdef", s.opened))
		}
	case q.is("ping") && !s.modern():
		a.result = params{}
	case has[feature] == nil:
		unknownMethod()
	case q.Params.Cursor != "":
		a.fail(200, -32602, "Invalid cursor", nil)
	case q.is("tools/list"):
		a.result = params{"tools": []params{{"name": "add", "inputSchema": params{"type": "object", "properties": params{"a": params{"type": "number"}}}}}}
	case q.is("tools/call") && q.Params.Name == "add":
		s.called = append(s.called, "add")
		a.result = params{"content": []params{{"type": "text", "text": "a must be a number"}}, "isError": true}
		if _, ok := q.Params.Arguments["a"].(float64); ok {
			a.result = params{"content": []params{{"type": "text", "text": "3"}}}
		}
	case q.is("tools/call"):
		a.fail(200, -32602, "Unknown tool: "+q.Params.Name, nil)
	case q.is("resources/read"):
		a.fail(200, -32602, "Resource not found", params{"uri": q.Params.URI})
		if !s.modern() {
			a.err.Code = -32002
		}
	case q.is("prompts/get"):
		a.fail(200, -32602, "Unknown prompt: "+q.Params.Name, nil)
	default:
		unknownMethod()
	}
}

// parse reads a message.
func parse(raw []byte) *asked {
	q := &asked{raw: string(raw), header: http.Header{}}
	if !json.Valid(raw) {
		q.broken = true
		return q
	}
	json.Unmarshal(raw, q) // a method that is no string leaves it empty
	return q
}

// body writes an answer.
func (a *answer) body() []byte {
	if a.raw != nil {
		return []byte(*a.raw)
	}
	m := map[string]any{"jsonrpc": "2.0"}
	if a.id != nil {
		m["id"] = a.id
	}
	if a.err != nil {
		m["error"] = a.err
	} else {
		m["result"] = a.result
	}
	for name, v := range a.extra {
		if m[name] = v; v == nil {
			delete(m, name)
		}
	}
	b, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return b
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		panic(err)
	}
	q := parse(raw)
	q.verb, q.path, q.header = r.Method, r.URL.Path, r.Header
	if r.Method != http.MethodPost {
		q.broken = false
	}
	a := s.reply(q)
	switch {
	case a.drop:
		panic(http.ErrAbortHandler)
	case a.silent && a.status == 202:
		w.WriteHeader(202)
		return
	case a.silent:
		<-r.Context().Done()
		return
	}
	for name, values := range a.header {
		w.Header()[name] = values
	}
	w.WriteHeader(a.status)
	w.Write(a.body())
}

// serveStdio answers lines until the input ends.
func (s *server) serveStdio(in io.Reader, out io.Writer) {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		a := s.reply(parse(bytes.Clone(lines.Bytes())))
		if a.drop {
			fmt.Fprintln(os.Stderr, "fatal: token=s3cr3t-value")
			os.Exit(7)
		}
		if !a.silent {
			fmt.Fprintf(out, "%s\n", a.body())
		}
	}
}
