package probe

import (
	"context"
	"slices"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// impatient waits not for long for the answers to some checks, which never come. Any other has the time that a busy machine takes.
type impatient struct {
	wire
	p      *Probe
	checks []string
}

func (w *impatient) exchange(ctx context.Context, q *question, req interpret.Request) interpret.Exchange {
	if c := w.p.watching; c != nil && slices.Contains(w.checks, c.ID) {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
	}
	return w.wire.exchange(ctx, q, req)
}
