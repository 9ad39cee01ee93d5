package retry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

var errGone = errors.New("the command is not there")

// unsent fails as a sender does that could not send.
func unsent(err error) Sender {
	return func(_ context.Context, r interpret.Request) interpret.Exchange {
		return interpret.Exchange{Request: r, Failure: &interpret.Failure{What: interpret.FailedExited, Delivery: interpret.DeliveryNotSent, Err: err}}
	}
}

func TestTheSenderEndsTheCall(t *testing.T) {
	for _, c := range []struct {
		req  interpret.Request
		want Action
	}{{toolCall, Surface}, {toolList, Abort}} {
		l := &Loop{Policy: new(Policy).With(Rule{Kinds: []interpret.Kind{interpret.Unavailable}, Action: Retry})}
		outer := &Loop{Server: l.server()}
		for name, do := range map[string]func(Sender) *Answer{
			"in a loop": func(s Sender) *Answer { return l.Do(t.Context(), c.req, s) },
			"below another": func(s Sender) *Answer {
				return outer.Do(t.Context(), c.req, func(ctx context.Context, r interpret.Request) interpret.Exchange { return l.Do(ctx, r, s).Exchange })
			},
		} {
			a := do(unsent(fmt.Errorf("start: %w", Final(errGone))))
			err := a.Err()
			if len(a.Attempts) != 1 || a.Decision.Action != c.want || a.Decision.Stop != StopFinal || a.Attempts[0].Decision.Stop != StopFinal || a.Outcome.Kind != interpret.Unavailable {
				t.Errorf("%s: %d attempts, %+v", name, len(a.Attempts), a.Decision)
			}
			if !errors.Is(err, StopFinal) || !errors.Is(err, errGone) || errors.Is(err, StopContext) || errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", name, err)
			}
			if got, want := err.Error(), "unavailable: start: the command is not there\nthe sender says that no other attempt makes sense"; got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
	}
}

func TestATransportEndsTheCall(t *testing.T) {
	sent := 0
	hc := &http.Client{Transport: roundTripFunc(func(*http.Request) (*http.Response, error) { sent++; return nil, Final(errGone) })}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1/", nil)
	if err != nil {
		t.Fatal(err)
	}
	a := new(Loop).HTTP(hc, r, toolList)
	if sent != 1 || a.Decision.Stop != StopFinal || !errors.Is(a.Err(), errGone) {
		t.Errorf("sent %d times: %v", sent, a.Err())
	}
}

// The mark is for a failure of our own side. Beside a result it says nothing, and a caller who gave up has.
func TestWhatTheMarkDoesNotEnd(t *testing.T) {
	done := unsent(Final(errGone))
	answered := func(ctx context.Context, r interpret.Request) interpret.Exchange {
		x := done(ctx, r)
		x.Request.Transport, x.Failure.Delivery = interpret.Stdio, interpret.DeliveryAnswering
		x.Lines = [][]byte{[]byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`)}
		return x
	}
	if a := new(Loop).Do(t.Context(), toolList, answered); a.Decision.Action != Proceed || a.Err() != nil || a.Attempts[0].Failure != "" {
		t.Errorf("a result: %v, failure %q", a.Err(), a.Attempts[0].Failure)
	}
	ctx, cancel := context.WithCancel(t.Context())
	a := new(Loop).Do(ctx, toolList, func(ctx context.Context, r interpret.Request) interpret.Exchange { cancel(); return done(ctx, r) })
	if a.Decision.Stop != StopContext || !errors.Is(a.Err(), context.Canceled) {
		t.Errorf("given up: %v", a.Err())
	}
	if Final(nil) != nil || Final(errGone).Error() != errGone.Error() {
		t.Error("the mark makes or changes an error")
	}
}
