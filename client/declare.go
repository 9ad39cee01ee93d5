package client

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcperr/mcperr/retry"
)

// declare asks the host what to declare from now on, and has the next attempt declare it, in a new session where a handshake does.
// Of the calls that lack the same capability, one asks and the others wait for what it gets.
func (k *call) declare(ctx context.Context, r *retry.Call) error {
	c := k.c
	release, err := hold(ctx, c.declaring)
	if err != nil {
		return err
	}
	defer release()
	required := r.Outcome.RequiredCapabilities
	if k.session != nil && !k.session.identity.has(required) && c.declared().has(required) {
		c.replace(k.session, k.plan, k.plan, false)
		return nil
	}
	v, err := c.opts.Declare(ctx, required)
	if err != nil {
		return err
	}
	capabilities, err := toObject(v)
	if err != nil {
		return fmt.Errorf("client: capabilities: %w", err)
	}
	c.mu.Lock()
	c.identity.capabilities = capabilities.encode()
	c.mu.Unlock()
	c.replace(k.session, k.plan, k.plan, false)
	return nil
}

// has reports whether all of the capabilities, given as dotted leaves like [interpret.Outcome.RequiredCapabilities], are declared.
func (i identity) has(leaves []string) bool {
	for _, leaf := range leaves {
		at := i.capabilities
		for name := range strings.SplitSeq(leaf, ".") {
			o, err := parseObject(at)
			if err != nil || o.get(name) == nil {
				return false
			}
			at = o.get(name)
		}
	}
	return len(leaves) > 0
}
