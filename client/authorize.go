package client

import (
	"context"
	"errors"
	"net/http"

	"github.com/mcperr/mcperr/internal/secrets"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

var errNotWider = errors.New("client: the server still refuses the scopes that it asked for and was given")

// mostScopes bounds what a client remembers of the scopes that its server named; of one that names more only those named last are kept.
const mostScopes = 1024

// authorize asks the host for credentials that reach as far as every scope named so far.
// A server that goes on asking for scopes that it was given is let be: nothing would be wider.
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
	asked := len(c.scopes)
	if c.scopes = union(c.scopes, r.Outcome.Scopes); len(c.scopes) > mostScopes {
		c.scopes = union(nil, r.Outcome.Scopes)
	}
	wider := len(c.scopes) > asked
	challenge := Challenge{Outcome: r.Outcome, Scopes: union(nil, c.scopes), ResourceMetadata: r.Outcome.ResourceMetadata}
	c.mu.Unlock()
	if done {
		return nil
	}
	if r.Outcome.Kind == interpret.InsufficientScope {
		if k.widened && !wider {
			return errNotWider
		}
		k.widened = true
	}
	h, err := c.opts.Authorize(ctx, challenge)
	if err == nil {
		err = sendable(h)
	}
	if err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.granted = h.Clone()
	c.secrets.grant(secrets.Header(h))
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

// hold takes a lock that only one goroutine has at a time, or gives up with ctx.
func hold(ctx context.Context, lock chan struct{}) (release func(), err error) {
	select {
	case lock <- struct{}{}:
		return func() { <-lock }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
