package adapt

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// dialer opens sessions 1, 2, 3, each after a second, as often as fails is used up.
type dialer struct {
	mu      sync.Mutex
	opened  int
	fails   int
	version []string
	ended   []int
}

func (d *dialer) dial(_ context.Context, version string) (int, *retry.Answer) {
	time.Sleep(time.Second)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.version = append(d.version, version)
	if d.fails > 0 {
		d.fails--
		return 0, &retry.Answer{Outcome: interpret.Outcome{Kind: interpret.Unavailable}}
	}
	d.opened++
	return d.opened, &retry.Answer{Outcome: interpret.Outcome{Kind: interpret.OK}, Decision: retry.Decision{Action: retry.Proceed}}
}

func (d *dialer) end(s int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.ended = append(d.ended, s)
}

func TestSessionIsReplacedOnceForAllThatLostIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := new(dialer)
		s := NewSessions(d.dial, d.end)
		one, _, err := s.Open(t.Context())
		if err != nil || one != 1 {
			t.Fatal(one, err)
		}
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if err := s.Replace(t.Context(), one, "", true); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		synctest.Wait()
		if d.opened != 2 || s.Current() != 2 || len(d.ended) != 1 || d.ended[0] != 1 {
			t.Errorf("%d opened, %v ended, %d in use", d.opened, d.ended, s.Current())
		}
	})
}

func TestSecondLossEndsTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := new(dialer)
		s := NewSessions(d.dial, d.end)
		s.Open(t.Context())
		if err := s.Replace(t.Context(), 1, "", true); err != nil {
			t.Fatal(err)
		}
		if err := s.Replace(t.Context(), 2, "", true); !errors.Is(err, errSecondLoss) {
			t.Errorf("a second loss at once: %v", err)
		}
		s.Worked()
		if err := s.Replace(t.Context(), 2, "", true); err != nil {
			t.Errorf("a loss after a success: %v", err)
		}
	})
}

func TestFailedOpeningIsTriedAgainByTheNextCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &dialer{fails: 1}
		s := NewSessions(d.dial, d.end)
		if _, a, err := s.Open(t.Context()); a == nil || interpret.KindOf(err) != interpret.Unavailable {
			t.Errorf("%v %v", a, err)
		}
		if one, _, err := s.Open(t.Context()); one != 1 || err != nil {
			t.Error(one, err)
		}
		s.Died(1)
		if two, _, err := s.Open(t.Context()); two != 2 || err != nil {
			t.Error(two, err)
		}
		s.Replace(t.Context(), 2, "2025-11-25", false)
		if v := d.version[len(d.version)-1]; v != "2025-11-25" {
			t.Errorf("version %q", v)
		}
		s.Close()
		if _, _, err := s.Open(t.Context()); !errors.Is(err, errClosed) {
			t.Error(err)
		}
	})
}

func TestWaitForASessionEndsWithTheCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := new(dialer)
		s := NewSessions(d.dial, d.end)
		go s.Open(t.Context())
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
		defer cancel()
		if _, _, err := s.Open(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		time.Sleep(time.Second)
		synctest.Wait()
		if s.Current() != 1 {
			t.Error("the other caller's opening was cut short")
		}
	})
}

func TestReplacedSessionIsEndedWhenNothingIsInFlightOnIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := new(dialer)
		s := NewSessions(d.dial, d.end)
		one, release, _, err := s.Use(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		s.Replace(t.Context(), one, "", true)
		synctest.Wait()
		if len(d.ended) != 0 {
			t.Error("ended under a call")
		}
		release()
		synctest.Wait()
		if len(d.ended) != 1 || d.ended[0] != one {
			t.Errorf("ended %v", d.ended)
		}
	})
}
