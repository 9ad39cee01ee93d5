package breaker

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// Whoever is told of a change may ask the circuit, and send by it.
func TestChangedMayUseTheTransport(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c *Transport
		var told []string
		s := &script{steps: []any{refused, 200}}
		c = New(s, Options{Failures: 1, Changed: func(from, to State) {
			now, failures := c.State(), c.FailuresInARow()
			err := get(t, c)
			told = append(told, fmt.Sprintf("%s: it is %s, %d failures, then %v", to, now, failures, err))
		}})
		if err := get(t, c); !errors.Is(err, refused) {
			t.Error(err)
		}
		time.Sleep(DefaultOpen + time.Second)
		if c.State() != HalfOpen { // told by this, which lets a request through that closes it again
			t.Error("not half open")
		}
		want := []string{
			"open: it is open, 0 failures, then " + ErrOpen.Error() + " (circuit breaker is open)",
			"half-open: it is half-open, 0 failures, then <nil>",
			"closed: it is closed, 0 failures, then <nil>",
		}
		if !slices.Equal(told, want) {
			t.Errorf("told\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
		}
	})
}

// That it is half open is told before the request that it is for, and not when that has failed.
func TestHalfOpenIsToldAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var last State
		c := New(roundTripper(func(*http.Request) (*http.Response, error) {
			if last == Open {
				t.Error("a request goes out, and it was told of an open circuit")
			}
			return nil, refused
		}), Options{Failures: 1, Changed: func(_, to State) { last = to }})
		for range 3 {
			get(t, c)
			if last != Open {
				t.Errorf("after a failure: %s", last)
			}
			time.Sleep(DefaultOpen + time.Second)
		}
	})
}

// A panic of the transport, or of whoever is told, is the request's; what comes after it is told still.
func TestChangesAfterAPanic(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []State
		c := New(roundTripper(func(*http.Request) (*http.Response, error) { panic("transport") }), Options{Failures: 1, Changed: func(_, to State) {
			told = append(told, to)
			if to == HalfOpen {
				panic("told")
			}
		}})
		for _, want := range []string{"transport", "told"} {
			func() {
				defer func() {
					if got := recover(); got != want {
						t.Errorf("panics with %v, want %v", got, want)
					}
				}()
				get(t, c)
			}()
			time.Sleep(DefaultOpen + time.Second)
		}
		if want := []State{Open, HalfOpen, Open}; !slices.Equal(told, want) {
			t.Errorf("told of %v, want %v", told, want)
		}
	})
}

// Of requests at once each change is told once, after the one before it, and by no two at the same time.
func TestChangesAreToldInOrder(t *testing.T) {
	var at, telling atomic.Value
	at.Store(Closed)
	telling.Store(false)
	var n atomic.Int64
	c := New(roundTripper(func(r *http.Request) (*http.Response, error) {
		if n.Add(1)%3 == 0 {
			return (&script{steps: []any{200}}).RoundTrip(r)
		}
		return nil, refused
	}), Options{Failures: 1, Open: time.Nanosecond, Changed: func(from, to State) {
		if !telling.CompareAndSwap(false, true) {
			t.Error("two are told at once")
		}
		if !at.CompareAndSwap(from, to) {
			t.Errorf("from %s to %s, when it was %s", from, to, at.Load())
		}
		telling.Store(false)
	}})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 200 {
				get(t, c)
			}
		})
	}
	all.Wait()
	if now := c.State(); at.Load() != now {
		t.Errorf("it is %s, and was told to be %s", now, at.Load())
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
