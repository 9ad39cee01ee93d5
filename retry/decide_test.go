package retry

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

var (
	start    = time.Date(2026, 7, 28, 12, 0, 0, 0, time.UTC)
	toolCall = interpret.Request{Method: "tools/call", ID: "1", Target: "search"}
	toolList = interpret.Request{Method: "tools/list", ID: "1"}
)

func half() float64 { return 0.5 }

func TestDefaultRows(t *testing.T) {
	always, repeatable, remedy := interpret.LeaveAlways, interpret.LeaveRepeatable, interpret.LeaveRemedy
	for _, c := range []struct {
		name   string
		o      interpret.Outcome
		onCall Action // tools/call
		onList Action // tools/list
	}{
		{"state only", interpret.Outcome{Kind: interpret.InputRequired, Remedy: interpret.EchoState, Leave: always}, Retry, Retry},
		{"questions", interpret.Outcome{Kind: interpret.InputRequired, Leave: always}, Ask, Ask},
		{"isError", interpret.Outcome{Kind: interpret.ToolError, Ran: interpret.RanYes}, Surface, Abort},
		{"arguments", interpret.Outcome{Kind: interpret.InvalidArguments, Leave: repeatable}, Surface, Abort},
		{"tool", interpret.Outcome{Kind: interpret.UnknownTool, Remedy: interpret.RefreshTools}, Surface, Abort},
		{"version", interpret.Outcome{Kind: interpret.UnsupportedVersion, Remedy: interpret.Renegotiate, Leave: remedy}, Retry, Retry},
		{"version of a result", interpret.Outcome{Kind: interpret.UnsupportedVersion, Remedy: interpret.Renegotiate, Leave: remedy, Ran: interpret.RanYes}, Retry, Retry},
		{"no version in common", interpret.Outcome{Kind: interpret.UnsupportedVersion, Leave: always}, Abort, Abort},
		{"era", interpret.Outcome{Kind: interpret.LegacyServer, Remedy: interpret.Initialize, Leave: always}, Retry, Retry},
		{"era, perhaps run", interpret.Outcome{Kind: interpret.LegacyServer, Remedy: interpret.Initialize, Leave: repeatable}, Surface, Retry},
		{"session", interpret.Outcome{Kind: interpret.SessionLost, Remedy: interpret.Reinitialize, Leave: always}, Retry, Retry},
		{"second loss", interpret.Outcome{Kind: interpret.SessionLost, Leave: always}, Abort, Abort},
		{"headers", interpret.Outcome{Kind: interpret.HeaderMismatch, Remedy: interpret.RebuildHeaders, Leave: always}, Retry, Retry},
		{"headers as they should be", interpret.Outcome{Kind: interpret.HeaderMismatch, Leave: always}, Abort, Abort},
		{"capability", interpret.Outcome{Kind: interpret.MissingCapability, Remedy: interpret.DeclareCapability, Leave: always}, Abort, Abort},
		{"expired", interpret.Outcome{Kind: interpret.InputExpired, Remedy: interpret.RestartCall, Leave: remedy, Ran: interpret.RanNo}, Retry, Retry},
		{"expired, perhaps run", interpret.Outcome{Kind: interpret.InputExpired, Remedy: interpret.RestartCall, Leave: repeatable}, Surface, Retry},
		{"expired, sent before", interpret.Outcome{Kind: interpret.InputExpired, Remedy: interpret.RestartCall}, Surface, Abort},
		{"cursor", interpret.Outcome{Kind: interpret.InvalidCursor, Remedy: interpret.RestartList, Leave: remedy}, Retry, Retry},
		{"our bug", interpret.Outcome{Kind: interpret.InvalidRequest, Leave: always}, Abort, Abort},
		{"task refused", interpret.Outcome{Kind: interpret.InvalidRequest, Remedy: interpret.DropTask, Leave: remedy}, Retry, Retry},
		{"no method", interpret.Outcome{Kind: interpret.MethodNotFound}, Abort, Abort},
		{"no server", interpret.Outcome{Kind: interpret.NotMCP, Remedy: interpret.TryHTTPSSE}, Abort, Abort},
		{"429", interpret.Outcome{Kind: interpret.RateLimited, Leave: always}, Retry, Retry},
		{"rate in data", interpret.Outcome{Kind: interpret.RateLimited, Leave: repeatable}, Surface, Retry},
		{"503", interpret.Outcome{Kind: interpret.Unavailable, Leave: repeatable}, Surface, Retry},
		{"timeout", interpret.Outcome{Kind: interpret.Timeout, Leave: repeatable}, Surface, Retry},
		{"reset", interpret.Outcome{Kind: interpret.ConnectionLost, Leave: repeatable}, Surface, Retry},
		{"resumable", interpret.Outcome{Kind: interpret.ConnectionLost, Remedy: interpret.Resume, Leave: remedy}, Retry, Retry},
		{"500", interpret.Outcome{Kind: interpret.ServerError, Leave: repeatable, Tries: 1}, Surface, Retry},
		{"401", interpret.Outcome{Kind: interpret.Unauthorized, Remedy: interpret.Authorize, Leave: always}, Ask, Ask},
		{"scope", interpret.Outcome{Kind: interpret.InsufficientScope, Remedy: interpret.Authorize, Leave: always}, Ask, Ask},
		{"403", interpret.Outcome{Kind: interpret.Forbidden, Leave: always}, Abort, Abort},
		{"402", interpret.Outcome{Kind: interpret.PaymentRequired, Leave: always}, Ask, Ask},
		{"page", interpret.Outcome{Kind: interpret.URLElicitation, Leave: always}, Ask, Ask},
		{"no answer", interpret.Outcome{Kind: interpret.MalformedReply}, Abort, Abort},
		{"too large", interpret.Outcome{Kind: interpret.ReplyTooLarge}, Abort, Abort},
		{"cancelled", interpret.Outcome{Kind: interpret.Cancelled, Leave: always}, Abort, Abort},
		{"own code", interpret.Outcome{Kind: interpret.UnknownError, Leave: repeatable}, Surface, Abort},
		{"nothing read", interpret.Outcome{Leave: always}, Abort, Abort},
		{"later version", interpret.Outcome{Kind: "quantum_lost", Leave: always}, Abort, Abort},
		{"result", interpret.Outcome{Kind: interpret.OK}, Proceed, Proceed},
		{"task", interpret.Outcome{Kind: interpret.Task}, Proceed, Proceed},
	} {
		for _, v := range []struct {
			req  interpret.Request
			want Action
		}{{toolCall, c.onCall}, {toolList, c.onList}} {
			if d := new(Policy).Decide(v.req, c.o, State{}); d.Action != v.want {
				t.Errorf("%s, %s: %v (%s, %s); want %v", c.name, v.req.Method, d.Action, d.Rule, d.Reason, v.want)
			}
		}
	}
}

func TestEveryKindHasALastRow(t *testing.T) {
	for _, k := range interpret.Kinds() {
		rows := byKind[k]
		if len(rows) == 0 || rows[len(rows)-1].when != nil {
			t.Errorf("%v: no row that always holds", k)
		}
		for _, r := range rows {
			if (r.when == nil) != (r.Where == "") || r.Says == "" {
				t.Errorf("%v: a row does not say what it is", k)
			}
		}
	}
}

func TestGates(t *testing.T) {
	busy := interpret.Outcome{Kind: interpret.Unavailable, Leave: interpret.LeaveRepeatable}
	cannot := func(interpret.Remedy) bool { return false }
	for _, c := range []struct {
		name string
		req  interpret.Request
		o    interpret.Outcome
		s    State
		want Stop
	}{
		{"passes", toolList, busy, State{}, ""},
		{"context before all", toolList, interpret.Outcome{Kind: interpret.ToolError}, State{Done: context.Canceled, Final: true}, StopContext},
		{"sender before all others", toolList, interpret.Outcome{Kind: interpret.ToolError}, State{Final: true}, StopFinal},
		{"sender, whatever the reply allows", toolList, interpret.Outcome{Kind: interpret.Unavailable, Ran: interpret.RanNo, Leave: interpret.LeaveAlways}, State{Final: true}, StopFinal},
		{"action before safety", toolCall, interpret.Outcome{Kind: interpret.ToolError}, State{}, StopAction},
		{"safety before attempts", toolCall, busy, State{Attempt: 4}, StopUnsafe},
		{"vouched", toolCall, busy, State{Vouched: true}, ""},
		{"vouching is for tools", interpret.Request{Method: "x/y", ID: "1"}, busy, State{Vouched: true}, StopUnsafe},
		{"nested", toolList, busy, State{Nested: true}, StopNested},
		{"attempts before hint", toolList, interpret.Outcome{Kind: interpret.RateLimited, Leave: interpret.LeaveAlways, RetryAfter: time.Hour}, State{Attempt: 4}, StopAttempts},
		{"the third resend", toolList, busy, State{Attempt: 3}, ""},
		{"sends", toolList, busy, State{Attempt: 2, Sends: 8}, StopSends},
		{"sends, less one", toolList, busy, State{Attempt: 2, Sends: 7}, ""},
		{"rounds are no sends", toolCall, interpret.Outcome{Kind: interpret.InputRequired, Remedy: interpret.EchoState, Leave: interpret.LeaveAlways},
			State{Attempt: 8, Sends: 8, Spent: map[interpret.Remedy]int{interpret.EchoState: 7}}, ""},
		{"rounds end", toolCall, interpret.Outcome{Kind: interpret.InputRequired, Remedy: interpret.EchoState, Leave: interpret.LeaveAlways},
			State{Attempt: 9, Sends: 9, Spent: map[interpret.Remedy]int{interpret.EchoState: 5, AnswerInput: 3}}, StopRemedy},
		{"tries of the reply", toolList, interpret.Outcome{Kind: interpret.ServerError, Leave: interpret.LeaveRepeatable, Tries: 1},
			State{Attempt: 2, After: map[interpret.Kind]int{interpret.ServerError: 1}}, StopAttempts},
		{"tries of another kind", toolList, interpret.Outcome{Kind: interpret.ServerError, Leave: interpret.LeaveRepeatable, Tries: 1},
			State{Attempt: 2, After: map[interpret.Kind]int{interpret.Unavailable: 1}}, ""},
		{"remedy absent", toolList, interpret.Outcome{Kind: interpret.SessionLost, Remedy: interpret.Reinitialize, Leave: interpret.LeaveAlways}, State{Can: cannot}, StopRemedy},
		{"remedy spent", toolList, interpret.Outcome{Kind: interpret.SessionLost, Remedy: interpret.Reinitialize, Leave: interpret.LeaveAlways},
			State{Attempt: 2, Spent: map[interpret.Remedy]int{interpret.Reinitialize: 1}}, StopRemedy},
		{"resume absent, repeatable", toolList, interpret.Outcome{Kind: interpret.ConnectionLost, Remedy: interpret.Resume, Leave: interpret.LeaveRemedy}, State{Can: cannot}, ""},
		{"resume absent, not repeatable", toolCall, interpret.Outcome{Kind: interpret.ConnectionLost, Remedy: interpret.Resume, Leave: interpret.LeaveRemedy}, State{Can: cannot}, StopUnsafe},
		{"asking, nobody to ask", toolCall, interpret.Outcome{Kind: interpret.Unauthorized, Remedy: interpret.Authorize, Leave: interpret.LeaveAlways}, State{Can: cannot}, StopAction},
		{"asking, without a remedy", toolCall, interpret.Outcome{Kind: interpret.PaymentRequired, Leave: interpret.LeaveAlways}, State{}, StopAction},
		{"asking", toolCall, interpret.Outcome{Kind: interpret.Unauthorized, Remedy: interpret.Authorize, Leave: interpret.LeaveAlways}, State{}, ""},
		{"signed in, refused again", toolCall, interpret.Outcome{Kind: interpret.Unauthorized, Remedy: interpret.Authorize, Leave: interpret.LeaveAlways},
			State{Attempt: 2, Spent: map[interpret.Remedy]int{interpret.Authorize: 1}}, StopRemedy},
		{"scope after sign-in, third", toolCall, interpret.Outcome{Kind: interpret.InsufficientScope, Remedy: interpret.Authorize, Leave: interpret.LeaveAlways},
			State{Attempt: 4, Spent: map[interpret.Remedy]int{interpret.Authorize: 3}, After: map[interpret.Kind]int{interpret.Unauthorized: 1}}, ""},
		{"scope, fourth", toolCall, interpret.Outcome{Kind: interpret.InsufficientScope, Remedy: interpret.Authorize, Leave: interpret.LeaveAlways},
			State{Attempt: 4, Spent: map[interpret.Remedy]int{interpret.Authorize: 3}}, StopRemedy},
		{"hint at the cap", toolList, interpret.Outcome{Kind: interpret.RateLimited, Leave: interpret.LeaveAlways, RetryAfter: time.Minute}, State{}, ""},
		{"hint over the cap", toolList, interpret.Outcome{Kind: interpret.RateLimited, Leave: interpret.LeaveAlways, RetryAfter: 61 * time.Second}, State{}, StopHint},
		{"another call was told to wait", toolList, busy, State{Now: start, NotBefore: start.Add(24 * time.Hour)}, ""},
		{"hint before budget", toolList, interpret.Outcome{Kind: interpret.RateLimited, Leave: interpret.LeaveAlways, RetryAfter: time.Hour}, State{Tokens: new(0.0)}, StopHint},
		{"budget", toolList, busy, State{Tokens: new(0.9)}, StopBudget},
		{"budget, just enough", toolList, busy, State{Tokens: new(1.0)}, ""},
		{"a mended request is free", toolList, interpret.Outcome{Kind: interpret.SessionLost, Remedy: interpret.Reinitialize, Leave: interpret.LeaveAlways}, State{Tokens: new(0.0)}, ""},
		{"budget before deadline", toolList, busy, State{Now: start, Deadline: start, Tokens: new(0.0)}, StopBudget},
		{"deadline", toolList, busy, State{Now: start, Deadline: start.Add(250 * time.Millisecond), Rand: half}, StopDeadline},
		{"deadline, just enough", toolList, busy, State{Now: start, Deadline: start.Add(251 * time.Millisecond), Rand: half}, ""},
		{"a notification", interpret.Request{Method: "notifications/initialized"}, interpret.Outcome{Kind: interpret.RateLimited, Leave: interpret.LeaveAlways}, State{}, StopUnsafe},
		{"a notification of a lost session", interpret.Request{Method: "notifications/x"}, interpret.Outcome{Kind: interpret.SessionLost, Remedy: interpret.Reinitialize, Leave: interpret.LeaveAlways}, State{}, ""},
		{"no request", interpret.Request{}, interpret.Outcome{Kind: interpret.RateLimited, Leave: interpret.LeaveAlways}, State{}, StopUnsafe},
	} {
		d := new(Policy).Decide(c.req, c.o, c.s)
		if d.Stop != c.want {
			t.Errorf("%s: stop %q (%s); want %q", c.name, d.Stop, d.Reason, c.want)
		}
		if c.want != "" && !errors.Is(d.Stop, c.want) {
			t.Errorf("%s: errors.Is does not find the stop", c.name)
		}
		if d.Reason == "" || d.Rule == "" {
			t.Errorf("%s: no reason or no rule", c.name)
		}
	}
}

func TestDelay(t *testing.T) {
	busy := interpret.Outcome{Kind: interpret.Unavailable, Leave: interpret.LeaveRepeatable}
	asks := func(d time.Duration) interpret.Outcome {
		return interpret.Outcome{Kind: interpret.RateLimited, Leave: interpret.LeaveAlways, RetryAfter: d}
	}
	patient := &Policy{Attempts: 100, Sends: 100}
	for _, c := range []struct {
		name string
		o    interpret.Outcome
		s    State
		want time.Duration
	}{
		{"first, no chance", busy, State{}, 500 * time.Millisecond},
		{"first", busy, State{Rand: half}, 250 * time.Millisecond},
		{"third", busy, State{Attempt: 3, Rand: half}, time.Second},
		{"top", busy, State{Attempt: 90, Rand: half}, 15 * time.Second},
		{"wish, no chance", asks(5 * time.Second), State{}, 5 * time.Second},
		{"wish and jitter", asks(2 * time.Second), State{Rand: half}, 2250 * time.Millisecond},
		{"long wish, wider jitter", asks(40 * time.Second), State{Rand: half}, 42 * time.Second},
		{"backoff above the wish", asks(time.Second), State{Attempt: 6, Rand: half}, 8 * time.Second},
		{"not before", busy, State{Now: start, NotBefore: start.Add(10 * time.Second), Rand: half}, 10*time.Second + 500*time.Millisecond},
		{"not before, no longer than is waited at all", busy, State{Now: start, NotBefore: start.Add(24 * time.Hour), Rand: half}, 63 * time.Second},
		{"not before, past", busy, State{Now: start, NotBefore: start.Add(-time.Second), Rand: half}, 250 * time.Millisecond},
		{"a mended request goes at once", interpret.Outcome{Kind: interpret.SessionLost, Remedy: interpret.Reinitialize, Leave: interpret.LeaveAlways}, State{}, 0},
		{"echoed state is paced", interpret.Outcome{Kind: interpret.InputRequired, Remedy: interpret.EchoState, Leave: interpret.LeaveAlways},
			State{Attempt: 4, Spent: map[interpret.Remedy]int{interpret.EchoState: 3}, Rand: half}, 2 * time.Second},
		{"amended attempts do not slow plain ones", busy, State{Attempt: 3, Spent: map[interpret.Remedy]int{interpret.Reinitialize: 1, interpret.Renegotiate: 1}, Rand: half}, 250 * time.Millisecond},
	} {
		req := toolList
		if d := patient.Decide(req, c.o, c.s); d.Delay != c.want || d.Stop != "" {
			t.Errorf("%s: delay %v, stop %q; want %v", c.name, d.Delay, d.Stop, c.want)
		}
	}
}

func TestDelayOfWhatIsNotSentAgain(t *testing.T) {
	asks := interpret.Outcome{Kind: interpret.RateLimited, Leave: interpret.LeaveAlways, RetryAfter: 2 * time.Second}
	busy := interpret.Outcome{Kind: interpret.Unavailable, Leave: interpret.LeaveRepeatable}
	soon := State{Now: start, Deadline: start.Add(time.Millisecond), Rand: half}
	for _, c := range []struct {
		name string
		o    interpret.Outcome
		s    State
		want time.Duration
	}{
		{"what the server asked", asks, State{Attempt: 4}, 2 * time.Second},
		{"nothing, if it did not ask", busy, State{Attempt: 4}, 0},
		{"what does not fit", busy, soon, 250 * time.Millisecond},
		{"what does not fit, asked for", asks, soon, 2250 * time.Millisecond},
	} {
		if d := new(Policy).Decide(toolList, c.o, c.s); d.Stop == "" || d.Delay != c.want {
			t.Errorf("%s: %v, stop %q; want %v", c.name, d.Delay, d.Stop, c.want)
		}
	}
}

func TestRules(t *testing.T) {
	busy := Rule{Name: "busy", Codes: []int64{-32050}, Tools: []string{"search", "fetch"}, Action: Retry, Tries: 2, MinDelay: 3 * time.Second}
	p := new(Policy).With(Rule{Name: "older", Codes: []int64{-32050}, Action: Surface}).With(busy)
	own := interpret.Outcome{Kind: interpret.UnknownError, Code: -32050, HasCode: true, Leave: interpret.LeaveRepeatable}
	for _, c := range []struct {
		name string
		req  interpret.Request
		o    interpret.Outcome
		s    State
		want Action
		rule string
	}{
		{"newest first", toolCall, own, State{Vouched: true}, Retry, "busy"},
		{"not without leave", toolCall, own, State{}, Surface, "busy"},
		{"tries", toolCall, own, State{Vouched: true, Attempt: 3, By: map[string]int{"busy": 2}}, Surface, "busy"},
		{"every member has to match", interpret.Request{Method: "tools/call", ID: "1", Target: "pay"}, own, State{Vouched: true}, Surface, "older"},
		{"a tool is no prompt", interpret.Request{Method: "prompts/get", ID: "1", Target: "search"}, own, State{}, Surface, "older"},
		{"no code, no match", toolCall, interpret.Outcome{Kind: interpret.UnknownError}, State{}, Surface, "default/unknown_error"},
		{"surface is abort without a model", toolList, own, State{}, Abort, "older"},
	} {
		d := p.Decide(c.req, c.o, c.s)
		if d.Action != c.want || d.Rule != c.rule {
			t.Errorf("%s: %v by %q; want %v by %q", c.name, d.Action, d.Rule, c.want, c.rule)
		}
		if d.Action == Retry && d.Delay != 3*time.Second {
			t.Errorf("%s: delay %v; want the rule's minimum", c.name, d.Delay)
		}
	}
	if got := (&Rule{Statuses: []int{503, 502, 503}, Kinds: []interpret.Kind{interpret.Unavailable}}).String(); got != "kinds[unavailable] statuses[502 503]" {
		t.Errorf("a rule without a name is called %q", got)
	}
	proceed := new(Policy).With(Rule{Action: Proceed})
	if d := proceed.Decide(toolCall, own, State{}); d.Action != Abort {
		t.Errorf("a rule made a result of a fault: %v", d.Action)
	}
}

func TestFloor(t *testing.T) {
	p := &Policy{Floor: "2025-06-18"}
	o := interpret.Outcome{Kind: interpret.UnsupportedVersion, Remedy: interpret.Renegotiate, Leave: interpret.LeaveRemedy, Supported: []string{"2024-11-05", "2025-03-26"}}
	if d := p.Decide(toolCall, o, State{}); d.Action != Surface || d.Remedy != interpret.Renegotiate {
		t.Errorf("below the floor: %v, remedy %q", d.Action, d.Remedy)
	}
	o.Supported = append(o.Supported, "2025-06-18")
	if d := p.Decide(toolCall, o, State{}); d.Action != Retry {
		t.Errorf("at the floor: %v, %s", d.Action, d.Reason)
	}
	legacy := interpret.Outcome{Kind: interpret.LegacyServer, Remedy: interpret.Initialize, Leave: interpret.LeaveAlways}
	if d := (&Policy{Floor: "2026-07-28"}).Decide(toolList, legacy, State{}); d.Stop != StopRemedy {
		t.Errorf("a handshake below the floor: %v, %s", d.Action, d.Reason)
	}
}

func TestNilAndZeroPolicy(t *testing.T) {
	o := interpret.Outcome{Kind: interpret.RateLimited, Leave: interpret.LeaveAlways, RetryAfter: time.Second}
	want := DefaultPolicy().Decide(toolCall, o, State{})
	for _, p := range []*Policy{nil, {}, (*Policy)(nil).With(), {Attempts: -1, HintCap: -1, Deposit: -1}} {
		if d := p.Decide(toolCall, o, State{}); d != want {
			t.Errorf("%+v: %+v; want %+v", p, d, want)
		}
	}
	if !(*Policy)(nil).AllowsVersion("") {
		t.Error("nil has a floor")
	}
}

func TestExplain(t *testing.T) {
	p := new(Policy).With(Rule{Name: "busy", Codes: []int64{-32050}, Action: Retry})
	o := interpret.Outcome{Kind: interpret.UnknownError, Code: -32050, HasCode: true, Leave: interpret.LeaveRepeatable, Message: "secret"}
	got := strings.Join(p.Explain(toolCall, o, State{Vouched: true}), "\n")
	want := `choice: retry by busy: a rule of the host says so
gate context: the caller still waits
gate sender: the sender says nothing against it
gate action: a resend was chosen
gate replay safety: the host vouches that the tool may run twice
gate owner: this loop owns the call
gate remedy: no remedy is carried out
gate attempts: attempt 1 of 4
gate sends: requests sent for this call: 1, of 8
gate hint: the server asks for no wait
gate budget: the budget is full
gate deadline: there is no deadline
decision: retry, delay 500ms`
	if got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	got = strings.Join(p.Explain(toolCall, o, State{}), "\n")
	if !strings.HasSuffix(got, "gate replay safety: it may have run, and nobody vouches that it may run twice\ndecision: surface") {
		t.Errorf("got:\n%s", got)
	}
}

func TestActionText(t *testing.T) {
	for a := Abort; a <= Proceed; a++ {
		var b Action = 99
		text, _ := a.MarshalText()
		if err := b.UnmarshalText(text); err != nil || a != b {
			t.Errorf("%v: %v, %v", a, b, err)
		}
	}
	var a Action
	if a != Abort || Action(99).String() != "abort" || a.UnmarshalText([]byte("Retry")) == nil {
		t.Error("the zero value, an unheard-of value or another spelling is not refused")
	}
}

// What a host says in code overrules what was configured; the contradiction is its right.
func TestWithOverrules(t *testing.T) {
	configured := new(Policy).With(Rule{Name: "file", Codes: []int64{7}, Action: Surface})
	p := configured.With(Rule{Name: "host", Codes: []int64{7}, Action: Ask})
	o := interpret.Outcome{Kind: interpret.UnknownError, Code: 7, HasCode: true}
	for want, p := range map[string]*Policy{"host": p, "file": configured} {
		if d := p.Decide(interpret.Request{Method: "ping"}, o, State{}); d.Rule != want {
			t.Errorf("rule %q decided, want %q", d.Rule, want)
		}
	}
}
