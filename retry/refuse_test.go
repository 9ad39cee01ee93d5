package retry

import (
	"errors"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

func TestRefusedCalls(t *testing.T) {
	why := errors.New("the arguments cannot be read:\n member \"a\u202e\" comes twice")
	told := new(spy)
	observed := &Loop{Observer: told, Model: &ModelText{Template: func(t *Telling) string { return "> " + t.String() }}}
	a := observed.Refuse(toolCall, interpret.InvalidArguments, why)
	if a.Decision.Action != Surface || a.Outcome.Ran != interpret.RanNo || a.Outcome.Origin != interpret.OriginClient || len(a.Attempts) != 0 {
		t.Errorf("%+v", a)
	}
	for _, target := range []error{StopAction, interpret.InvalidArguments, why} {
		if !errors.Is(a.Err(), target) {
			t.Errorf("%v is not %v", a.Err(), target)
		}
	}
	if x := a.Exchange; x.Request.Target != "search" || x.Failure.Delivery != interpret.DeliveryNotSent {
		t.Errorf("%+v", x)
	}
	text := a.ForModel()
	if !strings.HasPrefix(text, `> The call of tool "search" was not made: the arguments cannot be read: member "a" comes twice.`) || strings.Contains(text, "\u202e") {
		t.Error(text)
	}

	if len(told.notes) != 0 {
		t.Errorf("the observer was told: %q", told.notes)
	}

	a = observed.Refuse(toolCall, interpret.InvalidRequest, errors.New("boom"))
	if a.Decision.Action != Abort || !errors.Is(a.Stop, StopAction) || strings.Contains(a.ForModel(), "boom") {
		t.Errorf("%+v: %s", a.Decision, a.ForModel())
	}
}

// A rule of the host's decides here too, and none has it sent.
func TestRefusedCallsByARule(t *testing.T) {
	for _, c := range []struct {
		action, want Action
		stop         Stop
	}{{Abort, Abort, StopAction}, {Ask, Ask, StopAction}, {Retry, Surface, StopUnsafe}} {
		l := &Loop{Policy: &Policy{Rules: []Rule{{Name: "mine", Kinds: []interpret.Kind{interpret.InvalidArguments}, Action: c.action}}}}
		a := l.Refuse(toolCall, interpret.InvalidArguments, errors.New("no"))
		if a.Decision.Action != c.want || !errors.Is(a.Stop, c.stop) || a.Decision.Rule != "mine" || a.ForModel() == "" {
			t.Errorf("%v: %+v, %v", c.action, a.Decision, a.Stop)
		}
	}
}
