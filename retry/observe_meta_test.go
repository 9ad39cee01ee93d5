package retry

import (
	"context"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// What an observer wants in the requests to its server stands in those and in no others, however calls are made inside each other.
func TestMetaStaysWithItsServer(t *testing.T) {
	wants := func(trace string) Observer { return &spy{meta: map[string]string{"traceparent": trace}} }
	check := func(ctx context.Context, where, want string) {
		t.Helper()
		if got := Meta(ctx)["traceparent"]; got != want {
			t.Errorf("%s: %q, want %q", where, got, want)
		}
	}
	sends := func(where, want string, inside ...func(context.Context)) Sender {
		return func(ctx context.Context, r interpret.Request) interpret.Exchange {
			for _, f := range inside {
				f(ctx)
			}
			check(ctx, where, want)
			return interpret.Exchange{Request: r, Status: 1}
		}
	}
	s := replies(good)
	here, there := new(Server), new(Server)
	outer := s.loop(&Loop{Server: here, Observer: wants("here")})
	sdk := s.loop(&Loop{Server: here, Observer: wants("below")}) // makes the same attempt
	silent, told := s.loop(&Loop{Server: there}), s.loop(&Loop{Server: there, Observer: wants("there")})

	lost := replies(lostSession, good)
	remedied := lost.loop(&Loop{Server: there, Observer: wants("again"), Remedies: map[interpret.Remedy]RemedyFunc{
		interpret.Reinitialize: func(ctx context.Context, _ *Call) error {
			check(ctx, "a remedy", "")
			silent.Do(ctx, toolList, sends("a silent loop in a remedy", ""))
			told.Do(ctx, toolList, sends("a loop in a remedy", "there"))
			return nil
		},
	}})

	outer.Do(t.Context(), toolCall, sends("the attempt", "here",
		func(ctx context.Context) { sdk.Do(ctx, toolCall, sends("the same attempt, below an SDK", "here")) },
		func(ctx context.Context) {
			silent.Do(ctx, toolList, sends("another server, nobody observes", "",
				func(ctx context.Context) { sdk.Do(ctx, toolCall, sends("and back", "here")) }))
		},
		func(ctx context.Context) {
			told.Do(ctx, toolList, sends("another server, observed", "there",
				func(ctx context.Context) { silent.Do(ctx, toolList, sends("the same attempt there", "there")) },
				func(ctx context.Context) { sdk.Do(ctx, toolCall, sends("and back", "here")) }))
		},
		func(ctx context.Context) {
			if a := remedied.Do(ctx, toolCall, lost.send); a.Err() != nil || len(lost.sent) != 2 {
				t.Error(a.Err())
			}
		},
	))
}
