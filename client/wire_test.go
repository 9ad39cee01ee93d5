package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/internal/proto"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

func TestHeaderValue(t *testing.T) {
	for in, want := range map[string]string{
		"us-west1":      "us-west1",
		"us west 1":     "us west 1",
		"":              "",
		" padded ":      "=?base64?IHBhZGRlZCA=?=",
		"a\tb":          "=?base64?YQli?=",
		"line1\r\nline": "=?base64?bGluZTENCmxpbmU=?=",
		"世界":            "=?base64?5LiW55WM?=",
		"=?base64?x?=":  "=?base64?PT9iYXNlNjQ/eD89?=",
		"=?base64?x":    "=?base64?x",
	} {
		if got := proto.EncodeHeader(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestParamHeaderValues(t *testing.T) {
	for in, want := range map[string]string{
		`"x"`: "x", `true`: "true", `false`: "false", `42`: "42", `-1`: "-1", `4.2e1`: "42", `9007199254740991`: "9007199254740991",
		`9007199254740993`: "-", `1.5`: "-", `null`: "-", `[]`: "-", `{}`: "-",
	} {
		o, err := parseObject([]byte(`{"a":{"b":` + in + `}}`))
		if err != nil {
			t.Fatal(err)
		}
		got, ok := paramHeader{path: []string{"a", "b"}}.value(o)
		if !ok {
			got = "-"
		}
		if got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestObjectKeepsBytes(t *testing.T) {
	const raw = `{"big":123456789012345678901234567890,"s":"\u003c<é","list":[1, 2],"_meta":{"progressToken":"p"}}`
	o, err := parseObject([]byte(raw))
	if err != nil || string(o.encode()) != raw {
		t.Errorf("%s, %v", o.encode(), err)
	}
	for _, bad := range []string{`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `[]`, `7`, ``, `{`, `{} {}`, `{}}`, `{}]`, `{"a":1}}junk`, `{},`, `{"a":1,}`, `{"a":1]`} {
		if o, err := parseObject([]byte(bad)); err == nil {
			t.Errorf("%s was read as %s", bad, o.encode())
		}
	}
}

// observing adds trace context, and notes what it is told.
type observing struct{ told []string }

func (o *observing) AttemptStart(ctx context.Context, a retry.Attempt) (context.Context, map[string]string) {
	return ctx, map[string]string{"traceparent": fmt.Sprintf("00-%d", a.Number)}
}

func (o *observing) AttemptEnd(_ context.Context, a retry.Attempt) {
	o.told = append(o.told, fmt.Sprintf("%s %s %s", a.Method, a.Version, a.Kind))
}

func TestObserverIsToldAndHeardIn(t *testing.T) {
	for _, modern := range []bool{true, false} {
		s := newScript(t, modern, nil)
		o := new(observing)
		c := s.dial(t, Options{Observer: o})
		proceeds(t, c.Call(within(t), "tools/call", json.RawMessage(`{"name":"act","_meta":{"progressToken":"p"}}`)))
		q := s.got("tools/call")[0]
		if string(q.meta["traceparent"]) != `"00-1"` || string(q.meta["progressToken"]) != `"p"` {
			t.Errorf("_meta %v", q.meta)
		}
		want := "server/discover 2026-07-28 ok, tools/call 2026-07-28 ok"
		if !modern {
			want = "server/discover 2026-07-28 legacy_server, initialize 2025-11-25 ok, tools/call 2025-11-25 ok"
		}
		if got := strings.Join(o.told, ", "); got != want {
			t.Errorf("told %s, want %s", got, want)
		}
	}
}

// rust-mcp-sdk loses the answer when a progress token was sent.
func TestNothingIsAddedThatTheHostDidNotAskFor(t *testing.T) {
	s := newScript(t, true, nil)
	proceeds(t, s.dial(t, Options{}).CallTool(within(t), "act", nil))
	if q := s.got("tools/call")[0]; len(q.meta) != 3 {
		t.Errorf("_meta %v", q.meta)
	}
}

func TestNotification(t *testing.T) {
	s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method == "notifications/roots/list_changed" && q.header.Get("Mcp-Session-Id") == "s-1" {
			http.Error(w, "no such session", http.StatusNotFound)
			return true
		}
		return false
	})
	c := s.dial(t, Options{})
	proceeds(t, c.Notify(within(t), "notifications/roots/list_changed", nil))
	if q := s.got("notifications/roots/list_changed"); len(q) != 2 || q[1].header.Get("Mcp-Session-Id") != "s-2" || q[1].ID != nil {
		t.Errorf("sent %d times", len(q))
	}
}

func TestTaskIsDropped(t *testing.T) {
	s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if strings.Contains(string(q.Params), `"task"`) {
			q.fault(w, 200, -32601, "Method not found", "")
			return true
		}
		return false
	})
	proceeds(t, s.dial(t, Options{}).Call(within(t), "tools/call", json.RawMessage(`{"name":"act","task":{"ttl":1000}}`)))
}

func TestPageIsOpenedOnConsent(t *testing.T) {
	declined := errors.New("declined")
	for _, consent := range []error{nil, declined} {
		executions := 0
		s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
			if q.Method != "tools/call" {
				return false
			}
			if n == 1 {
				q.fault(w, 200, -32042, "first", `{"elicitations":[{"mode":"url","elicitationId":"e","url":"https://example.com/connect?e=1","message":"connect"}]}`)
				return true
			}
			executions++
			return false
		})
		c := s.dial(t, Options{
			Capabilities: map[string]any{"elicitation": map[string]any{"url": map[string]any{}}},
			OpenURL: func(_ context.Context, pages []interpret.Elicitation) error {
				if len(pages) != 1 || pages[0].URL != "https://example.com/connect?e=1" {
					t.Errorf("%+v", pages)
				}
				return consent
			},
		})
		a := c.CallTool(within(t), "act", nil)
		if consent == nil && (a.Decision.Action != retry.Proceed || executions != 1) || consent != nil && (!errors.Is(a.Err(), declined) || executions != 0) {
			t.Errorf("consent %v: %v %v, %d executions", consent, a.Decision, a.Err(), executions)
		}
	}
}
