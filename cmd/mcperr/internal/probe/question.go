package probe

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"

	"github.com/mcperr/mcperr/internal/proto"
	"github.com/mcperr/mcperr/interpret"
)

// question is one message on its way to the server. A check spoils what it wants to have spoilt.
type question struct {
	verb   string // "" is POST
	to     string // "" is the server's address
	header http.Header
	body   []byte
	id     string // that an answer would bear, raw JSON; "": none that can be known

	// after goes out behind a message that may draw no answer, on standard input only: once after is answered, none will come.
	after *question
}

// Names of the transport's headers.
const (
	headerVersion = "MCP-Protocol-Version"
	headerSession = "Mcp-Session-Id"
	headerMethod  = "Mcp-Method"
	headerName    = "Mcp-Name"
)

// self is who asks, as an Implementation.
var self = map[string]any{"name": "mcperr-probe", "version": "1"}

type params = map[string]any

// request returns a sound request, in the way of the version in force.
func (p *Probe) request(method string, with params) *question {
	if p.server.modern() {
		return p.modern(interpret.Version20260728, method, with)
	}
	return p.legacy(method, with)
}

// modern returns a request that declares itself to be of the version.
func (p *Probe) modern(version, method string, with params) *question {
	all := maps.Clone(with)
	if all == nil {
		all = params{}
	}
	all["_meta"] = params{proto.MetaVersion: version, proto.MetaInfo: self, proto.MetaCapabilities: params{}}
	q := p.compose(method, all)
	q.header.Set(headerVersion, version)
	q.header.Set(headerMethod, method)
	for _, key := range []string{"name", "uri"} {
		if target, ok := with[key].(string); ok {
			q.header.Set(headerName, proto.EncodeHeader(target))
		}
	}
	return q
}

// legacy returns a request in the session of a handshake.
func (p *Probe) legacy(method string, with params) *question {
	q := p.compose(method, with)
	p.inSession(q.header)
	return q
}

func (p *Probe) inSession(h http.Header) {
	if p.server.Version != "" {
		h.Set(headerVersion, p.server.Version)
	}
	if p.server.session != "" {
		h.Set(headerSession, p.server.session)
	}
}

// compose writes a request with a new id; ids are small integers, for some servers keep them in 32 bits.
func (p *Probe) compose(method string, with params) *question {
	p.ids++
	q := p.raw(encode(method, p.ids, with))
	q.id = strconv.Itoa(p.ids)
	return q
}

// notice returns a notification.
func (p *Probe) notice(method string) *question {
	q := p.raw(encode(method, 0, nil))
	p.inSession(q.header)
	return q
}

// raw returns a message of these bytes, whatever they are, with the headers that every message bears.
func (p *Probe) raw(body []byte) *question {
	h := http.Header{}
	for name, values := range p.opts.Header {
		h[http.CanonicalHeaderKey(name)] = values
	}
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json, text/event-stream")
	return &question{header: h, body: body}
}

func encode(method string, id int, with params) []byte {
	b, err := json.Marshal(struct {
		JSONRPC string `json:"jsonrpc"`
		ID      int    `json:"id,omitempty"`
		Method  string `json:"method"`
		Params  params `json:"params,omitempty"`
	}{"2.0", id, method, with})
	if err != nil {
		panic(fmt.Sprintf("probe: a message of our own cannot be written: %v", err)) // its members are texts and checked JSON
	}
	return b
}

// facts says what an interpreter may know of a question.
func (p *Probe) facts(q *question) interpret.Request {
	h := q.header
	if !p.server.http() {
		h = nil
	}
	req, _ := interpret.ParseRequest(q.body, h) // what is no request is read as such
	req.Transport, req.HTTPMethod, req.Era = p.server.Transport, q.verb, p.server.Era
	if req.Version == "" {
		req.Version = p.server.Version
	}
	req.Known.Tools = p.server.tools
	return req
}
