package adapttest

import (
	"context"
	"fmt"
	"slices"

	"github.com/mcperr/mcperr/retry"
)

// Told is an observer that notes what it is told of the way that attempts go. It is for one call at a time.
type Told []string

func (o *Told) note(at string, a retry.Attempt) {
	*o = append(*o, fmt.Sprintf("%s %s over %s, version %q", at, a.Method, a.Transport, a.Version))
}

// AttemptStart implements [retry.Observer].
func (o *Told) AttemptStart(ctx context.Context, a retry.Attempt) (context.Context, map[string]string) {
	o.note("start", a)
	return ctx, nil
}

// AttemptEnd implements [retry.Observer].
func (o *Told) AttemptEnd(_ context.Context, a retry.Attempt) { o.note("end", a) }

// Want fails the test if anything else was told.
func (o *Told) Want(t interface {
	Helper()
	Errorf(format string, args ...any)
}, want ...string) {
	t.Helper()
	if !slices.Equal(*o, want) {
		t.Errorf("told:\n%q\nwant:\n%q", *o, want)
	}
}
