package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// asking is a server whose first reply to a call asks for these things, by method, and whose next one is the result.
func asking(t *testing.T, methods ...string) *script {
	t.Helper()
	var ask []string
	for i, m := range methods {
		ask = append(ask, fmt.Sprintf(`"k%d":{"method":%q,"params":{"message":"which?"}}`, i, m))
	}
	return newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method == "tools/call" && n == 1 {
			q.reply(w, `{"resultType":"input_required","requestState":"s","inputRequests":{`+strings.Join(ask, ",")+`}}`)
			return true
		}
		return false
	})
}

// forms are as many requests for a form.
func forms(n int, more ...string) []string {
	var m []string
	for range n {
		m = append(m, "elicitation/create")
	}
	return append(m, more...)
}

// Nobody is asked for what is not going to be sent: neither where one of the questions cannot be answered, nor one by one out of a flood.
func TestAllQuestionsOfAReplyAreAskedOrNone(t *testing.T) {
	for _, c := range []struct {
		name string
		asks []string
		want error // nil: all are answered
	}{
		{"as many as there may be", forms(roundQuestions), nil},
		{"one more", forms(roundQuestions + 1), errQuestions},
		{"a flood", forms(1000), errQuestions},
		{"more than are read", forms(20000), errQuestions},
		{"the last without a handler", forms(2, "sampling/createMessage"), errNoHandler},
	} {
		asked := 0
		s := asking(t, c.asks...)
		a := s.dial(t, Options{
			Capabilities: map[string]any{"elicitation": map[string]any{}, "sampling": map[string]any{}},
			Handlers: map[string]Handler{"elicitation/create": func(context.Context, json.RawMessage) (any, error) {
				asked++
				return map[string]any{"action": "accept"}, nil
			}},
		}).CallTool(within(t), "act", nil)
		if c.want == nil {
			if proceeds(t, a); asked != len(c.asks) {
				t.Errorf("%s: asked %d times", c.name, asked)
			}
			continue
		}
		if asked != 0 || a.Outcome.Kind != interpret.InputRequired || a.Decision.Stop != retry.StopRemedy || !errors.Is(a.Stop, c.want) {
			t.Errorf("%s: asked %d times, %v, %v", c.name, asked, a.Decision, a.Err())
		}
		if n := len(s.got("tools/call")); n != 1 {
			t.Errorf("%s: %d calls", c.name, n)
		}
	}
}

// Who gives up at one question is not asked the next.
func TestNothingIsAskedForACallThatWasGivenUp(t *testing.T) {
	ctx, cancel := context.WithCancel(within(t))
	asked := 0
	s := asking(t, forms(3)...)
	a := s.dial(t, Options{
		Capabilities: map[string]any{"elicitation": map[string]any{}},
		Handlers: map[string]Handler{"elicitation/create": func(context.Context, json.RawMessage) (any, error) {
			asked++
			cancel()
			return map[string]any{"action": "accept"}, nil
		}},
	}).CallTool(ctx, "act", nil)
	if n := len(s.got("tools/call")); asked != 1 || n != 1 || !errors.Is(a.Stop, context.Canceled) {
		t.Errorf("asked %d times, %d calls, %v", asked, n, a.Err())
	}
}
