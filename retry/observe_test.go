package retry

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// spy notes what an observer is told.
type spy struct {
	notes []string
	meta  map[string]string
}

type spyKey struct{}

func (s *spy) AttemptStart(ctx context.Context, a Attempt) (context.Context, map[string]string) {
	s.notes = append(s.notes, fmt.Sprintf("start %d %s %s, remedy %q, waited %v", a.Number, a.Method, a.Target, a.Remedy, a.Waited))
	return context.WithValue(ctx, spyKey{}, a.Number), s.meta
}

func (s *spy) AttemptEnd(ctx context.Context, a Attempt) {
	s.notes = append(s.notes, fmt.Sprintf("end %d %v in %v: %v, remedy %q, delay %v, stop %q", ctx.Value(spyKey{}), a.Kind, a.Took, a.Decision.Action, a.Decision.Remedy, a.Decision.Delay, a.Decision.Stop))
}

func TestObserverAndLog(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := replies(lostSession, down, good)
		s.takes = time.Second
		seen := &spy{meta: map[string]string{"traceparent": "00-1"}}
		var log bytes.Buffer
		l := s.loop(&Loop{Observer: seen, Remedies: having(interpret.Reinitialize), Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{
			Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.TimeKey {
					return slog.Attr{}
				}
				return a
			},
		}))})
		inner := s.loop(&Loop{Server: l.server(), Observer: seen, Logger: l.Logger})
		l.Do(t.Context(), toolList, func(ctx context.Context, r interpret.Request) interpret.Exchange {
			if ctx.Value(spyKey{}) == nil || !maps.Equal(Meta(ctx), seen.meta) {
				t.Errorf("the sender does not have what the observer gave: %v", Meta(ctx))
			}
			return inner.Do(ctx, r, s.send).Exchange // the same attempt: not told, not logged
		})
		want := `start 1 tools/list , remedy "", waited 0s
end 1 session_lost in 1s: retry, remedy "reinitialize", delay 0s, stop ""
start 2 tools/list , remedy "reinitialize", waited 0s
end 2 unavailable in 1s: retry, remedy "", delay 250ms, stop ""
start 3 tools/list , remedy "", waited 250ms
end 3 ok in 1s: proceed, remedy "", delay 0s, stop ""`
		if got := strings.Join(seen.notes, "\n"); got != want {
			t.Errorf("told:\n%s\nwant:\n%s", got, want)
		}
		want = `level=DEBUG msg="mcp attempt" method=tools/list attempt=1 kind=session_lost action=retry rule=default/session_lost took=1s status=1 remedy=reinitialize
level=DEBUG msg="mcp attempt" method=tools/list attempt=2 kind=unavailable action=retry rule=default/unavailable took=1s status=2 delay=250ms
level=DEBUG msg="mcp attempt" method=tools/list attempt=3 kind=ok action=proceed rule=default/ok took=1s status=3
`
		want = strings.NewReplacer("status=1 ", "", " status=2", "", " status=3", "").Replace(want)
		if log.String() != want {
			t.Errorf("logged:\n%s\nwant:\n%s", &log, want)
		}
	})
}

func TestGivingUpIsAWarning(t *testing.T) {
	for _, c := range []struct {
		step interpret.Outcome
		warn string // "" for none
	}{
		{down, `level=WARN msg="mcp call given up" method=tools/call attempt=1 kind=unavailable action=surface rule=default/unavailable`},
		{wrongArgs, ""},
		{good, ""},
	} {
		var log bytes.Buffer
		s := replies(c.step)
		s.loop(&Loop{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelWarn}))}).Do(t.Context(), toolCall, s.send)
		if c.warn == "" && log.Len() > 0 || !strings.Contains(log.String(), c.warn) {
			t.Errorf("%v: logged %q", c.step.Kind, &log)
		}
	}
}

// Whatever a server or a model writes into a call, observers and logs hold none of it but a tool's name, in print.
func TestNothingSaidIsObserved(t *testing.T) {
	const secret = "hunter2"
	o := interpret.Outcome{
		Kind: interpret.UnknownError, Code: -32050, HasCode: true, Message: secret, Data: []byte(secret), Result: []byte(secret),
		Scopes: []string{secret}, Location: secret, ResourceMetadata: secret, Elicitations: []interpret.Elicitation{{URL: secret}},
	}
	for _, req := range []interpret.Request{
		{Method: "resources/read", ID: `"hunter2"`, Target: "https://me:hunter2@h/a?token=hunter2#hunter2", Body: []byte(secret)},
		{Method: "resources/read", ID: "1", Target: "hunter2\x7f://"},
		{Method: "tools/call", ID: "1", Target: "\x1b[2J\u202esearch" + strings.Repeat("x", 500), Body: []byte(secret)},
	} {
		var log bytes.Buffer
		seen := new(spy)
		s := replies(o)
		s.loop(&Loop{Observer: seen, Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))}).Do(t.Context(), req, s.send)
		all := log.String() + strings.Join(seen.notes, "\n")
		if strings.Contains(all, secret) || strings.ContainsAny(all, "\x1b\u202e") || strings.Contains(all, strings.Repeat("x", 200)) {
			t.Errorf("%s: %s", req.Method, all)
		}
		if !strings.Contains(all, "code=-32050") {
			t.Errorf("the code is not told: %s", all)
		}
	}
	if got := target(&interpret.Request{Method: "resources/read", Target: "https://me:pw@h/a?b#c"}, nil); got != "https://h/a" {
		t.Errorf("target %q", got)
	}
}
