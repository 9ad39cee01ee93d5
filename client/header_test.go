package client

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// A method stands in a header of 2026-07-28. What no header can carry is the host's to mend, and no fault of a server's.
func TestAMethodThatNoHeaderCarriesIsNotSent(t *testing.T) {
	for _, modern := range []bool{true, false} {
		s := newScript(t, modern, nil)
		c := s.dial(t, Options{})
		for _, method := range []string{"foo\r\nX: y", "foo\n", "notifications/\x00", "\x7f"} {
			a := c.Call(within(t), method, nil)
			if a.Outcome.Kind != interpret.InvalidRequest || a.Outcome.Ran != interpret.RanNo || a.Decision.Action != retry.Abort || len(a.Attempts) != 0 {
				t.Errorf("%q: %v, %d attempts", method, a.Err(), len(a.Attempts))
			}
		}
		if a := c.Notify(within(t), "notifications/\r", nil); a.Outcome.Kind != interpret.InvalidRequest {
			t.Errorf("%v", a.Err())
		}
		if len(s.got()) != 0 {
			t.Errorf("the server got %s", s.order())
		}
	}
	c := dialChild(t, childOf("busy"), Options{})
	c.Close()
	if a := c.Call(within(t), "foo\n", nil); !errors.Is(a.Err(), ErrClosed) {
		t.Errorf("a line can carry it: %v", a.Err())
	}
}

func TestCredentialsThatCannotBeSentAreNoCredentials(t *testing.T) {
	s := newScript(t, true, nil)
	s.on = func(w http.ResponseWriter, _ *http.Request, q seen, _ int) bool {
		if q.Method != "tools/call" {
			return false
		}
		w.WriteHeader(http.StatusUnauthorized)
		return true
	}
	c := s.dial(t, Options{Authorize: func(context.Context, Challenge) (http.Header, error) {
		return http.Header{"Authorization": {"Bearer s3cret\n"}}, nil
	}})
	a := c.CallTool(within(t), "act", nil)
	if a.Outcome.Kind != interpret.Unauthorized || !errors.Is(a.Stop, retry.StopRemedy) || len(a.Attempts) != 1 {
		t.Errorf("%v, %d attempts", a.Err(), len(a.Attempts))
	}
}
