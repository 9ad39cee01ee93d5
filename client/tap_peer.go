package client

import (
	"encoding/json"
	"net/http"
	"slices"
	"sync"

	"github.com/mcperr/mcperr/interpret"
)

// peer is what the traffic with one server, in one session if it has them, has shown. Its zero value knows nothing.
type peer struct {
	mu           sync.Mutex
	era          interpret.Era
	version      string
	capabilities []string           // declared in the handshake
	lists        map[string]*listed // that are being read
	names        catalog
	answered     []string // ids of the server's requests that the SDK answered, the last few
	broken       map[string]*exchange
}

// Bounds of what a peer remembers.
const (
	answersKept = 64
	brokenKept  = 64
	namesKept   = 10000 // of one list
)

// listed is a list as far as it was read.
type listed struct {
	names []string
	tools map[string]toolFacts
}

// describe adds to a request what is known of its server.
func (p *peer) describe(req *interpret.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	req.Era = p.era
	if req.Version == "" {
		req.Version = p.version
	}
	if req.Capabilities == nil && p.era == interpret.EraLegacy {
		req.Capabilities = p.capabilities
	}
	p.names.describe(req)
}

// learn takes in what an exchange says about the server.
func (p *peer) learn(x *interpret.Exchange, o *interpret.Outcome) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if o.Era != interpret.EraUnknown && p.era == interpret.EraUnknown && o.Kind != interpret.LegacyServer {
		p.era = o.Era
	}
	if o.Kind != interpret.OK {
		return
	}
	switch req := &x.Request; req.Method {
	case "initialize":
		p.era, p.version, p.capabilities = interpret.EraLegacy, o.Version, req.Capabilities
	case "tools/list":
		p.page(req, o.Result, "tools", "name")
	case "prompts/list":
		p.page(req, o.Result, "prompts", "name")
	case "resources/list":
		p.page(req, o.Result, "resources", "uri")
	}
}

// page takes in one page of a list; only a list that was read from its beginning to its end is known.
func (p *peer) page(req *interpret.Request, result []byte, list, key string) {
	o, err := members(result)
	var items []json.RawMessage
	if err != nil || json.Unmarshal(o.get(list), &items) != nil {
		return
	}
	if p.lists == nil {
		p.lists = make(map[string]*listed)
	}
	if !req.Cursor {
		p.lists[req.Method] = &listed{tools: make(map[string]toolFacts)}
	}
	l := p.lists[req.Method]
	if l == nil {
		return
	}
	for _, raw := range items {
		item, err := parseObject(raw)
		if name := item.text(key); err == nil && name != "" {
			l.add(name, item)
		}
	}
	switch {
	case len(l.names) > namesKept:
	case o.text("nextCursor") != "":
		return
	case list == "tools":
		p.names.setTools(l.tools)
	case list == "prompts":
		p.names.setPrompts(l.names)
	default:
		p.names.setResources(l.names)
	}
	delete(p.lists, req.Method)
}

func (l *listed) add(name string, item object) {
	l.names = append(l.names, name)
	mirrored, _ := paramHeaders(item.get("inputSchema")) // a tool with bad ones is left out by the SDK
	l.tools[name] = toolFacts{mirrored: mirrored}
}

// replied notes an answer of the SDK's to a request of the server's.
func (p *peer) replied(body []byte) {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(body, &m) != nil || m.ID == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answered = append(p.answered[max(0, len(p.answered)+1-answersKept):], string(m.ID))
}

func (p *peer) repliedIDs() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.answered)
}

// remember keeps a request whose stream broke after an event, by that event: the SDK may take it up again.
func (p *peer) remember(event string, e *exchange) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.broken == nil {
		p.broken = make(map[string]*exchange)
	}
	if len(p.broken) >= brokenKept {
		for event := range p.broken { // any one
			delete(p.broken, event)
			break
		}
	}
	p.broken[event] = e
}

// taken returns the request whose stream broke after an event, once.
func (p *peer) taken(event string) *exchange {
	p.mu.Lock()
	defer p.mu.Unlock()
	e := p.broken[event]
	delete(p.broken, event)
	return e
}

// peers are the servers and sessions that a [Tap] has seen. The zero value is empty.
type peers struct {
	mu sync.Mutex
	m  map[string]*peer
}

// peersKept bounds them; past it one is forgotten, and learned anew.
const peersKept = 1024

// concerned reports whether a GET is of this protocol: it says so, or something of it went to the same address.
func (s *peers) concerned(r *http.Request) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return r.Header.Get(headerSession) != "" || r.Header.Get(headerVersion) != "" || s.m[peerKey(r, "")] != nil
}

func peerKey(r *http.Request, session string) string {
	u := *r.URL
	u.User, u.Fragment = nil, ""
	return u.String() + "\n" + session
}

// of returns the peer of a request: its address, and the session it goes out in.
func (s *peers) of(r *http.Request, session string) *peer {
	key := peerKey(r, session)
	s.mu.Lock()
	defer s.mu.Unlock()
	if p := s.m[key]; p != nil {
		return p
	}
	if s.m == nil {
		s.m = make(map[string]*peer)
	}
	if len(s.m) >= peersKept {
		for key := range s.m { // any one
			delete(s.m, key)
			break
		}
	}
	p := new(peer)
	s.m[key] = p
	return p
}
