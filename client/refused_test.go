package client

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

func TestParamsThatAreNoObject(t *testing.T) {
	s := newScript(t, true, nil)
	c := s.dial(t, Options{})
	refused := func(what any, a *retry.Answer, method string) {
		t.Helper()
		if a.Err() == nil || a.Outcome.Kind != interpret.InvalidRequest || a.Outcome.Ran != interpret.RanNo || a.Outcome.Origin != interpret.OriginClient ||
			a.Decision.Action != retry.Abort || !errors.Is(a.Stop, retry.StopAction) || a.Exchange.Request.Method != method {
			t.Errorf("%T: %+v, %v", what, a.Decision, a.Err())
		}
	}
	for _, params := range []any{[]int{1}, "x", 7, json.RawMessage(`{"a":1,"a":2}`), json.RawMessage(`{}}`), func() {}} {
		a := c.Call(within(t), "tools/call", params)
		refused(params, a, "tools/call")
		if err := a.Err(); err != nil && !strings.Contains(err.Error(), "client: params: ") {
			t.Error(err)
		}
	}
	refused(nil, c.Notify(within(t), "tools/call", nil), "tools/call")
	refused(nil, c.Notify(within(t), "notifications/progress", []int{1}), "notifications/progress")
	if len(s.got()) != 0 {
		t.Errorf("the server got %s", s.order())
	}
}

// What a model wrote is not repaired, and it reads what is wrong with it.
func TestArgumentsThatAreNoObject(t *testing.T) {
	s := newScript(t, true, nil)
	c := s.dial(t, Options{Model: &retry.ModelText{Scrub: interpret.NewScrubber("hunter2")}})
	for _, bad := range []struct {
		arguments any
		why       string
	}{
		{json.RawMessage(`{"a":1}}junk`), `invalid character '}' after top-level value`},
		{json.RawMessage(`{"a":1} {"b":2}`), `invalid character '{' after top-level value`},
		{json.RawMessage(`{"a":1]`), `invalid character ']' after object key:value pair`},
		{json.RawMessage(`{"a":1`), `unexpected end of JSON input`},
		{json.RawMessage(``), `unexpected end of JSON input`},
		{json.RawMessage(`[1,2]`), `not a JSON object`},
		{json.RawMessage(`"{\"a\":1}"`), `not a JSON object`},
		{json.RawMessage(`{"a":1,"b":{},"\u0061":2}`), `member "a" comes twice`},
		{json.RawMessage(`{"hunter2":1,"hunter2":2}`), `member "[redacted]" comes twice`},
		{"{}", `not a JSON object`},
		{[]int{1, 2}, `not a JSON object`},
		{map[string]json.RawMessage{"a": json.RawMessage(`{"b"`)}, `unexpected end of JSON input`},
	} {
		a := c.CallTool(within(t), "pay", bad.arguments)
		o, x := &a.Outcome, &a.Exchange
		if o.Kind != interpret.InvalidArguments || o.Ran != interpret.RanNo || o.Origin != interpret.OriginClient || a.Decision.Action != retry.Surface ||
			!errors.Is(a.Err(), retry.StopAction) || !errors.Is(a.Err(), interpret.InvalidArguments) || x.Request.Method != "tools/call" || x.Request.Target != "pay" {
			t.Errorf("%s: %+v %+v %+v", bad.arguments, *o, a.Decision, x.Request)
		}
		want := `The call of tool "pay" was not made: the arguments cannot be read: ` + bad.why + ".\n"
		if text := a.ForModel(); !strings.HasPrefix(text, want) || !strings.Contains(text, "Correct the arguments") {
			t.Errorf("%s: %s\nwant %s", bad.arguments, text, want)
		}
	}
	// What is no JSON in Go no model has written.
	for _, arguments := range []any{func() {}, map[string]any{"a": math.NaN()}} {
		a := c.CallTool(within(t), "pay", arguments)
		if a.Outcome.Kind != interpret.InvalidRequest || a.Decision.Action != retry.Abort || a.Exchange.Request.Target != "pay" ||
			!strings.Contains(a.ForModel(), "this client's fault") {
			t.Errorf("%T: %+v: %s", arguments, a.Decision, a.ForModel())
		}
	}
	if len(s.got()) != 0 {
		t.Errorf("the server got %s", s.order())
	}
	// These are none, or empty.
	for _, arguments := range []any{nil, json.RawMessage(nil), json.RawMessage(`null`), json.RawMessage(` {} `), map[string]int(nil)} {
		proceeds(t, c.CallTool(within(t), "pay", arguments))
	}
}

func TestArgumentsThatAreRefusedByTheHostsModelText(t *testing.T) {
	s := newScript(t, true, nil)
	c := s.dial(t, Options{Model: &retry.ModelText{Template: func(t *retry.Telling) string { return "Das ging nicht: " + string(t.Fixable) }}})
	for want, a := range map[string]*retry.Answer{
		"Das ging nicht: fixable": c.CallTool(within(t), "pay", json.RawMessage(`{`)),
		"Das ging nicht: not":     c.Call(within(t), "tools/call", 7),
	} {
		if text := a.ForModel(); text != want {
			t.Errorf("%q, want %q", text, want)
		}
	}
}
