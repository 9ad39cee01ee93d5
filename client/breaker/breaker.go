// Package breaker is a circuit for one server: while it cannot be reached, calls fail at once instead of each waiting for its own failure.
//
// It counts failures of the transport only. A reply is no outage, whatever its status: that is the policy's affair, and the budget of a
// [retry.Server] bounds what resends add to one. The budget is no circuit, though: it never holds a first attempt back. So there is this package, over
// a kept library (github.com/sony/gobreaker), in a module of its own, for hosts with many calls to one server.
//
// What an open circuit refuses was not sent. The interpreter reads it so: unavailable, did not run.
package breaker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/sony/gobreaker/v2"
)

// ErrOpen is the error of a request that an open circuit has refused.
var ErrOpen = errors.New("breaker: the server could not be reached lately, and nothing is sent to it for now")

// State is that of a circuit. Its text is for people.
type State string

// The states.
const (
	Closed   State = "closed"    // requests go out
	HalfOpen State = "half-open" // one goes out, to see whether the server is there again
	Open     State = "open"      // none goes out
)

// Options of a circuit. The zero value has the defaults.
type Options struct {
	Failures int           // in a row, that open it; 0: DefaultFailures
	Open     time.Duration // how long it stays open before one request is let through; 0: DefaultOpen

	// Changed is told of every change, in order and of one at a time, from within a request or [Transport.State]. It may use the Transport. It should
	// not wait: that request does, and further changes are told when it returns. nil: nobody is told.
	Changed func(from, to State)
}

// Defaults.
const (
	DefaultFailures = 5                // one bad connection is none of many, and a call alone has four attempts
	DefaultOpen     = 30 * time.Second // the top delay of the default policy: a loop that goes on finds it half open
)

// Transport is a circuit around the transport to one server: each server has its own. It is safe for concurrent use.
type Transport struct {
	base    http.RoundTripper
	circuit *gobreaker.CircuitBreaker[*http.Response]
	changes changes
}

// New returns a closed circuit over base; nil is [http.DefaultTransport].
func New(base http.RoundTripper, o Options) *Transport {
	if base == nil {
		base = http.DefaultTransport
	}
	failures := cmp.Or(max(o.Failures, 0), DefaultFailures)
	settings := gobreaker.Settings{
		Timeout:     cmp.Or(max(o.Open, 0), DefaultOpen),
		ReadyToTrip: func(c gobreaker.Counts) bool { return int(c.ConsecutiveFailures) >= failures },
		IsExcluded:  gaveUp,
	}
	t := &Transport{base: base, changes: changes{changed: o.Changed}}
	if o.Changed != nil {
		settings.OnStateChange = func(_ string, from, to gobreaker.State) { t.changes.add(state(from), state(to)) }
	}
	t.circuit = gobreaker.NewCircuitBreaker[*http.Response](settings)
	return t
}

// RoundTrip sends the request unless the circuit is open. It counts when the reply's header is there: a stream that breaks later had found its server.
func (t *Transport) RoundTrip(r *http.Request) (*http.Response, error) {
	defer t.changes.tell()
	reply, err := t.circuit.Execute(func() (*http.Response, error) {
		t.changes.tell() // that it is half open, before the request that it is for
		return t.base.RoundTrip(r)
	})
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		if r.Body != nil {
			r.Body.Close() // as every RoundTripper must
		}
		return nil, fmt.Errorf("%w (%w)", ErrOpen, err)
	}
	return reply, err
}

// State returns the circuit's state.
func (t *Transport) State() State {
	defer t.changes.tell()
	return state(t.circuit.State())
}

// FailuresInARow returns how many requests have failed since the last one that did not.
func (t *Transport) FailuresInARow() int { return int(t.circuit.Counts().ConsecutiveFailures) }

func state(s gobreaker.State) State {
	switch s {
	case gobreaker.StateOpen:
		return Open
	case gobreaker.StateHalfOpen:
		return HalfOpen
	}
	return Closed
}

// gaveUp reports whether an error says nothing about the server: the caller cancelled, or did not wait for a slow tool. That no connection could
// be made in time is another matter.
func gaveUp(err error) bool {
	if err == nil {
		return false
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" && op.Timeout() {
		return false
	}
	timeout, ok := errors.AsType[net.Error](err)
	return ok && timeout.Timeout() || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}
