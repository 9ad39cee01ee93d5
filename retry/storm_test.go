package retry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cenkalti/backoff/v4"
	"github.com/hashicorp/go-retryablehttp"

	"github.com/mcperr/mcperr/interpret"
)

const (
	stormCallers = 1000
	stormLasts   = 10 * time.Minute
	outageBegins = 4 * time.Minute
	outageEnds   = 6 * time.Minute
	stormThink   = 20 * time.Second // between two calls of a caller, half of it to one and a half
	stormLatency = 20 * time.Millisecond
)

// storm is one server with an outage, and the load it sees, second by second.
type storm struct {
	began      time.Time
	retryAfter string // of a 503; "" sends none

	mu             sync.Mutex
	perSecond      [int(stormLasts/time.Second) + 1]int
	first, resends int // during the outage
	failed, calls  int
}

// arrive notes a request and reports whether the server is up.
func (s *storm) arrive(first bool) (up bool) {
	at := time.Since(s.began)
	up = at < outageBegins || at >= outageEnds
	s.mu.Lock()
	defer s.mu.Unlock()
	if second := int(at / time.Second); second < len(s.perSecond) {
		s.perSecond[second]++
	}
	if !up && first {
		s.first++
	} else if !up {
		s.resends++
	}
	return up
}

func (s *storm) peak(from, to time.Duration) (most int) {
	for _, n := range s.perSecond[int(from/time.Second):int(to/time.Second)] {
		most = max(most, n)
	}
	return most
}

// run has every caller call until the time is over. call makes one logical call and reports whether it got its result;
// send is one request of it.
func (s *storm) run(call func(ctx context.Context, send func() (up bool)) bool) {
	s.began = time.Now()
	ctx, cancel := context.WithTimeout(context.Background(), stormLasts)
	defer cancel()
	var wg sync.WaitGroup
	for range stormCallers {
		wg.Go(func() {
			for time.Sleep(rand.N(stormThink)); ctx.Err() == nil; time.Sleep(stormThink/2 + rand.N(stormThink)) {
				first := true
				ok := call(ctx, func() bool {
					up := s.arrive(first)
					first = false
					time.Sleep(stormLatency)
					return up
				})
				s.mu.Lock()
				if s.calls++; !ok {
					s.failed++
				}
				s.mu.Unlock()
			}
		})
	}
	wg.Wait()
}

func (s *storm) loop() func(context.Context, func() bool) bool {
	l := &Loop{Server: new(Server)}
	header := http.Header{"Content-Type": {"application/json"}}
	down := http.Header{}
	if s.retryAfter != "" {
		down.Set("Retry-After", s.retryAfter)
	}
	return func(ctx context.Context, send func() bool) bool {
		a := l.Do(ctx, toolList, func(context.Context, interpret.Request) interpret.Exchange {
			if !send() {
				return interpret.Exchange{Status: http.StatusServiceUnavailable, Header: down}
			}
			return interpret.Exchange{Status: http.StatusOK, Header: header, Body: []byte(listed)}
		})
		return a.Err() == nil
	}
}

func (s *storm) retryablehttp() func(context.Context, func() bool) bool {
	return func(ctx context.Context, send func() bool) bool {
		c := retryablehttp.NewClient()
		c.Logger = nil
		c.HTTPClient = &http.Client{Transport: roundTripFunc(func(r *http.Request) (*http.Response, error) {
			resp := &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(listed)), Request: r}
			if !send() {
				resp.StatusCode = http.StatusServiceUnavailable
			}
			return resp, nil
		})}
		r, err := retryablehttp.NewRequestWithContext(ctx, http.MethodPost, "http://127.0.0.1/", []byte(listBody))
		if err != nil {
			panic(err)
		}
		resp, err := c.Do(r)
		if err == nil {
			resp.Body.Close()
		}
		return err == nil
	}
}

type roundTripFunc func(*http.Request) (*http.Response, error)

func (f roundTripFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func (s *storm) backoff() func(context.Context, func() bool) bool {
	return func(ctx context.Context, send func() bool) bool {
		return nil == backoff.Retry(func() error {
			if !send() {
				return errors.New("down")
			}
			return nil
		}, backoff.WithContext(backoff.NewExponentialBackOff(), ctx))
	}
}

// A thousand callers of one server, ten minutes with an outage of two. Run with -v for the table.
func TestStorm(t *testing.T) {
	var table strings.Builder
	fmt.Fprintf(&table, "%-28s %14s %18s %12s %12s %12s %12s %14s\n", "", "first attempts", "resends", "resends per", "most a s", "most a s", "most a s", "calls")
	fmt.Fprintf(&table, "%-28s %14s %18s %12s %12s %12s %12s %14s\n", "", "in the outage", "in the outage", "first", "before", "in it", "after", "without result")
	sims := []struct {
		name  string
		storm storm
		call  func(*storm) func(context.Context, func() bool) bool
		bound bool
	}{
		{"this loop", storm{}, (*storm).loop, true},
		{"this loop, Retry-After: 10", storm{retryAfter: "10"}, (*storm).loop, true},
		{"retryablehttp, its defaults", storm{}, (*storm).retryablehttp, false},
		{"backoff, its defaults", storm{}, (*storm).backoff, false},
	}
	for i := range sims {
		sim := &sims[i]
		synctest.Test(t, func(*testing.T) { sim.storm.run(sim.call(&sim.storm)) })
		s := &sim.storm
		before, in, after := s.peak(time.Minute, outageBegins), s.peak(outageBegins, outageEnds), s.peak(outageEnds, outageEnds+time.Minute)
		fmt.Fprintf(&table, "%-28s %14d %18d %12.2f %12d %12d %12d %7d/%d\n", sim.name, s.first, s.resends, float64(s.resends)/float64(s.first), before, in, after, s.failed, s.calls)
		most := int(DefaultDeposit*float64(s.first)) + DefaultBurst
		switch {
		case sim.bound && s.resends > most:
			t.Errorf("%s: %d resends for %d first attempts; want at most %d", sim.name, s.resends, s.first, most)
		case sim.bound && s.resends == 0:
			t.Errorf("%s: nothing was resent, so nothing is shown", sim.name)
		case sim.bound && after > 2*before:
			t.Errorf("%s: %d requests in one second of the recovery, %d before the outage", sim.name, after, before)
		case !sim.bound && s.resends <= most:
			t.Errorf("%s: %d resends are within the bound of %d: the storm is none", sim.name, s.resends, most)
		}
	}
	t.Log("\n" + table.String())
}
