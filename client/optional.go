package client

import (
	"slices"
	"time"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// optional are requests of the handshake era that a server need not know. Some servers never answer a method they do not know
// (Python SDK up to 1.6), so one that times out counts as an absent feature first, and is not sent again.
var optional = []string{
	"ping", "prompts/list", "resources/list", "resources/templates/list", "resources/subscribe", "resources/unsubscribe",
	"logging/setLevel", "completion/complete", "tasks/list",
}

// optionalTime is how long an optional request may stay unanswered if the host sets no [Options.Timeout].
const optionalTime = 10 * time.Second

func (c *Client) isOptional(method string) bool {
	return c.Server().Era == interpret.EraLegacy && slices.Contains(optional, method)
}

// timeout is how long one attempt may take, zero if that is the caller's deadline alone.
func (c *Client) timeout(method string) time.Duration {
	if c.opts.Timeout <= 0 && c.isOptional(method) {
		return optionalTime
	}
	return max(c.opts.Timeout, 0)
}

// policy is the host's, with a rule for optional requests after its own.
func (c *Client) policy(method string) *retry.Policy {
	if !c.isOptional(method) {
		return c.opts.Policy
	}
	p := c.opts.Policy.With()
	p.Rules = append(p.Rules, retry.Rule{Name: "client/optional", Kinds: []interpret.Kind{interpret.Timeout}, Methods: optional, Action: retry.Abort})
	return p
}

// absent reports whether a fault means that the server does not have what the method asks for.
func (c *Client) absent(method string, k interpret.Kind) bool {
	return k == interpret.MethodNotFound || k == interpret.Timeout && c.isOptional(method)
}
