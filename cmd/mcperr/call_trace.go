package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/mcperr/mcperr/retry"
)

// trace tells on standard error what is sent and what becomes of it, while it happens. It is the call's observer.
type trace struct {
	e        *env
	attempts []retry.Attempt // all that ended, those of the handshake too

	waiting sync.WaitGroup
	quit    chan struct{} // ends the progress of a wait; nil: none is shown
}

// AttemptStart ends the progress of the wait before.
func (t *trace) AttemptStart(ctx context.Context, a retry.Attempt) (context.Context, map[string]string) {
	t.stopWaiting()
	return ctx, nil
}

// AttemptEnd prints a line, and one about the wait if the call goes on.
func (t *trace) AttemptEnd(_ context.Context, a retry.Attempt) {
	t.attempts = append(t.attempts, a)
	what := []string{a.Method}
	if a.Target != "" {
		what = append(what, clean(a.Target, 60))
	}
	came := []string{a.Kind.String()}
	if a.Status != 0 {
		came = append(came, fmt.Sprintf("HTTP %d", a.Status))
	}
	if a.HasCode {
		came = append(came, fmt.Sprintf("code %d", a.Code))
	}
	if a.Failure != "" {
		came = append(came, string(a.Failure))
	}
	fmt.Fprintf(t.e.err, "%s  %s after %s\n", strings.Join(what, " "), strings.Join(came, ", "), rounded(a.Took))
	d := a.Decision
	then := d.Action.String()
	if d.Remedy != "" {
		then += ", " + string(d.Remedy)
	}
	if d.Reason != "" && d.Action != retry.Proceed {
		then += ": " + clean(d.Reason, 200)
	}
	fmt.Fprintf(t.e.err, "  %s\n", then)
	if d.Action == retry.Retry && d.Stop == "" && d.Delay > 0 {
		t.wait(d.Delay)
	}
}

// wait tells of a wait, and on a terminal counts it down.
func (t *trace) wait(d time.Duration) {
	f, isFile := t.e.err.(*os.File)
	if !isFile || !terminal(f) || d < time.Second {
		fmt.Fprintf(t.e.err, "  waiting %s\n", rounded(d))
		return
	}
	t.quit = make(chan struct{})
	until := time.Now().Add(d)
	t.waiting.Go(func() {
		tick := time.NewTicker(time.Second)
		defer tick.Stop()
		for {
			fmt.Fprintf(f, "\r  waiting %-10s", max(time.Until(until), 0).Round(time.Second))
			select {
			case <-tick.C:
			case <-t.quit:
				fmt.Fprintf(f, "\r  waited %-11s\n", rounded(d))
				return
			}
		}
	})
}

func (t *trace) stopWaiting() {
	if t.quit != nil {
		close(t.quit)
		t.waiting.Wait()
		t.quit = nil
	}
}

// rounded prints a duration with as many digits as a person reads.
func rounded(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Millisecond).String()
}
