package retry

import (
	"context"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// versions notes the protocol versions that an observer is told at the end of attempts.
type versions []string

func (v *versions) AttemptStart(ctx context.Context, _ Attempt) (context.Context, map[string]string) {
	return ctx, nil
}

func (v *versions) AttemptEnd(_ context.Context, a Attempt) { *v = append(*v, a.Version) }

// Who opens a session knows no version before; at the end of the attempt it is told, and never one that only the server has a word for.
func TestVersionIsToldOnceItIsKnown(t *testing.T) {
	const offered, agreed = "2025-11-25", "2025-06-18"
	for name, c := range map[string]struct {
		known, sent string // before, and as it was sent
		reply       interpret.Outcome
		want        string
	}{
		"agreed on":              {"", offered, interpret.Outcome{Kind: interpret.OK, Version: agreed}, agreed},
		"declared":               {"", offered, interpret.Outcome{Kind: interpret.OK}, offered},
		"declared, and a fault":  {"", offered, down, offered},
		"one that is not spoken": {"", offered, interpret.Outcome{Kind: interpret.UnsupportedVersion, Version: "hunter2"}, offered},
		"not sent":               {offered, "", down, offered},
		"nothing known":          {"", "", down, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var told versions
			l := &Loop{Policy: &Policy{Attempts: 1}, Observer: &told, Read: func(interpret.Exchange) interpret.Outcome { return c.reply }}
			a := l.Do(t.Context(), interpret.Request{Method: "initialize", Version: c.known}, func(_ context.Context, r interpret.Request) interpret.Exchange {
				r.Version = c.sent
				return interpret.Exchange{Request: r}
			})
			if len(told) != 1 || told[0] != c.want || a.Attempts[0].Version != c.want {
				t.Errorf("told %q, the answer says %q; want %q", told, a.Attempts[0].Version, c.want)
			}
		})
	}
}
