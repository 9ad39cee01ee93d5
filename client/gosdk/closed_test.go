package gosdk_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/internal/adapt/adapttest"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// TestCallAfterCloseSaysWhyItWasNotMade: it is no fault of the call's, and waiting mends nothing.
func TestCallAfterCloseSaysWhyItWasNotMade(t *testing.T) {
	s := adapttest.New(t, true)
	session := connect(t, s, fast())
	session.Close()
	for name, call := range map[string]func(context.Context) *retry.Answer{
		"tools/call": func(ctx context.Context) *retry.Answer { _, a := session.CallTool(ctx, tool()); return a },
		"tools/list": func(ctx context.Context) *retry.Answer { _, a := session.ListTools(ctx, nil); return a },
	} {
		a := call(t.Context())
		if !errors.Is(a.Err(), retry.StopFinal) || a.Outcome.Kind != interpret.Unavailable || a.Outcome.Ran != interpret.RanNo || len(a.Attempts) != 1 {
			t.Errorf("%s: %v, ran %s, %d attempts", name, a.Err(), a.Outcome.Ran, len(a.Attempts))
		}
		if said := a.Err().Error(); a.Decision.Reason != string(retry.StopFinal) || !strings.Contains(said, "gosdk: closed by the host") {
			t.Errorf("%s: %s; %s", name, a.Decision.Reason, said)
		}
	}
}
