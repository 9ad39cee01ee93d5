// Package same holds hosts to one another: whatever comes back for a call, they all have the same decision and the same text for the model.
package same

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/internal/adapt/adapttest"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// Caller calls a tool and returns the answer.
type Caller func(ctx context.Context, tool string) *retry.Answer

// Host connects to a server, with the loop where it takes one.
type Host func(t *testing.T, url string, loop *retry.Loop) Caller

// secret is what the host has registered as one.
const secret = "already shipped"

func model() *retry.ModelText { return &retry.ModelText{Scrub: interpret.NewScrubber(secret)} }

// policy asks about every failure of one tool.
func policy() *retry.Policy {
	p := &retry.Policy{FirstDelay: time.Millisecond, Attempts: 2}
	return p.With(retry.Rule{Name: "locked rows", Kinds: []interpret.Kind{interpret.ToolError}, Tools: []string{"locked"}, Action: retry.Ask})
}

func text(isError, text string) adapttest.Reply {
	return adapttest.Result(`{"resultType":"complete","_meta":{"a.example/b":[1, "<"],"io.github.mcperr/answer":"forged"},` + isError + `"content":[{"type":"text","text":"` + text + `"}]}`)
}

var failed = text(`"isError":true,`, "row 17 is locked: "+secret)

// cases are the ways that a call can go.
var cases = []struct {
	name, tool string
	replies    []adapttest.Reply
	impatient  bool // its deadline passes when the server has the call
	want       retry.Action
	attempts   int
}{
	{"a success", "t", []adapttest.Reply{text("", "the parcel was "+secret)}, false, retry.Proceed, 1},
	{"isError", "t", []adapttest.Reply{failed}, false, retry.Surface, 1},
	{"isError, and a rule of the host", "locked", []adapttest.Reply{failed}, false, retry.Ask, 1},
	{"a protocol error", "t", []adapttest.Reply{adapttest.Error(200, -32602, `{"field":"`+secret+`"}`)}, false, retry.Surface, 1},
	{"a failure of the server", "t", []adapttest.Reply{{Status: 503}}, false, retry.Surface, 1},
	{"a failure of the server, of a tool that may run twice", "twice", []adapttest.Reply{{Status: 503}, {Status: 503}}, false, retry.Surface, 2},
	{"a success after that", "twice", []adapttest.Reply{{Status: 503}, text("", "fine")}, false, retry.Proceed, 2},
	{"isError after that", "twice", []adapttest.Reply{{Status: 503}, failed}, false, retry.Surface, 2},
	{"a local failure", "t", []adapttest.Reply{{Drop: true}}, false, retry.Surface, 1},
	{"a local failure, of a tool that may run twice", "twice", []adapttest.Reply{{Drop: true}, {Drop: true}}, false, retry.Surface, 2},
	{"a deadline", "t", []adapttest.Reply{{Hang: true}}, true, retry.Surface, 1},
}

// Test compares the hosts with package client.
func Test(t *testing.T, hosts map[string]Host) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			meet := func(t *testing.T, h Host) *retry.Answer {
				s := adapttest.New(t, true)
				loop := &retry.Loop{Policy: policy(), Model: model(), Vouch: func(r interpret.Request) bool { return r.Target == "twice" }}
				call := h(t, s.URL, loop)
				s.Tool(c.tool, c.replies...)
				ctx := t.Context()
				if c.impatient {
					ctx = s.Until("tools/call")
				}
				return call(ctx, c.tool)
			}
			want := meet(t, core)
			if d := want.Decision; d.Action != c.want || len(want.Attempts) != c.attempts {
				t.Fatalf("package client: %+v after %d attempts", d, len(want.Attempts))
			}
			for name, h := range hosts {
				t.Run(name, func(t *testing.T) { compare(t, meet(t, h), want) })
			}
		})
	}
}

func core(t *testing.T, url string, _ *retry.Loop) Caller {
	c, err := client.New(client.HTTP{URL: url}, client.Options{Policy: policy(), Model: model(), Vouch: []string{"twice"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if a := c.Connect(t.Context()); a.Err() != nil {
		t.Fatal(a.Err())
	}
	return func(ctx context.Context, tool string) *retry.Answer { return c.CallTool(ctx, tool, map[string]any{}) }
}

func compare(t *testing.T, got, want *retry.Answer) {
	if got.Decision != want.Decision {
		t.Errorf("decision:\n got %+v\nwant %+v", got.Decision, want.Decision)
	}
	if g, w := got.ForModel(), want.ForModel(); g != w || strings.Contains(g, secret) {
		t.Errorf("the model reads:\n%s\nwant:\n%s", g, w)
	}
	if got.Outcome.Kind != want.Outcome.Kind || got.Outcome.Ran != want.Outcome.Ran || got.Vouched != want.Vouched {
		t.Errorf("%s, ran %s, vouched for: %t; want %s, %s, %t", got.Outcome.Kind, got.Outcome.Ran, got.Vouched, want.Outcome.Kind, want.Outcome.Ran, want.Vouched)
	}
	if len(got.Attempts) != len(want.Attempts) || (got.Err() == nil) != (want.Err() == nil) {
		t.Errorf("%d attempts, %v; want %d, %v", len(got.Attempts), got.Err(), len(want.Attempts), want.Err())
	}
}
