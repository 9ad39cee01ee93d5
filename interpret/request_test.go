package interpret_test

import (
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

func TestWhatMayBeRepeated(t *testing.T) {
	for method, want := range map[string]bool{
		"initialize": true, "server/discover": true, "ping": true, "tools/list": true, "prompts/list": true, "resources/list": true,
		"resources/templates/list": true, "tasks/list": true, "resources/read": true, "prompts/get": true, "completion/complete": true,
		"logging/setLevel": true, "resources/subscribe": true, "resources/unsubscribe": true, "subscriptions/listen": true,
		"tasks/get": true, "tasks/result": true, "tasks/cancel": true,
		"tools/call": false, "sampling/createMessage": false, "elicitation/create": false, "roots/list": false, "": false,
		"notifications/cancelled": false, "vendor/method": false, "tasks/update": false, "TOOLS/LIST": false,
	} {
		r := interpret.Request{Method: method, ID: "1"}
		if r.Repeatable() != want {
			t.Errorf("%q: repeatable: %t", method, !want)
		}
	}
	if r := (interpret.Request{HTTPMethod: "GET"}); !r.Repeatable() {
		t.Error("a GET is not repeatable")
	}
	if r := (interpret.Request{HTTPMethod: "DELETE"}); r.Repeatable() {
		t.Error("a DELETE is repeatable")
	}
}

func TestSortsOfRequests(t *testing.T) {
	for _, c := range []struct {
		r                       interpret.Request
		notification, modelCall bool
	}{
		{interpret.Request{Method: "tools/call", ID: "1"}, false, true},
		{interpret.Request{Method: "resources/read", ID: "1"}, false, true},
		{interpret.Request{Method: "prompts/get", ID: `"a"`}, false, true},
		{interpret.Request{Method: "tools/list", ID: "1"}, false, false},
		{interpret.Request{Method: "notifications/initialized"}, true, false},
		{interpret.Request{}, false, false},
		{interpret.Request{ID: "1"}, false, false},
	} {
		if c.r.IsNotification() != c.notification || c.r.ModelCall() != c.modelCall {
			t.Errorf("%+v: a notification: %t, a model call: %t", c.r, c.r.IsNotification(), c.r.ModelCall())
		}
	}
}
