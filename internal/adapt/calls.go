// Package adapt is what the adapters of SDKs share: it knows no SDK.
package adapt

import (
	"context"
	"maps"
	"sync/atomic"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// Calls makes an SDK's calls through the host's loop, with remedies of the adapter's own.
type Calls struct {
	host   *retry.Loop
	server *retry.Server
	over   atomic.Pointer[interpret.Transport] // what they go out over; nil: nobody knows yet
	sent   atomic.Pointer[interpret.Scrubber]  // of the credentials that they went out with last
}

// NewCalls takes the host's loop; nil is one with the default policy. What its server asks for is shared by all calls.
func NewCalls(host *retry.Loop) *Calls {
	if host == nil {
		host = new(retry.Loop)
	}
	c := &Calls{host: host, server: host.Server}
	if c.server == nil {
		c.server = host.Policy.NewServer()
	}
	return c
}

// Do makes one logical call. The host's remedies go before those given.
func (c *Calls) Do(ctx context.Context, req interpret.Request, own map[interpret.Remedy]retry.RemedyFunc, send retry.Sender) *retry.Answer {
	req.Transport, _ = c.transport()
	a := c.loop(own).Do(ctx, req, send)
	settle(a)
	return a
}

// bounded returns a context that ends with the time that the policy gives a call, as that of an attempt does.
func (c *Calls) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if p := c.host.Policy; p != nil && p.TimeBudget > 0 {
		return context.WithTimeout(ctx, p.TimeBudget)
	}
	return ctx, func() {}
}

// Over says what the calls go out over, which no request says before it is sent.
func (c *Calls) Over(t interpret.Transport) { c.over.Store(&t) }

// transport returns what the calls go out over; known is false as long as nobody has said so and nothing was recorded, and HTTP is a guess.
func (c *Calls) transport() (t interpret.Transport, known bool) {
	if over := c.over.Load(); over != nil {
		return *over, true
	}
	return interpret.HTTP, false
}

// loop is the host's with more remedies. A loop cannot be copied, for it may have a lock.
func (c *Calls) loop(own map[interpret.Remedy]retry.RemedyFunc) *retry.Loop {
	h := c.host
	remedies := make(map[interpret.Remedy]retry.RemedyFunc, len(own)+len(h.Remedies))
	maps.Copy(remedies, own)
	maps.Copy(remedies, h.Remedies)
	return &retry.Loop{
		Policy: h.Policy, Server: c.server, Remedies: remedies, Vouch: h.Vouch, Read: reader(h.Read),
		Observer: h.Observer, Model: h.Model, MaxBody: h.MaxBody, Logger: h.Logger, Rand: h.Rand, Secrets: c.secrets,
	}
}

// secrets takes out what the host knows, and what was seen on its way: an SDK may have added a token of its own.
func (c *Calls) secrets() *interpret.Scrubber {
	sent := c.sent.Load()
	if c.host.Secrets == nil {
		return sent
	}
	return c.host.Secrets().With(sent)
}

// Recorded returns what a recorder saw. ok is false where it saw nothing, which proves nothing.
func (c *Calls) Recorded(ctx context.Context, rec *client.Recorder, err error) (interpret.Exchange, bool) {
	x, ok := rec.Exchange(ctx, err)
	if ok {
		c.Over(x.Request.Transport)
		c.sent.Store(rec.Scrubber())
	}
	return x, ok
}
