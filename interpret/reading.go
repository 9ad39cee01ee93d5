package interpret

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// relation says whose answer a message is.
type relation uint8

const (
	unrelated relation = iota
	own                // under our id
	orphan             // an error whose id is null, absent, or a string of the server's own making
	other              // under another id, or a result without one
)

// reading is one exchange with everything about it that a rule may look at.
// What is pointed at lies in it, too: reading a reply is one allocation, and those of what was found.
type reading struct {
	given  Exchange
	answer message
	found  Outcome

	x     *Exchange
	req   *Request
	media string // Content-Type without parameters, lower case

	stream bool // the body is an event stream under its own type
	html   bool

	m        *message // the message that is read as the answer, nil if none
	rel      relation
	messages int       // JSON-RPC messages that came
	others   int       // answers under other ids, and such as cannot be read
	strange  int       // what is no JSON-RPC, and meant as an answer: JSON arrays, and objects with a result or an error
	noise    int       // lines that are no JSON-RPC
	events   int       // events that a stream dispatched
	unread   Deviation // of a message that two readers could read apart
	deep     bool      // a message nested past the limit came
	spoilt   bool      // our answer was one of those: no later one counts

	asked   []string // capabilities of input requests, sent as messages, that we did not declare
	eventID string

	out     *Outcome
	cleaned *string // words(), once
	list    versionList
	listed  bool        // versions() has filled list
	demands []challenge // challenges(), once
}

// read gathers the facts of an exchange.
func read(x Exchange) *reading {
	r := &reading{given: x}
	r.x, r.req, r.out = &r.given, &r.given.Request, &r.found
	if r.req.Transport == Stdio {
		r.readLines()
		return r
	}
	name, _, _ := strings.Cut(x.Header.Get("Content-Type"), ";")
	r.media = strings.ToLower(strings.TrimSpace(name))
	body := x.Body
	switch {
	case r.media == "text/event-stream":
		r.stream = true
		p := events(body, func(e event) bool {
			m := readMessage(e.data)
			m.event = e.id
			return r.consider(&m, nil)
		})
		r.events, r.eventID = p.seen, p.lastID
		if r.events == 0 && isObject(bytes.TrimSpace(bytes.TrimPrefix(body, bom))) {
			m := readMessage(body)
			r.consider(&m, nil) // a JSON body under the wrong type
		}
	case len(bytes.TrimSpace(body)) > 0:
		m := readMessage(body)
		r.consider(&m, nil)
		r.html = m.form == notJSON && (r.media == "text/html" || r.media == "application/xhtml+xml" || startsLikeHTML(body))
	}
	return r
}

func (r *reading) readLines() {
	for i, l := range r.x.Lines {
		l = bytes.TrimSuffix(l, []byte("\r"))
		if len(bytes.TrimSpace(l)) == 0 {
			continue
		}
		if i == len(r.x.Lines)-1 && r.x.Truncated && !valid(bytes.TrimPrefix(l, bom)) {
			r.noise++
			return
		}
		if m := readMessage(l); !r.consider(&m, &r.noise) {
			return
		}
	}
}

// pageBegins is the beginning of a page, after comments and what XHTML puts before it.
var pageBegins = regexp.MustCompile(`(?is)^\s*(?:(?:<\?xml\b.*?\?>|<!--.*?-->)\s*)*<(?:!doctype\s+html|html|head|body)\b`)

func startsLikeHTML(body []byte) bool {
	body = bytes.TrimPrefix(body, bom)
	return pageBegins.Match(body[:min(len(body), wordsLimit)])
}

// consider takes one piece of the reply and reports whether more may decide something.
func (r *reading) consider(m *message, noise *int) (more bool) {
	if m.form != isRPC {
		r.deep = r.deep || m.deep
		if m.form == notRPC && (m.hasResult || m.hasError || isArray(m.raw)) {
			r.strange++
		}
		if noise != nil {
			*noise++
		}
		return true
	}
	if m.broken() && !m.hasMethod {
		if r.deep = r.deep || m.deep; r.unread == "" {
			r.unread = m.unread
		}
		r.others++ // beside it no error without an id is the answer
		r.spoilt = r.spoilt || r.req.ID != "" && sameID(m.id, []byte(r.req.ID))
		return noise != nil || !r.spoilt
	}
	r.messages++
	if m.hasMethod {
		r.serverRequest(m)
		return true
	}
	if r.spoilt {
		return true
	}
	rel := r.relate(m)
	if rel == other {
		if !r.isHTTP() {
			return true // a late answer to another request on the same pipe
		}
		r.others++
	}
	if r.m == nil || rel < r.rel {
		r.answer, r.m, r.rel = *m, &r.answer, rel
	}
	return rel != own || noise != nil
}

func (r *reading) relate(m *message) relation {
	switch {
	case r.req.ID != "" && sameID(m.id, []byte(r.req.ID)):
		return own
	case m.hasError && !m.good() && !m.both() && (m.id == nil || isNull(m.id) || m.id[0] == '"'):
		return orphan
	}
	return other
}

// serverRequest notes a request of the server's own, which waits for an answer of ours.
func (r *reading) serverRequest(m *message) {
	if m.id == nil || isNull(m.id) || m.broken() {
		return
	}
	const enough = 16 // a flood of them says no more than the first few
	if len(r.out.Pending) < enough && !slices.ContainsFunc(r.x.Replied, func(id string) bool { return sameID([]byte(id), m.id) }) {
		r.out.Pending = append(r.out.Pending, m.method)
	}
	if c, ok := capabilityOf(m.method, m.params); ok && !r.declared(c) && len(r.asked) < enough && !slices.Contains(r.asked, c) {
		r.asked = append(r.asked, c)
	}
}

// capabilityOf returns the capability that covers an input request; ok is false where the method asks for no input.
func capabilityOf(method string, params []byte) (capability string, ok bool) {
	switch method {
	case "sampling/createMessage":
		return "sampling", true
	case "roots/list":
		return "roots", true
	case "elicitation/create":
		if string(text(member(params, "mode"))) == "url" {
			return "elicitation.url", true
		}
		return "elicitation.form", true
	}
	return "", false
}

// declared reports whether the capabilities that went with the request cover the leaf.
func (r *reading) declared(leaf string) bool {
	for _, c := range r.req.Capabilities {
		if c == leaf || strings.HasPrefix(c, leaf+".") || c == "elicitation" && leaf == "elicitation.form" {
			return true
		}
	}
	return false
}
