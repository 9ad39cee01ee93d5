package adapt

import (
	"context"
	"sync"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

type captureKey struct{}

type capture struct {
	mu   sync.Mutex
	last *retry.Answer
}

// Capturing returns a context in which the answers of inner calls are noted; last returns the exchange of the latest.
func Capturing(ctx context.Context) (inner context.Context, last func() (interpret.Exchange, bool)) {
	c := new(capture)
	return context.WithValue(ctx, captureKey{}, c), func() (interpret.Exchange, bool) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if c.last == nil {
			return interpret.Exchange{}, false
		}
		return c.last.Exchange, true
	}
}

// Capture notes the answer of an inner call, if anybody wants to know, and reports whether somebody does.
func Capture(ctx context.Context, a *retry.Answer) bool {
	c, ok := ctx.Value(captureKey{}).(*capture)
	if ok {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.last = a
	}
	return ok
}
