package client

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/mcperr/mcperr/internal/proto"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// Connect opens a session, learning on the way which protocol the server speaks. The first call does so as well.
// Faults of the handshake are met like those of any call; the answer is that of the handshake or the discovery.
func (c *Client) Connect(ctx context.Context) *retry.Answer {
	k := c.newCall(c.next().method(), nil)
	k.opens = true
	return k.run(ctx)
}

// Call makes one logical call: params is anything that marshals to an object, or nil.
// It opens a session first if there is none, and returns when there is an answer or no way to one.
func (c *Client) Call(ctx context.Context, method string, params any) *retry.Answer {
	o, err := toObject(params)
	if err != nil {
		return refused(err)
	}
	return c.newCall(method, o).do(ctx)
}

// CallTool calls a tool; arguments is anything that marshals to an object, or nil.
func (c *Client) CallTool(ctx context.Context, name string, arguments any) *retry.Answer {
	params := object{{"name", text(name)}}
	if arguments != nil {
		o, err := toObject(arguments)
		if err != nil {
			return refused(err)
		}
		params = params.with("arguments", o.encode())
	}
	return c.newCall("tools/call", params).do(ctx)
}

// ReadResource reads a resource.
func (c *Client) ReadResource(ctx context.Context, uri string) *retry.Answer {
	return c.newCall("resources/read", object{{"uri", text(uri)}}).do(ctx)
}

// GetPrompt gets a prompt; arguments may be nil.
func (c *Client) GetPrompt(ctx context.Context, name string, arguments map[string]string) *retry.Answer {
	params := object{{"name", text(name)}}
	if arguments != nil {
		raw, err := marshal(arguments)
		if err != nil {
			return refused(err)
		}
		params = params.with("arguments", raw)
	}
	return c.newCall("prompts/get", params).do(ctx)
}

// Notify sends a notification. The answer is ok if the server took it; a notification is not sent again, save in a new session.
func (c *Client) Notify(ctx context.Context, method string, params any) *retry.Answer {
	if !(outgoing{method: method}).notification() {
		return refused(errors.New("client: " + method + " is no notification"))
	}
	return c.Call(ctx, method, params)
}

// refused is the answer to a call that the host got wrong. Nothing was sent.
func refused(err error) *retry.Answer {
	return &retry.Answer{
		Outcome: interpret.Outcome{Kind: interpret.InvalidRequest, Origin: interpret.OriginClient, Ran: interpret.RanNo, Basis: interpret.BasisShape},
		Stop:    err,
	}
}

func (c *Client) newCall(method string, params object) *call {
	k := &call{c: c, first: params, out: outgoing{method: method, params: params}}
	if params.get("requestState") != nil {
		k.out.state = interpret.StateFirst
	}
	return k
}

// do makes sure that the server's era is known, for what a server says to a call of the wrong era proves nothing, and makes the call.
func (k *call) do(ctx context.Context) *retry.Answer {
	if !k.c.met() {
		if a := k.c.Connect(ctx); a.Err() != nil {
			return a
		}
	}
	return k.run(ctx)
}

// met reports whether a session has been opened in this client's life.
func (c *Client) met() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.era != interpret.EraUnknown
}

// next is the plan by which a session would be opened now.
func (c *Client) next() plan {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.plan
}

// run is the loop around the attempts of a call.
func (k *call) run(ctx context.Context) *retry.Answer {
	c := k.c
	loop := &retry.Loop{
		Policy: c.policy(k.out.method), Server: c.budget, Remedies: k.remedies(), Vouch: c.vouched, Read: k.read,
		Observer: c.opts.Observer, Logger: c.opts.Logger, Model: c.opts.Model,
	}
	req := interpret.Request{Transport: c.link.transport(), Method: k.out.method, Target: k.out.params.text(proto.TargetName(k.out.method)), Version: cmp.Or(c.Server().Version, c.next().version)}
	a := loop.Do(ctx, req, func(ctx context.Context, _ interpret.Request) interpret.Exchange { return k.attempt(ctx) })
	if a.Outcome.Kind == interpret.UnsupportedVersion && !errors.As(a.Stop, new(*VersionError)) {
		a.Stop = errors.Join(a.Stop, &VersionError{Ours: c.versions, Theirs: a.Outcome.Supported})
	}
	if a.Outcome.Answered && k.session != nil && !k.opens {
		c.worked(k.session)
	}
	return a
}

// vouched reports whether a tool may run twice: by the host's word, or by the server's if the host believes it.
func (c *Client) vouched(req interpret.Request) bool {
	if req.Method != "tools/call" {
		return false
	}
	return slices.Contains(c.opts.Vouch, req.Target) || c.opts.TrustHints && c.known.hinted(req.Target)
}
