package client

import (
	"context"
	"net/http"

	"github.com/mcperr/mcperr/retry"
)

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

// hold takes a lock that only one goroutine has at a time, or gives up with ctx.
func hold(ctx context.Context, lock chan struct{}) (release func(), err error) {
	select {
	case lock <- struct{}{}:
		return func() { <-lock }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
