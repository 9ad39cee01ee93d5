package interpret

import (
	"net/http"
	"slices"
	"strings"
)

// The questions that rules ask. Each is about one fact.

func (r *reading) isHTTP() bool        { return r.req.Transport == HTTP }
func (r *reading) is(list ...int) bool { return slices.Contains(list, r.x.Status) }
func (r *reading) ok2xx() bool {
	return !r.isHTTP() || r.x.Status == 0 || r.x.Status >= 200 && r.x.Status < 300
}
func (r *reading) is4xx() bool { return r.isHTTP() && r.x.Status >= 400 && r.x.Status < 500 }
func (r *reading) is5xx() bool { return r.isHTTP() && r.x.Status >= 500 }

func (r *reading) verb() string {
	if r.req.HTTPMethod == "" {
		return http.MethodPost
	}
	return r.req.HTTPMethod
}

// noRequest: what we sent was no request at all.
func (r *reading) noRequest() bool {
	return r.req.Method == "" && r.verb() != http.MethodGet && r.verb() != http.MethodDelete
}

func (r *reading) method(list ...string) bool { return slices.Contains(list, r.req.Method) }
func (r *reading) probe() bool                { return r.req.Method == "server/discover" }

// modernRequest: it declared its own version, in the way of 2026-07-28.
func (r *reading) modernRequest() bool {
	return r.req.Method != "initialize" && (r.req.Meta != PresentNone || modern(r.req.Version))
}

// code is the error's code where it has one of at most 53 bits.
func (r *reading) code() (int64, bool) {
	if r.m == nil {
		return 0, false
	}
	return r.m.rpc.code, r.m.rpc.hasCode
}

func (r *reading) coded(list ...int64) bool {
	c, ok := r.code()
	return ok && slices.Contains(list, c)
}

func (r *reading) data() []byte {
	if r.m == nil {
		return nil
	}
	return r.m.rpc.data
}

// fault: the answer, ours or an orphan, is an error.
func (r *reading) fault() bool { return r.m != nil && r.rel != other && r.m.faulty() }

// meaningful: the error's code has a meaning of its own.
func (r *reading) meaningful() bool { return r.fault() && r.m.rpc.hasCode && r.meaning() }

// statusWins: the status says what the reply means, whatever the body.
func (r *reading) statusWins() bool {
	return r.isHTTP() && (r.is(401, 402, 403, 407, 429, 451) || r.x.Status >= 300 && r.x.Status < 400)
}

// bodyWins: the body says what the reply means, whatever the status.
func (r *reading) bodyWins() bool {
	switch {
	case r.m == nil, r.statusWins():
		return false
	case r.ok2xx():
		return r.rel == own || r.rel == orphan && r.orphanCounts()
	case r.rel == own && (r.m.good() || r.m.both()):
		return true
	case r.rel == own:
		return r.meaningful()
	}
	return r.is(400) && r.rel == orphan && (r.m.id == nil || isNull(r.m.id)) && r.coded(-32020, -32021, -32022)
}

// orphanCounts: an error without an id of ours is taken for the answer.
func (r *reading) orphanCounts() bool {
	if r.m.id != nil && !isNull(r.m.id) {
		return false
	}
	return r.isHTTP() && r.others == 0 || !r.isHTTP() && r.req.InFlight == 0
}

// readable: the error is read by its code, because the body wins or because nothing before it took the status.
func (r *reading) readable() bool {
	if r.statusWins() {
		return false
	}
	if !r.fault() {
		// A server that could not read the request may have its id wrong, too. Under 4xx no other answer can come.
		return r.is4xx() && r.m != nil && r.m.faulty() && r.coded(-32700, -32600)
	}
	return r.bodyWins() || r.is4xx() && (r.meaningful() || r.rel == own && r.req.ModelCall())
}

// gateway: no JSON-RPC came, and the reply wears a gateway's marks.
func (r *reading) gateway() bool {
	return r.isHTTP() && r.x.Status != 0 && r.messages == 0 && !r.stream && (wearsMarks(r.x.Header) ||
		r.is(407, 502, 503, 504) || r.x.Status >= 520 && r.x.Status <= 530)
}

// marked: the header alone, without what a status suggests.
func (r *reading) marked() bool { return r.messages == 0 && !r.stream && wearsMarks(r.x.Header) }

var proxies = []string{
	"nginx", "openresty", "apache", "caddy", "lighttpd", "varnish", "squid", "haproxy", "envoy", "traefik", "cloudflare", "awselb",
	"akamai", "akamaighost", "istio", "kong", "gws", "vercel", "netlify", "fly",
}

func wearsMarks(h http.Header) bool {
	for name := range h {
		if n := strings.ToLower(name); n == "via" || n == "x-cache" || strings.HasPrefix(n, "cf-") {
			return true
		}
	}
	for _, v := range h.Values("Server") {
		word := strings.FieldsFunc(strings.ToLower(v), func(c rune) bool { return !(c >= 'a' && c <= 'z') })
		for _, w := range word {
			if slices.Contains(proxies, w) {
				return true
			}
		}
	}
	return false
}

// words is the server's text, from which what we sent has been cut: the error's message, or a body that is no JSON-RPC.
func (r *reading) words() string {
	if r.cleaned == nil {
		var s string
		switch {
		case r.m != nil:
			s = withoutEchoes(string(r.m.rpc.message), r.req)
		case r.messages == 0 && r.unread == "" && !r.deep:
			s = bodyWords(r.x.Body, r.req)
		}
		r.cleaned = &s
	}
	return *r.cleaned
}

func (r *reading) says(p *topic) bool { return p.in(r.words()) }

// known reports whether the target is on a list; listed whether there is a list at all.
func (r *reading) known() (listed, known bool) {
	n := r.req.Known.Tools
	switch r.req.Method {
	case "prompts/get":
		n = r.req.Known.Prompts
	case "resources/read":
		n = r.req.Known.Resources
	}
	return n != nil, n.Has(r.req.Target)
}

func (r *reading) offList() bool { listed, known := r.known(); return listed && !known }
func (r *reading) onList() bool  { listed, known := r.known(); return listed && known }

// challenges reads WWW-Authenticate, once.
func (r *reading) challenges() []challenge {
	if r.demands == nil {
		r.demands = challenges(r.x.Header)
	}
	return r.demands
}
