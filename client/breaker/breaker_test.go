package breaker

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// script is a transport that answers with one outcome after the other; after the last it repeats it.
type script struct {
	steps []any // an error, or a status
	sent  int
}

func (s *script) RoundTrip(r *http.Request) (*http.Response, error) {
	step := s.steps[min(s.sent, len(s.steps)-1)]
	s.sent++
	if err, ok := step.(error); ok {
		return nil, err
	}
	return &http.Response{StatusCode: step.(int), Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
}

var (
	refused = &net.OpError{Op: "dial", Net: "tcp", Err: syscall.ECONNREFUSED}
	slow    = &net.OpError{Op: "dial", Net: "tcp", Err: timeoutError{}}
)

type timeoutError struct{}

func (timeoutError) Error() string   { return "i/o timeout" }
func (timeoutError) Timeout() bool   { return true }
func (timeoutError) Temporary() bool { return true }

func get(t *testing.T, rt http.RoundTripper) error {
	t.Helper()
	r, err := rt.RoundTrip(httptest.NewRequestWithContext(t.Context(), "POST", "http://srv.example/mcp", nil))
	if err == nil {
		r.Body.Close()
	}
	return err
}

func TestCircuit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var changes []State
		s := &script{steps: []any{refused, refused, slow, refused, refused, refused, 200}}
		c := New(s, Options{Changed: func(_, to State) { changes = append(changes, to) }})
		for i := range 9 {
			err := get(t, c)
			if open := i >= 5; errors.Is(err, ErrOpen) != open || (c.State() == Open) != (i >= 4) {
				t.Errorf("request %d: %v, %s", i+1, err, c.State())
			}
		}
		if s.sent != 5 {
			t.Errorf("%d requests reached the network, want 5", s.sent)
		}
		time.Sleep(DefaultOpen + time.Second)
		if c.State() != HalfOpen {
			t.Errorf("after a while: %s", c.State())
		}
		if err := get(t, c); err == nil || errors.Is(err, ErrOpen) || c.State() != Open {
			t.Errorf("the trial fails: %v, %s", err, c.State())
		}
		time.Sleep(DefaultOpen + time.Second)
		if err := get(t, c); err != nil || c.State() != Closed || c.FailuresInARow() != 0 {
			t.Errorf("the trial succeeds: %v, %s", err, c.State())
		}
		if want := []State{Open, HalfOpen, Open, HalfOpen, Closed}; !slices.Equal(changes, want) {
			t.Errorf("told of %v, want %v", changes, want)
		}
	})
}

// A completed reply is no outage, whatever it says; nor is a caller who gave up.
func TestWhatIsNoOutage(t *testing.T) {
	for name, step := range map[string]any{
		"503": 503, "500": 500, "429": 429, "401": 401, "404": 404,
		"a cancel": context.Canceled, "a deadline": context.DeadlineExceeded, "a reply that took too long": timeoutError{},
	} {
		c := New(&script{steps: []any{step}}, Options{Failures: 1})
		for range 5 {
			get(t, c)
		}
		if c.State() != Closed {
			t.Errorf("%s opens the circuit", name)
		}
	}
	c := New(&script{steps: []any{refused, refused, 503, refused, refused}}, Options{Failures: 3})
	for range 5 {
		get(t, c)
	}
	if c.State() != Closed {
		t.Error("a reply between two failures does not count as a sign of life")
	}
}

// What an open circuit refuses reads as not sent, and a loop that goes on until it closes succeeds.
func TestReadAsNotSent(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done"}]}}`)
	}))
	defer srv.Close()
	base := &failing{http.DefaultTransport, 1}
	c := New(base, Options{Failures: 1, Open: time.Hour})
	call := func(c *Transport, p *retry.Policy) *retry.Answer {
		r, err := http.NewRequestWithContext(t.Context(), "POST", srv.URL, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":{}}}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		return (&retry.Loop{Policy: p}).HTTP(&http.Client{Transport: c}, r, interpret.Request{})
	}
	a := call(c, &retry.Policy{Attempts: 2, FirstDelay: time.Millisecond})
	if a.Outcome.Kind != interpret.Unavailable || a.Outcome.Ran != interpret.RanNo || !errors.Is(a.Err(), ErrOpen) || c.State() != Open {
		t.Errorf("%v, ran %v: %v", a.Outcome.Kind, a.Outcome.Ran, a.Err())
	}
	base.fails = 1
	c = New(base, Options{Failures: 1, Open: time.Millisecond})
	if a := call(c, &retry.Policy{FirstDelay: 5 * time.Millisecond, Attempts: 20}); a.Err() != nil {
		t.Errorf("after it closes: %v", a.Err())
	}
}

// failing refuses the first few requests.
type failing struct {
	http.RoundTripper
	fails int
}

func (f *failing) RoundTrip(r *http.Request) (*http.Response, error) {
	if f.fails > 0 {
		f.fails--
		return nil, refused
	}
	return f.RoundTripper.RoundTrip(r)
}
