package client

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// errSecondLoss is why a session is not replaced twice for nothing.
var errSecondLoss = errors.New("client: the new session was lost before anything succeeded in it")

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
	for name, f := range own {
		if f != nil { // by nil a host says that it has none
			own[name] = k.c.whileOpen(f)
		}
	}
	return own
}

// whileOpen has a remedy end with the client, as the attempts do: it may be waiting for a person.
func (c *Client) whileOpen(f retry.RemedyFunc) retry.RemedyFunc {
	return func(ctx context.Context, r *retry.Call) error {
		ctx, cancel := c.ending(ctx)
		defer cancel()
		err := f(ctx, r)
		if err != nil && context.Cause(ctx) == ErrClosed {
			return fmt.Errorf("%w: %w", ErrClosed, err)
		}
		return err
	}
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

func (k *call) openURL(ctx context.Context, r *retry.Call) error {
	return k.c.opts.OpenURL(ctx, r.Outcome.Elicitations)
}
