package agent

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/retry"
)

// TestCheck: a host that leaves something out is found out, one that has no rule for the code above all.
func TestCheck(t *testing.T) {
	quota := retry.Rule{Name: "quota", Codes: []int64{4711}, Action: retry.Retry, Tries: 3}
	for name, c := range map[string]struct {
		rules []retry.Rule
		vouch []string
		mute  bool   // it does not ask its user
		want  string // of the error, "" for none
	}{
		"all that it should":     {[]retry.Rule{quota}, []string{"quote"}, false, ""},
		"no rule":                {nil, []string{"quote"}, false, "retry by quota"},
		"a rule, and no promise": {[]retry.Rule{quota}, nil, false, "retry by quota"},
		"another rule":           {[]retry.Rule{{Name: "all", Tools: []string{"quote"}, Action: retry.Retry}}, []string{"quote"}, false, "retry by quota"},
		"nobody to ask the user": {[]retry.Rule{quota}, []string{"quote"}, true, "to the user"},
	} {
		t.Run(name, func(t *testing.T) {
			server := Server()
			defer server.Close()
			var out strings.Builder
			p := (&retry.Policy{FirstDelay: time.Millisecond}).With(c.rules...)
			s, err := client.New(client.HTTP{URL: server.URL}, client.Options{Policy: p, Vouch: c.vouch})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			model := &Model{Out: &out}
			for call := range model.Calls {
				a := s.CallTool(t.Context(), call.Tool, call.Arguments)
				Show(&out, a)
				if a.Decision.Action == retry.Ask && !c.mute {
					fmt.Fprintf(&out, "  to the user: the server wants you to sign in for %s\n", strings.Join(a.Outcome.Scopes, ", "))
				}
				model.Result(call.ID, a.ForModel(), a.Decision.Action != retry.Proceed)
			}
			if err := Check(out.String()); (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, want %q, of\n%s", err, c.want, out.String())
			}
		})
	}
}
