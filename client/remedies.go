package client

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// Why a remedy could not be carried out.
var (
	errSecondLoss = errors.New("client: the new session was lost before anything succeeded in it")
	errNoHandler  = errors.New("client: no handler for what the server asks")
	errNoState    = errors.New("client: the reply carries no state to send back")
)

// remedies returns what this call can do about a fault, by name. The host's own come first.
func (k *call) remedies() map[interpret.Remedy]retry.RemedyFunc {
	own := map[interpret.Remedy]retry.RemedyFunc{
		interpret.Initialize:     k.initialize,
		interpret.Renegotiate:    k.renegotiate,
		interpret.Reinitialize:   k.reinitialize,
		interpret.RefreshTools:   k.refreshTools,
		interpret.RebuildHeaders: k.rebuildHeaders,
		interpret.RestartCall:    k.restartCall,
		interpret.RestartList:    k.restartList,
		interpret.DropTask:       k.dropTask,
		interpret.EchoState:      k.echoState,
	}
	if _, ok := k.c.link.(*httpLink); ok {
		own[interpret.Resume] = k.resumeStream
	}
	if len(k.c.opts.Handlers) > 0 {
		own[retry.AnswerInput] = k.answerInput
	}
	if k.c.opts.Authorize != nil {
		own[interpret.Authorize] = k.authorize
	}
	if k.c.opts.OpenURL != nil {
		own[retry.OpenURL] = k.openURL
	}
	if k.c.opts.Declare != nil {
		own[interpret.DeclareCapability] = k.declare
	}
	maps.Copy(own, k.c.opts.Remedies)
	return own
}

func (k *call) initialize(_ context.Context, r *retry.Call) error {
	next, err := k.c.shaking()
	if err == nil {
		k.reopen(next, r)
	}
	return err
}

func (k *call) renegotiate(_ context.Context, r *retry.Call) error {
	next, err := k.c.amended(k.plan, r.Outcome.Supported)
	if err == nil {
		k.reopen(next, r)
	}
	return err
}

// reopen has the next attempt open a session by another plan, and says so in what is told of the attempt.
func (k *call) reopen(next plan, r *retry.Call) {
	k.c.replace(k.session, k.plan, next, false)
	r.Request.Version = next.version
	if k.opens {
		r.Request.Method = next.method()
	}
}

// reinitialize has the next attempt open a new session; whoever lost the same one waits for the same new one.
func (k *call) reinitialize(context.Context, *retry.Call) error {
	if k.session == nil {
		return errors.New("client: no session was lost")
	}
	if k.session.afterAll && !k.session.used.Load() {
		return errSecondLoss
	}
	k.c.replace(k.session, k.plan, k.plan, true)
	return nil
}

// refreshTools lists the tools again, unless another call has done so since this one went out.
func (k *call) refreshTools(ctx context.Context, _ *retry.Call) error {
	done, err := hold(ctx, k.c.listing)
	if err != nil {
		return err
	}
	defer done()
	if k.c.known.revised() != k.revision {
		return nil
	}
	return k.c.ListTools(ctx).Err()
}

// hold takes a lock that only one goroutine has at a time, or gives up with ctx.
func hold(ctx context.Context, lock chan struct{}) (release func(), err error) {
	select {
	case lock <- struct{}{}:
		return func() { <-lock }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// rebuildHeaders has nothing to do: every attempt makes its headers from its body.
func (k *call) rebuildHeaders(context.Context, *retry.Call) error { return nil }

func (k *call) restartCall(context.Context, *retry.Call) error {
	k.out.params, k.out.state = k.first.without("requestState", "inputResponses"), interpret.StateNone
	return nil
}

func (k *call) restartList(context.Context, *retry.Call) error {
	k.out.params, k.restarted = k.out.params.without("cursor"), true
	return nil
}

func (k *call) dropTask(context.Context, *retry.Call) error {
	k.first, k.out.params = k.first.without("task"), k.out.params.without("task")
	return nil
}

// echoState sends the call again with the server's state, byte for byte.
func (k *call) echoState(_ context.Context, r *retry.Call) error {
	if r.Outcome.RequestState == nil {
		return errNoState
	}
	k.out.params = k.first.without("requestState", "inputResponses").with("requestState", r.Outcome.RequestState)
	k.out.state = interpret.StateFirst
	return nil
}

// answerInput asks the host's handlers, one request after the other, and sends the call again with their answers.
func (k *call) answerInput(ctx context.Context, r *retry.Call) error {
	var answers object
	for _, q := range r.Outcome.InputRequests {
		h := k.c.opts.Handlers[q.Method]
		if h == nil {
			return fmt.Errorf("%w: %s", errNoHandler, q.Method)
		}
		v, err := h(ctx, q.Params)
		if err != nil {
			return err
		}
		raw, err := marshal(v)
		if err != nil {
			return err
		}
		answers = answers.with(q.Key, raw)
	}
	params := k.first.without("requestState", "inputResponses").with("inputResponses", answers.encode())
	k.out.state = interpret.StateNone
	if r.Outcome.RequestState != nil {
		params = params.with("requestState", r.Outcome.RequestState)
		k.out.state = interpret.StateFirst
	}
	k.out.params = params
	return nil
}

func (k *call) openURL(ctx context.Context, r *retry.Call) error {
	return k.c.opts.OpenURL(ctx, r.Outcome.Elicitations)
}

func (k *call) declare(ctx context.Context, r *retry.Call) error {
	v, err := k.c.opts.Declare(ctx, r.Outcome.RequiredCapabilities)
	if err != nil {
		return err
	}
	capabilities, err := toObject(v)
	if err != nil {
		return fmt.Errorf("client: capabilities: %w", err)
	}
	k.c.mu.Lock()
	k.c.identity.capabilities = capabilities.encode()
	k.c.mu.Unlock()
	k.c.replace(k.session, k.plan, k.plan, false)
	return nil
}

// authorize asks the host for credentials that reach as far as every scope named so far.
// Of the calls that were refused with the same credentials, one asks and the others wait for what it gets.
func (k *call) authorize(ctx context.Context, r *retry.Call) error {
	c := k.c
	release, err := hold(ctx, c.asking)
	if err != nil {
		return err
	}
	defer release()
	c.mu.Lock()
	done := c.grants != k.grants
	c.scopes = union(c.scopes, r.Outcome.Scopes)
	challenge := Challenge{Outcome: r.Outcome, Scopes: union(nil, c.scopes), ResourceMetadata: r.Outcome.ResourceMetadata}
	c.mu.Unlock()
	if done {
		return nil
	}
	h, err := c.opts.Authorize(ctx, challenge)
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.granted = h.Clone()
	c.grants++
	return nil
}

// authorization returns the headers that the last authorization gave.
func (c *Client) authorization() http.Header {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.granted
}

func (c *Client) grantsSoFar() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.grants
}

// longestResume is the longest reconnection time of a stream that is waited for.
const longestResume = time.Minute

// resumeStream has the next attempt ask for the rest of the stream, no earlier than the stream said.
func (k *call) resumeStream(ctx context.Context, r *retry.Call) error {
	l, ok := k.c.link.(*httpLink)
	if !ok || k.session == nil || r.Outcome.EventID == "" || k.session.reconnection() > longestResume {
		return errNoResume
	}
	req, old, after := k.request, k.session, r.Outcome.EventID
	k.rest = func(ctx context.Context, s *session) interpret.Exchange {
		if s != old {
			return unresumed(req)
		}
		return l.resume(ctx, s, req, after)
	}
	return pause(ctx, old.reconnection())
}
