package client

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// faultCase is one cell of the matrix.
type faultCase struct {
	at         point
	reply      firstReply
	modern     bool
	repeatable bool // the host vouches for the tool
}

func (c faultCase) String() string {
	era := "legacy"
	if c.modern {
		era = "modern"
	}
	if c.repeatable {
		era += ", vouched"
	}
	return fmt.Sprintf("%s at %q, %s", c.reply.name, c.at, era)
}

// streams reports whether the point needs a reply that goes as an event stream.
func (p point) streams() bool {
	return p == midSSE || p == midSSEWithID || p == afterSSE || p == openSSE
}

func faultCases() []faultCase {
	var cases []faultCase
	for _, at := range points {
		for _, reply := range firstReplies {
			if at.streams() && (reply.status != 200 || !strings.HasPrefix(reply.body, "{")) {
				continue
			}
			for _, modern := range []bool{false, true} {
				if reply.modern && !modern {
					continue
				}
				for _, repeatable := range []bool{false, true} {
					cases = append(cases, faultCase{at, reply, modern, repeatable})
				}
			}
		}
	}
	return cases
}

// tally counts what became of the cases of one point.
type tally struct {
	cases, proceed, surface, ask, abort int
	ran                                 [3]int // none, once, more (only where the host vouches)
	double, lost, hung, lied, dead      int
}

func (t *tally) row() string {
	return fmt.Sprintf("%6d %6d %6d %6d %8d %8d %5d %6d %7d %5d %5d %5d %5d", t.cases, t.ran[0], t.ran[1], t.ran[2],
		t.proceed, t.surface, t.ask, t.abort, t.double, t.lost, t.hung, t.lied, t.dead)
}

const tallyHead = "cases   ran0   ran1  ran2+  proceed  surface   ask  abort  double  lost  hung  lied  dead"

// quickly waits next to nothing between attempts.
func quickly() *retry.Policy {
	p := retry.DefaultPolicy()
	p.FirstDelay, p.TopDelay = time.Millisecond, 2*time.Millisecond
	return p
}

// TestFaultMatrix lets a server fail at every point of the first call, with every kind of reply, in both eras, with and without the host's
// promise that the tool may run twice. No tool runs twice that must not, no whole result is lost, nothing hangs,
// nothing that ran is said not to have run, and the next call succeeds.
func TestFaultMatrix(t *testing.T) {
	tallies := make(map[point]*tally)
	for _, p := range points {
		tallies[p] = new(tally)
	}
	var mu sync.Mutex
	var work sync.WaitGroup
	turns := make(chan struct{}, 8)
	for _, c := range faultCases() {
		turns <- struct{}{}
		work.Go(func() {
			defer func() { <-turns }()
			got, ok := c.play(t)
			mu.Lock()
			defer mu.Unlock()
			if ok {
				tallies[c.at].judge(t, c, got)
			}
		})
	}
	work.Wait()
	t.Logf("%-22s %s", "point", tallyHead)
	for _, p := range points {
		t.Logf("%-22s %s", p, tallies[p].row())
	}
}

// played is what became of one case.
type played struct {
	answer, next *retry.Answer // to the call that goes wrong, and to one after it
	took         time.Duration
	ran, whole   int
	said         bool
}

func (c faultCase) play(t *testing.T) (got played, ok bool) {
	f := newFaultServer(t, c.modern, c.reply)
	opts := Options{Policy: quickly()}
	if c.repeatable {
		opts.Vouch = []string{"act"}
	}
	client, err := New(HTTP{URL: "http://" + f.ln.Addr().String() + "/mcp", Client: &http.Client{Transport: f.dialer()}}, opts)
	if err != nil {
		t.Error(err)
		return got, false
	}
	defer client.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if a := client.Connect(ctx); a.Err() != nil {
		t.Errorf("%s: connect: %+v", c, a.Err())
		return got, false
	}
	f.mu.Lock()
	f.at = c.at
	f.mu.Unlock()
	client.opts.Timeout, client.opts.Observer = c.timeout(), unhurried{client}
	start := time.Now()
	got.answer = client.CallTool(ctx, "act", nil)
	got.took = time.Since(start)
	f.mu.Lock()
	got.ran, got.whole, got.said, f.at = f.ran, f.whole, f.said, ""
	f.mu.Unlock()
	client.opts.Timeout, client.opts.Observer = 0, nil
	got.next = client.CallTool(ctx, "act", nil)
	return got, true
}

func (s *tally) judge(t *testing.T, c faultCase, got played) {
	s.cases++
	s.ran[min(got.ran, 2)]++
	switch got.answer.Decision.Action {
	case retry.Proceed:
		s.proceed++
	case retry.Surface:
		s.surface++
	case retry.Ask:
		s.ask++
	default:
		s.abort++
	}
	o := got.answer.Outcome
	fail := func(count *int, what string) {
		*count++
		t.Errorf("%s: %s: ran %d times, %d whole results, %v after %v: %v, %+v", c, what, got.ran, got.whole, o.Kind, got.took, got.answer.Decision, got.answer.Err())
	}
	if got.ran > 1 && !c.repeatable || got.whole > 1 {
		fail(&s.double, "double execution")
	}
	switch proceed := got.answer.Decision.Action == retry.Proceed; {
	case proceed != (got.whole > 0):
		fail(&s.lost, "lost result")
	case got.said && c.reply.kind != "" && o.Kind != c.reply.kind && !c.unanswered():
		fail(&s.lost, "lost reply")
	case !proceed && c.mustSucceed():
		fail(&s.lost, "not recovered")
	}
	if got.took > 15*time.Second {
		fail(&s.hung, "hung")
	}
	if got.ran > 0 && o.Ran == interpret.RanNo {
		fail(&s.lied, "said not to have run")
	}
	if got.next.Decision.Action != retry.Proceed {
		s.dead++
		t.Errorf("%s: the next call: %v %v", c, got.next.Outcome.Kind, got.next.Decision)
	}
}

// unanswered reports whether the reply, though it arrives whole, answers nothing: the wait for the answer goes on.
func (c faultCase) unanswered() bool {
	return c.reply.name == "wrong id" && (c.at == openSSE || c.at == chatter || c.at == exitDone)
}

// timeout is that of the first attempt where only a timeout ends it, none elsewhere: a slow machine is no fault of the server.
func (c faultCase) timeout() time.Duration {
	if c.at == silence || c.unanswered() && c.at != exitDone {
		return 300 * time.Millisecond
	}
	return 0
}

// unhurried gives every attempt of a call but the first the time that a slow machine takes, for those meet no fault.
type unhurried struct{ c *Client }

func (unhurried) AttemptStart(ctx context.Context, _ retry.Attempt) (context.Context, map[string]string) {
	return ctx, nil
}

func (o unhurried) AttemptEnd(context.Context, retry.Attempt) {
	if o.c.opts.Timeout > 0 {
		o.c.opts.Timeout = 5 * time.Second // and not for ever: on a very slow one the first may not have got as far as the fault
	}
}

// mustSucceed reports whether the fault is one that a resend mends, and the resend is allowed.
func (c faultCase) mustSucceed() bool {
	return c.at == beforeAccept || c.repeatable && c.reply.name == "result"
}
