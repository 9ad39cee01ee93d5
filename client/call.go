package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// call is one logical call: what is sent changes with its remedies, what is asked for does not.
// It belongs to one loop and is not used by two goroutines at once.
type call struct {
	c *Client

	out   outgoing
	first object                                   // the params as the host gave them
	rest  func(context.Context) interpret.Exchange // takes up a broken stream in place of the next attempt; nil: the request is sent

	opens     bool // it asks for no more than a session
	restarted bool // the list begins anew

	// Of the attempt before.
	session  *session
	using    *session // the same for as long as something is to come from it, which keeps it from being left; nil: nothing is
	plan     plan
	request  interpret.Request
	refused  *VersionError  // the session that was opened is in no version of ours
	revision int            // of the list of tools
	grants   int            // authorizations that had been given
	widened  bool           // a wider scope was asked for in this call
	exits    map[string]int // processes that ended on a request, by its method
}

// attempt sends the call once. Where it knows that no other attempt makes sense, what it returns says so to the loop.
func (k *call) attempt(ctx context.Context) interpret.Exchange {
	bounded, cancel := k.c.patient(ctx, k.out.method)
	defer cancel()
	x, err := k.try(bounded)
	if err == nil {
		err = k.hopeless(ctx, &x)
	}
	if f := x.Failure; f != nil && err != nil {
		marked := *f // other calls that waited for the same opening have it too
		marked.Err = retry.Final(err)
		x.Failure = &marked
	}
	return x
}

// try sends the call, opening a session first if there is none. If none can be opened, what came of that stands for the call: it was not
// sent. The error beside a failure says why no other attempt makes sense.
func (k *call) try(ctx context.Context) (interpret.Exchange, error) {
	k.grants, k.revision = k.c.grantsSoFar(), k.c.known.revised()
	if rest := k.rest; rest != nil { // in the session that the stream is of, though it may have been replaced
		k.rest = nil
		x := rest(ctx)
		k.request = x.Request
		return x, nil
	}
	k.release()
	s, tried, x, err := k.c.ready(ctx)
	k.session, k.using, k.plan = s, s, tried
	k.refused = nil
	if errors.As(err, &k.refused) {
		err = nil // read says it
	}
	if k.opens && s != nil {
		return x, err
	}
	if s == nil {
		if x.Request.Method == "" { // the opening was not waited for
			x.Request = k.unsent()
		}
		return x, err
	}
	x = k.c.send(ctx, s, k.out)
	if k.out.state == interpret.StateFirst {
		k.out.state = interpret.StateAgain
	}
	k.request = x.Request
	return x, nil
}

// errTwice is why a request is not given to a third process.
var errTwice = errors.New("client: the server process ended twice on this request")

// hopeless returns why no other attempt makes sense after an exchange, nil if one may: the client was closed under it, or a process has ended
// on this request for the second time. The requests that open a session count each for itself, and not at all where the end
// of a process is the answer to the probe. ctx is the caller's.
func (k *call) hopeless(ctx context.Context, x *interpret.Exchange) error {
	f := x.Failure
	switch {
	case f == nil:
	case k.c.ctx.Err() != nil && ctx.Err() == nil:
		return ErrClosed
	case f.What == interpret.FailedExited && interpret.Reply(*x).Kind != interpret.LegacyServer:
		if k.exits == nil {
			k.exits = make(map[string]int)
		}
		if k.exits[x.Request.Method]++; k.exits[x.Request.Method] == 2 {
			return fmt.Errorf("%w: %w", errTwice, f.Err)
		}
	}
	return nil
}

// read is interpret.Reply, save for a handshake whose version the interpreter speaks and this client does not.
// The session is released, unless the rest of a stream may still come from it.
func (k *call) read(x interpret.Exchange) interpret.Outcome {
	o := interpret.Reply(x)
	if o.Remedy != interpret.Resume {
		k.release()
	}
	if k.refused != nil {
		o.Kind, o.Basis, o.Remedy, o.Leave, o.Supported = interpret.UnsupportedVersion, interpret.BasisShape, "", interpret.LeaveNever, k.refused.Theirs
	}
	return o
}

// release ends the use of the session, if there is one.
func (k *call) release() {
	if k.using != nil {
		k.c.mu.Lock()
		k.using.release()
		k.c.mu.Unlock()
		k.using = nil
	}
}

// patient bounds one attempt, and ends it with the client.
func (c *Client) patient(ctx context.Context, method string) (context.Context, context.CancelFunc) {
	ctx, done := c.ending(ctx)
	limit := c.timeout(method)
	if limit == 0 {
		return ctx, done
	}
	ctx, expire := context.WithTimeout(ctx, limit)
	return ctx, func() { expire(); done() }
}

// ending returns a context that ends with the client too, because of [ErrClosed] then.
func (c *Client) ending(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(c.ctx, func() { cancel(ErrClosed) })
	return ctx, func() { stop(); cancel(nil) }
}

// heard remembers of a session what no single reply says: two streams in a row that ended without a message mean that the session
// is dead, though the server does not say so (mcp 1.9 for Python, after a cancel).
func (c *Client) heard(s *session, anything bool) {
	if anything {
		s.empty.Store(0)
		return
	}
	if s.id == "" || s.empty.Add(1) < 2 {
		return
	}
	c.mu.Lock()
	again := c.hollow
	c.hollow = true
	c.mu.Unlock()
	if !again {
		c.replace(s, s.plan, s.plan, false)
	}
}

// worked notes that something succeeded in a session.
func (c *Client) worked(s *session) {
	s.used.Store(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hollow = false
}
