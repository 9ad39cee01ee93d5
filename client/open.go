package client

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"github.com/mcperr/mcperr/internal/proto"
	"github.com/mcperr/mcperr/interpret"
)

// open opens a session by the plan, in one attempt without any resend but four: a handshake that is refused is tried once more
// with bare capabilities; a version that is refused a second time, though the server says that it speaks it, is proposed in a handshake;
// so is one to a server that has a result for everything, for discovery too; and where the era was known the server is probed anew if it
// refuses what it was known for. It returns the plan that was tried last.
func (c *Client) open(ctx context.Context, p plan) (*session, plan, interpret.Exchange, error) {
	s, x, err := c.openBy(ctx, p)
	if s == nil && err == nil && p.insists && interpret.Reply(x).Kind == interpret.UnsupportedVersion {
		p = plan{handshake: true, version: p.version}
		s, x, err = c.openBy(ctx, p)
	}
	if s == nil && err == nil && !p.handshake && interpret.Reply(x).Kind == interpret.OK {
		var shaking plan
		if shaking, err = c.shaking(); err == nil {
			p = shaking
			s, x, err = c.openBy(ctx, p)
		}
	}
	if s == nil && err == nil && (p.cached || c.met()) && outdated(x) {
		c.forget()
		p = c.probing()
		s, x, err = c.openBy(ctx, p)
	}
	p.cached, p.insists = false, false
	if s == nil {
		return nil, p, x, err
	}
	s.plan, s.opened = p, x
	c.opts.Verdicts.Set(c.server, Verdict{Era: s.era(), Version: s.version(), Since: time.Now()})
	return s, p, x, nil
}

// forget drops what was learned about the server's era.
func (c *Client) forget() {
	c.opts.Verdicts.Drop(c.server)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.era = interpret.EraUnknown
}

// outdated reports whether a failure speaks against the era that was assumed, and not of time or of people.
func outdated(x interpret.Exchange) bool {
	o := interpret.Reply(x)
	f := o.Kind.Fixer()
	return o.Kind != interpret.Cancelled && f != interpret.FixedByTime && f != interpret.FixedByPerson
}

func (c *Client) openBy(ctx context.Context, p plan) (*session, interpret.Exchange, error) {
	if !p.handshake {
		return c.discover(ctx, p)
	}
	who := c.declared()
	s, x, err := c.shake(ctx, p, who)
	if s == nil && err == nil && bareHelps(x, who) {
		who.capabilities = json.RawMessage("{}")
		s, x, err = c.shake(ctx, p, who)
	}
	return s, x, err
}

// declared is the identity as it is to be declared from now on.
func (c *Client) declared() identity {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.identity
}

// bareHelps reports whether a handshake was refused in the way of servers that stumble over a capability they do not know.
func bareHelps(x interpret.Exchange, who identity) bool {
	o := interpret.Reply(x)
	refused := o.Status == http.StatusBadRequest || o.HasCode && (o.Code == -32602 || o.Code == -32603)
	return refused && o.Kind != interpret.UnsupportedVersion && len(o.Supported) == 0 && string(who.capabilities) != "{}"
}

// begin readies the wire for a session. What it returns beside a failure is the exchange of a request that was not sent.
func (c *Client) begin(ctx context.Context, p plan, who identity, method string) (*session, *interpret.Exchange, error) {
	s := &session{plan: p, identity: who}
	c.mu.Lock()
	s.afterAll, s.server.Era = c.lost, c.era
	c.mu.Unlock()
	s.quitCtx, s.quit = context.WithCancel(c.ctx)
	failure, err := c.link.open(ctx, s)
	if failure == nil {
		return s, nil, nil
	}
	s.quit()
	req := interpret.Request{Transport: c.link.transport(), Method: method, ID: "0", Version: p.version}
	return nil, &interpret.Exchange{Request: req, Failure: failure}, err
}

// discover asks a server of 2026-07-28 what it speaks. A result that is none of a discovery opens nothing.
func (c *Client) discover(ctx context.Context, p plan) (*session, interpret.Exchange, error) {
	const method = "server/discover"
	s, failed, err := c.begin(ctx, p, c.declared(), method)
	if s == nil {
		return nil, *failed, err
	}
	probe := ctx
	if d := c.link.patience(); d > 0 {
		var cancel context.CancelFunc
		probe, cancel = context.WithTimeout(ctx, d)
		defer cancel()
	}
	s.server.Version = p.version
	x := c.send(probe, s, outgoing{method: method})
	o := interpret.Reply(x)
	if o.Kind != interpret.OK || o.Era != interpret.EraModern {
		c.abandon(s)
		return nil, x, nil
	}
	s.server = told(o.Result, interpret.EraModern, p.version)
	return s, x, nil
}

// shake carries out the handshake of the older protocol.
func (c *Client) shake(ctx context.Context, p plan, who identity) (*session, interpret.Exchange, error) {
	const method = "initialize"
	s, failed, err := c.begin(ctx, p, who, method)
	if s == nil {
		return nil, *failed, err
	}
	x := c.send(ctx, s, outgoing{method: method, params: who.initializeParams(p.version)})
	o := interpret.Reply(x)
	if o.Kind != interpret.OK {
		c.abandon(s)
		return nil, x, nil
	}
	s.server = told(o.Result, interpret.EraLegacy, o.Version)
	// Without an id that can be sent back the session goes on without one; a server that minds says so.
	s.id, s.declared = returnable(x.Header.Get(headerSession)), x.Request.Capabilities
	if !slices.Contains(c.versions, o.Version) {
		c.abandon(s)
		return nil, x, c.noVersion([]string{o.Version})
	}
	if x := c.send(ctx, s, outgoing{method: "notifications/initialized"}); x.Failure != nil && x.Failure.Delivery == interpret.DeliveryNotSent {
		c.abandon(s)
		return nil, x, nil
	}
	c.link.listen(s)
	return s, x, nil
}

// abandon leaves a session that came to nothing. Whoever wanted it does not wait for that; Close does.
func (c *Client) abandon(s *session) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dismiss(s)
}

// told reads what a server says of itself in answer to a handshake or a discovery.
func told(result []byte, era interpret.Era, version string) Server {
	server := Server{Era: era, Version: version}
	o, err := members(result)
	if err != nil {
		return server
	}
	server.Info, server.Capabilities, server.Instructions = o.get("serverInfo"), o.get("capabilities"), o.text("instructions")
	if meta, err := members(o.get("_meta")); err == nil && server.Info == nil {
		server.Info = meta.get(proto.MetaServerInfo)
	}
	return server
}
