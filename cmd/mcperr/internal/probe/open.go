package probe

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mcperr/mcperr/internal/proto"
	"github.com/mcperr/mcperr/interpret"
)

const (
	sendsToOpen    = 2 // initialize, notifications/initialized
	reopenings     = 3 // of a session that a question has ended
	sessionsAtMost = 8 // that are remembered and closed: each is a request
)

// silence is how long server/discover may stay unanswered on standard input before the server counts as one of the older protocol.
const silence = 5 * time.Second

var opening = Check{
	ID: "opening", Asks: "a session, or what it speaks", sends: 1 + sendsToOpen,
	wants: []want{
		{since: interpret.Version20260728, says: "server/discover answers with supportedVersions and capabilities", ref: "schema#discoverresult"},
		{says: "initialize answers with protocolVersion, capabilities and serverInfo", ref: "basic/lifecycle#initialization"},
	},
	ask: open,
}

// open finds the era out and opens a session, in the version that is wanted if one is.
func open(ctx context.Context, a *asking) {
	if v := a.opts.Version; v == "" || v == interpret.Version20260728 {
		if a.discover(ctx) || v != "" || !wantsHandshake(a.last) {
			return
		}
	}
	a.handshake(ctx)
}

// wantsHandshake reports whether a refused discovery speaks for the older protocol, as [interpret.LegacyServer] says,
// or for a version of it.
func wantsHandshake(r *reply) bool {
	if r == nil {
		return false
	}
	k := r.o.Kind
	return k == interpret.LegacyServer || k == interpret.UnsupportedVersion && (len(r.o.Supported) == 0 ||
		slices.ContainsFunc(r.o.Supported, func(v string) bool { return v < interpret.Version20260728 }))
}

func (a *asking) discover(ctx context.Context) bool {
	if !a.started() {
		return false
	}
	asked := ctx
	if !a.server.http() && a.opts.Version == "" && silence < a.opts.Timeout {
		var cancel context.CancelFunc
		asked, cancel = context.WithTimeout(ctx, silence)
		defer cancel()
	}
	r := a.send(asked, a.modern(interpret.Version20260728, "server/discover", nil))
	if r.o.Kind != interpret.OK {
		a.failed("server/discover")
		return false
	}
	a.demands = nil
	var result struct {
		SupportedVersions []string
		Capabilities      map[string]json.RawMessage
		Meta              map[string]json.RawMessage `json:"_meta"`
	}
	r.result(&result)
	a.must(result.SupportedVersions != nil, "it names no supportedVersions")
	a.must(result.Capabilities != nil, "it declares no capabilities object")
	a.server.Era, a.server.Version = interpret.EraModern, interpret.Version20260728
	a.server.old = slices.ContainsFunc(result.SupportedVersions, func(v string) bool { return v < interpret.Version20260728 })
	a.server.describe(result.Capabilities, result.Meta[proto.MetaServerInfo])
	return true
}

func (a *asking) handshake(ctx context.Context) {
	version := a.opts.Version
	if version == "" {
		version = interpret.Version20251125
	}
	if !a.started() {
		return
	}
	r := a.send(ctx, a.compose("initialize", initializeParams(version)))
	if r.o.Kind != interpret.OK {
		a.failed("initialize")
		return
	}
	a.demands = nil
	var result struct {
		ProtocolVersion string
		Capabilities    map[string]json.RawMessage
		ServerInfo      json.RawMessage
	}
	r.result(&result)
	if a.opts.Version != "" && result.ProtocolVersion != a.opts.Version {
		a.must(false, "it speaks %s, not %s", quoted(result.ProtocolVersion), a.opts.Version)
		return
	}
	a.must(result.Capabilities != nil, "it declares no capabilities object")
	a.must(result.ServerInfo != nil, "it has no serverInfo")
	a.server.Era, a.server.Version, a.server.session = interpret.EraLegacy, result.ProtocolVersion, r.x.Header.Get(headerSession)
	a.server.describe(result.Capabilities, result.ServerInfo)
	a.Probe.send(ctx, a.notice("notifications/initialized"))
}

func initializeParams(version string) params {
	return params{"protocolVersion": version, "capabilities": params{}, "clientInfo": self}
}

// started has a fresh process for a question that opens something.
func (a *asking) started() bool {
	if err := a.wire.restart(); err != nil {
		a.must(false, "its process cannot be started: %v", err)
		return false
	}
	return true
}

// failed says why nothing was opened.
func (a *asking) failed(method string) {
	a.demands, a.why, a.stopped = nil, "", ""
	switch {
	case a.last.o.Kind == interpret.Unauthorized:
		a.server.shut = true
		a.why = "the server wants credentials (--header)"
	case a.aside():
	case a.last.m == nil:
		a.must(false, "%s: %s", method, a.unanswered())
	default:
		a.must(false, "%s: a client reads the answer as %s", method, a.last.o.Kind)
	}
}

func (s *Server) describe(capabilities map[string]json.RawMessage, info json.RawMessage) {
	s.capabilities = make(map[string]bool)
	for name := range capabilities {
		s.capabilities[name] = true
	}
	var who struct{ Name, Version string }
	if json.Unmarshal(info, &who) == nil {
		s.Name = strings.TrimSpace(shown(who.Name) + " " + shown(who.Version))
	}
}

// reopen opens a session again, in the version in force. It reports whether it could.
func (p *Probe) reopen(ctx context.Context) bool {
	if err := p.wire.restart(); err != nil {
		p.stopped = "its process cannot be started again"
		return false
	}
	if p.server.modern() {
		return true // every request says all there is to say
	}
	version := p.server.Version
	p.server.Version, p.server.session = "", ""
	r := p.send(ctx, p.compose("initialize", initializeParams(version)))
	p.server.Version = version
	if r.o.Kind != interpret.OK {
		p.stopped = "no session could be opened again"
		return false
	}
	p.server.session = r.x.Header.Get(headerSession)
	p.send(ctx, p.notice("notifications/initialized"))
	return true
}

// hold remembers a session that a reply has opened.
func (p *Probe) hold(session string) {
	if session != "" && len(p.sessions) < sessionsAtMost && !slices.Contains(p.sessions, session) {
		p.sessions = append(p.sessions, session)
	}
}

// leave closes every session that was opened. What the server says to that is nobody's business any more.
func (p *Probe) leave(ctx context.Context) {
	p.watching = nil
	for _, id := range p.sessions {
		q := p.raw(nil)
		q.verb = http.MethodDelete
		q.header.Del("Content-Type")
		if p.server.Version != "" {
			q.header.Set(headerVersion, p.server.Version)
		}
		q.header.Set(headerSession, id)
		p.send(ctx, q)
	}
}
