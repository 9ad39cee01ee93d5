package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
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
// It opens a session first if there is none, and returns when there is an answer or no way to one. Params that are no object are not sent, nor is
// over HTTP a method that no header can carry: the answer is [interpret.InvalidRequest].
func (c *Client) Call(ctx context.Context, method string, params any) *retry.Answer {
	if _, http := c.link.(*httpLink); http && !isFieldValue(method) {
		return c.refused(method, errors.New("client: a method with a control character"))
	}
	o, err := toObject(params)
	if err != nil {
		return c.refused(method, fmt.Errorf("client: params: %w", err))
	}
	return c.newCall(method, o).do(ctx)
}

// CallTool calls a tool; arguments is anything that marshals to an object, or nil. What a model wrote may be given as it came, as a
// [json.RawMessage]. If it is not one whole object, or has a name twice, it is not sent: the answer is [interpret.InvalidArguments], and the model reads why.
func (c *Client) CallTool(ctx context.Context, name string, arguments any) *retry.Answer {
	params := object{{"name", text(name)}}
	if arguments != nil {
		o, err := toObject(arguments)
		if err != nil {
			return c.refusedArguments("tools/call", name, err)
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
		o, err := toObject(arguments)
		if err != nil { // strings always marshal
			return c.refusedArguments("prompts/get", name, err)
		}
		params = params.with("arguments", o.encode())
	}
	return c.newCall("prompts/get", params).do(ctx)
}

// Notify sends a notification. The answer is ok if the server took it; a notification is not sent again, save in a new session.
func (c *Client) Notify(ctx context.Context, method string, params any) *retry.Answer {
	if !(outgoing{method: method}).notification() {
		return c.refused(method, errors.New("client: "+method+" is no notification"))
	}
	return c.Call(ctx, method, params)
}

// refused is the answer to a call that the host got wrong. Nothing was sent.
func (c *Client) refused(method string, err error) *retry.Answer {
	return c.loop(method).Refuse(c.request(method, ""), interpret.InvalidRequest, err)
}

// refusedArguments is the answer to a call whose arguments are no object. Nothing was sent. A host hands on what the model wrote; only what is no JSON in
// Go is the host's own.
func (c *Client) refusedArguments(method, target string, err error) *retry.Answer {
	l, req := c.loop(method), c.request(method, target)
	if _, own := errors.AsType[unmarshalable](err); own {
		return l.Refuse(req, interpret.InvalidRequest, fmt.Errorf("client: arguments: %w", err))
	}
	return l.Refuse(req, interpret.InvalidArguments, fmt.Errorf("the arguments cannot be read: %w", err)) // in words for the model
}

// request is what is known of a request before it is composed.
func (c *Client) request(method, target string) interpret.Request {
	req := interpret.Request{Method: method, Target: target}
	if c.link != nil {
		req.Transport = c.link.transport()
	}
	if !(outgoing{method: method}).notification() {
		req.ID = "0"
	}
	return req
}

// unsent is the call's request as long as nothing is composed.
func (k *call) unsent() interpret.Request {
	return k.c.request(k.out.method, k.out.params.text(proto.TargetName(k.out.method)))
}

// loop is that of a call, without what only the call itself knows.
func (c *Client) loop(method string) *retry.Loop {
	return &retry.Loop{
		Policy: c.policy(method), Server: c.budget, Vouch: c.vouched, Observer: c.opts.Observer, Logger: c.opts.Logger, Model: c.opts.Model,
		Secrets: c.secrets.scrub.Load,
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
	if c.link == nil {
		return c.refused(k.out.method, errUnmade)
	}
	defer k.release()
	loop := c.loop(k.out.method)
	loop.Remedies, loop.Read = k.remedies(), k.read
	req := k.unsent()
	req.Version = cmp.Or(c.Server().Version, c.next().version)
	a := loop.Do(ctx, req, func(ctx context.Context, _ interpret.Request) interpret.Exchange { return k.attempt(ctx) })
	if a.Outcome.Kind == interpret.UnsupportedVersion && !errors.As(a.Stop, new(*VersionError)) {
		a.Stop = errors.Join(a.Stop, c.noVersion(a.Outcome.Supported))
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
