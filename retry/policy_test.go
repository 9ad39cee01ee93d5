package retry

import (
	"testing"
	"testing/synctest"

	"github.com/mcperr/mcperr/interpret"
)

// A stream that breaks is taken up again as often as the policy says.
func TestResumes(t *testing.T) {
	for _, c := range []struct {
		policy *Policy
		want   int
	}{{nil, DefaultResumes}, {&Policy{Resumes: -1}, DefaultResumes}, {&Policy{Resumes: 1}, 1}, {&Policy{Resumes: 5}, 5}} {
		synctest.Test(t, func(t *testing.T) {
			s := replies(broken)
			a := s.loop(&Loop{Policy: c.policy, Remedies: having(interpret.Resume)}).Do(t.Context(), toolCall, s.send)
			if len(s.sent) != 1+c.want || a.Decision.Stop != StopUnsafe {
				t.Errorf("%+v: %d sends, stop %q; want %d resumes, and no call that is made twice", c.policy, len(s.sent), a.Decision.Stop, c.want)
			}
		})
	}
}

// Deposit and burst of a policy size what NewServer makes. A server that is given has its own, for others share it.
func TestAServerThatIsGivenHasItsOwnSize(t *testing.T) {
	small := &Policy{Attempts: 4, Burst: 1}
	for name, c := range map[string]struct {
		server *Server
		resent int
	}{
		"none":         {nil, 1},
		"by NewServer": {small.NewServer(), 1},
		"its own":      {new(Server), 3},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := replies(down)
			s.loop(&Loop{Policy: small, Server: c.server}).Do(t.Context(), toolList, s.send)
			if len(s.sent) != 1+c.resent {
				t.Errorf("%s: %d sends, want %d", name, len(s.sent), 1+c.resent)
			}
		})
	}
}
