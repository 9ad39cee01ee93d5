package adapt

import (
	"context"
	"testing"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// TestSessionThatEndsWhileItIsOpenedIsReplaced, whichever else ends meanwhile.
func TestSessionThatEndsWhileItIsOpenedIsReplaced(t *testing.T) {
	var s *Sessions[int]
	opened := 0
	s = NewSessions(func(context.Context, string) (int, *retry.Answer) {
		if opened++; opened == 2 {
			s.Died(2)
			s.Died(1)
		}
		return opened, &retry.Answer{Outcome: interpret.Outcome{Kind: interpret.OK}, Decision: retry.Decision{Action: retry.Proceed}}
	}, func(int) {})
	for _, want := range []int{1, 2, 3, 3} {
		if got, _, err := s.Open(t.Context()); got != want || err != nil {
			t.Fatalf("session %d, want %d: %v", got, want, err)
		}
		if want == 1 {
			s.Died(1)
		}
	}
	s.Died(1) // long since replaced
	if got, _, _ := s.Open(t.Context()); got != 3 || s.dead != nil {
		t.Errorf("session %d, and %v is remembered", got, s.dead)
	}
}
