package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/mcperr/mcperr/internal/proto"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

func TestInputIsAnsweredAndTheStateEchoed(t *testing.T) {
	const state = `"a\u0062 \/ 😀<"` // must come back byte for byte
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method != "tools/call" {
			return false
		}
		switch n {
		case 1:
			q.reply(w, `{"resultType":"input_required","requestState":`+state+`,"inputRequests":{"k<":{"method":"elicitation/create","params":{"message":"which?"}}}}`)
		case 2:
			q.reply(w, `{"resultType":"input_required","requestState":"second"}`)
		default:
			return false
		}
		return true
	})
	c := s.dial(t, Options{
		Capabilities: map[string]any{"elicitation": map[string]any{}},
		Handlers: map[string]Handler{"elicitation/create": func(context.Context, json.RawMessage) (any, error) {
			return map[string]any{"action": "accept"}, nil
		}},
	})
	proceeds(t, c.CallTool(within(t), "act", map[string]any{"n": 1}))
	q := s.got("tools/call")
	if len(q) != 3 || string(q[0].ID) == string(q[1].ID) || string(q[1].ID) == string(q[2].ID) {
		t.Fatalf("%d calls", len(q))
	}
	if p := string(q[1].Params); !strings.Contains(p, `"requestState":`+state) || !strings.Contains(p, `"inputResponses":{"k<":{"action":"accept"}}`) || !strings.Contains(p, `"arguments":{"n":1}`) {
		t.Errorf("second round: %s", p)
	}
	if p := string(q[2].Params); !strings.Contains(p, `"requestState":"second"`) || strings.Contains(p, "inputResponses") {
		t.Errorf("third round: %s", p)
	}
}

func TestRoundsOfInputAreBounded(t *testing.T) {
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method == "tools/call" {
			q.reply(w, fmt.Sprintf(`{"resultType":"input_required","requestState":"%d"}`, n))
		}
		return q.Method == "tools/call"
	})
	a := s.dial(t, Options{}).CallTool(within(t), "act", nil)
	if n := len(s.got("tools/call")); n != 1+retry.DefaultInputRounds || a.Decision.Action == retry.Proceed {
		t.Errorf("%d rounds, %v", n, a.Decision)
	}
}

func TestInputWithoutAHandlerIsTheHostsToAnswer(t *testing.T) {
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method == "tools/call" {
			q.reply(w, `{"resultType":"input_required","inputRequests":{"k":{"method":"elicitation/create","params":{"message":"which?"}}}}`)
		}
		return q.Method == "tools/call"
	})
	c := s.dial(t, Options{Capabilities: map[string]any{"elicitation": map[string]any{}}})
	if a := c.CallTool(within(t), "act", nil); a.Outcome.Kind != interpret.InputRequired || a.Decision.Action != retry.Ask || len(s.got("tools/call")) != 1 {
		t.Errorf("%v %v", a.Outcome.Kind, a.Decision)
	}
}

func TestExpiredStateRestartsTheCall(t *testing.T) {
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		switch {
		case q.Method == "tools/call" && n == 1:
			q.reply(w, `{"resultType":"input_required","requestState":"old"}`)
		case q.Method == "tools/call" && n == 2:
			q.fault(w, 200, -32602, "the state has expired", "")
		default:
			return false
		}
		return true
	})
	proceeds(t, s.dial(t, Options{}).CallTool(within(t), "act", nil))
	if q := s.got("tools/call"); len(q) != 3 || strings.Contains(string(q[2].Params), "requestState") {
		t.Errorf("%d calls, the last with %s", len(q), q[len(q)-1].Params)
	}
}

func TestAuthorizeAsksOnceForParallelCalls(t *testing.T) {
	var asked atomic.Int32
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if r.Header.Get("Authorization") == "Bearer good" {
			return false
		}
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="https://example.com/meta", scope="read"`)
		w.WriteHeader(http.StatusUnauthorized)
		return true
	})
	c := s.dialAs(t, HTTP{URL: s.URL, Header: http.Header{"Authorization": {"Bearer stale"}}}, Options{
		Authorize: func(_ context.Context, challenge Challenge) (http.Header, error) {
			asked.Add(1)
			if challenge.ResourceMetadata != "https://example.com/meta" || !slices.Equal(challenge.Scopes, []string{"read"}) {
				t.Errorf("%+v", challenge)
			}
			return http.Header{"Authorization": {"Bearer good"}}, nil
		},
	})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			if a := c.CallTool(within(t), "act", nil); a.Decision.Action != retry.Proceed {
				t.Errorf("%v %+v", a.Decision, a.Err())
			}
		})
	}
	wg.Wait()
	if asked.Load() != 1 {
		t.Errorf("asked %d times", asked.Load())
	}
}

func TestAuthorizeForTheUnionOfScopes(t *testing.T) {
	var asked [][]string
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method != "tools/call" || n > 3 {
			return false
		}
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="`+[]string{"", "a", "b a", "c"}[n]+`"`)
		w.WriteHeader(http.StatusForbidden)
		return true
	})
	c := s.dial(t, Options{Authorize: func(_ context.Context, challenge Challenge) (http.Header, error) {
		asked = append(asked, challenge.Scopes)
		return http.Header{"Authorization": {"Bearer x"}}, nil
	}})
	proceeds(t, c.CallTool(within(t), "act", nil))
	if got := fmt.Sprint(asked); got != "[[a] [a b] [a b c]]" {
		t.Errorf("asked for %s", got)
	}
}

func TestAuthorizeEndsWhereNothingIsWider(t *testing.T) {
	asked := 0
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method != "tools/call" {
			return false
		}
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="admin"`)
		w.WriteHeader(http.StatusForbidden)
		return true
	})
	c := s.dial(t, Options{Authorize: func(context.Context, Challenge) (http.Header, error) {
		asked++
		return http.Header{"Authorization": {"Bearer x"}}, nil
	}})
	if a := c.CallTool(within(t), "act", nil); !errors.Is(a.Err(), errNotWider) || !errors.Is(a.Err(), interpret.InsufficientScope) || asked != 1 {
		t.Errorf("%v, asked %d times", a.Err(), asked)
	}
}

func TestScopesThatNeverEndAreForgotten(t *testing.T) {
	most, named := 0, 0
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method != "tools/call" {
			return false
		}
		var scopes strings.Builder
		for range 200 {
			named++
			fmt.Fprintf(&scopes, "s%d ", named)
		}
		w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="`+scopes.String()+`"`)
		w.WriteHeader(http.StatusForbidden)
		return true
	})
	c := s.dial(t, Options{Authorize: func(_ context.Context, challenge Challenge) (http.Header, error) {
		most = max(most, len(challenge.Scopes))
		return http.Header{"Authorization": {"Bearer x"}}, nil
	}})
	for range 5 {
		c.CallTool(within(t), "act", nil)
	}
	if named < 2*mostScopes || most > mostScopes || most < 200 {
		t.Errorf("of %d scopes %d were asked for at once", named, most)
	}
}

func TestAuthorizeThatFailsEndsTheCall(t *testing.T) {
	refused := errors.New("the user said no")
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		w.WriteHeader(http.StatusUnauthorized)
		return true
	})
	c := s.dial(t, Options{Authorize: func(context.Context, Challenge) (http.Header, error) { return nil, refused }})
	if a := c.CallTool(within(t), "act", nil); !errors.Is(a.Err(), refused) || !errors.Is(a.Err(), interpret.Unauthorized) || len(s.got()) != 1 {
		t.Errorf("%v, %d requests", a.Err(), len(s.got()))
	}
}

const mirroringTool = `{"resultType":"complete","tools":[
 {"name":"act","inputSchema":{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"},
  "deep":{"type":"object","properties":{"n":{"type":"integer","x-mcp-header":"N"}}},"on":{"type":"boolean","x-mcp-header":"On"},"none":{"type":"string","x-mcp-header":"None"}}}},
 {"name":"bad","inputSchema":{"type":"object","properties":{"x":{"type":"number","x-mcp-header":"X"}}}},
 {"name":"twice","inputSchema":{"type":"object","properties":{"x":{"type":"string","x-mcp-header":"X"},"y":{"type":"string","x-mcp-header":"x"}}}},
 {"name":"schemaless"},{"inputSchema":{"type":"object"}},7,
 {"name":"act","inputSchema":{"type":"object"}},
 {"name":"plain","inputSchema":{"type":"object"}}]}`

// The schema of a tool that was never listed is not known: the server's refusal of the headers leads to it.
func TestParametersAreMirroredOnceTheSchemaIsKnown(t *testing.T) {
	executions := 0
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		switch q.Method {
		case "tools/list":
			q.reply(w, mirroringTool)
			return true
		case "tools/call":
			if q.header.Get("Mcp-Param-Region") == "" {
				q.fault(w, 400, -32020, "headers", "")
				return true
			}
			executions++
		}
		return false
	})
	c := s.dial(t, Options{})
	arguments := map[string]any{"region": "Straße ", "deep": map[string]any{"n": 42}, "on": true, "none": nil}
	proceeds(t, c.CallTool(within(t), "act", arguments))
	q := s.got("tools/call")
	want := map[string]string{"Mcp-Param-Region": "=?base64?U3RyYcOfZSA=?=", "Mcp-Param-N": "42", "Mcp-Param-On": "true", "Mcp-Param-None": ""}
	for name, want := range want {
		if got := q[len(q)-1].header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if executions != 1 || len(q) != 2 {
		t.Errorf("%d executions, %d calls", executions, len(q))
	}
	proceeds(t, c.CallTool(within(t), "act", arguments))
	if n := len(s.got("tools/list")); n != 1 {
		t.Errorf("listed %d times", n)
	}
}

func TestBadToolsAreSkippedAndNamed(t *testing.T) {
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method == "tools/list" {
			q.reply(w, mirroringTool)
		}
		return q.Method == "tools/list"
	})
	l := s.dial(t, Options{}).ListTools(within(t))
	if l.Err() != nil {
		t.Fatal(l.Err())
	}
	if got := fmt.Sprint(l.names()); got != "[act plain]" {
		t.Errorf("tools %s", got)
	}
	var skipped []string
	for _, e := range l.Skipped {
		skipped = append(skipped, fmt.Sprintf("%d %s", e.Index, e.Name))
	}
	if got := strings.Join(skipped, ", "); got != "1 bad, 2 twice, 3 schemaless, 4 , 5 , 6 act" {
		t.Errorf("skipped %s", got)
	}
}

func TestDraftsCapabilityIsDeclared(t *testing.T) {
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method == "tools/call" && string(q.meta[proto.MetaCapabilities]) == "{}" {
			q.fault(w, 400, -32021, "needs it", `{"requiredCapabilities":{"sampling":{}}}`)
			return true
		}
		return false
	})
	// By default the call ends; a host that can declare more says so with a rule.
	rule := retry.Rule{Name: "declare", Kinds: []interpret.Kind{interpret.MissingCapability}, Action: retry.Retry}
	c := s.dial(t, Options{Vouch: []string{"act"}, Policy: quickly().With(rule), Declare: func(_ context.Context, required []string) (any, error) {
		if !slices.Equal(required, []string{"sampling"}) {
			t.Errorf("required %v", required)
		}
		return map[string]any{"sampling": struct{}{}}, nil
	}})
	proceeds(t, c.CallTool(within(t), "act", nil))
}

func TestDeclareAsksOnceForParallelCalls(t *testing.T) {
	for _, modern := range []bool{true, false} {
		const calls = 8
		var asked, refused atomic.Int32
		all := make(chan struct{})
		s := newScript(t, modern, nil)
		s.on = func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
			lacking := modern && string(q.meta[proto.MetaCapabilities]) == "{}" || !modern && r.Header.Get("Mcp-Session-Id") == "s-1"
			if q.Method != "tools/call" || !lacking {
				return false
			}
			if refused.Add(1) == calls {
				close(all)
			}
			<-all
			q.fault(w, 400, -32021, "needs it", `{"requiredCapabilities":{"elicitation":{"form":{}}}}`)
			return true
		}
		rule := retry.Rule{Name: "declare", Kinds: []interpret.Kind{interpret.MissingCapability}, Action: retry.Retry}
		c := s.dial(t, Options{Vouch: []string{"act"}, Policy: quickly().With(rule), Declare: func(context.Context, []string) (any, error) {
			asked.Add(1)
			return map[string]any{"elicitation": map[string]any{"form": struct{}{}}}, nil
		}})
		proceeds(t, c.Connect(within(t)))
		var wg sync.WaitGroup
		for range calls {
			wg.Go(func() {
				if a := c.CallTool(within(t), "act", nil); a.Decision.Action != retry.Proceed {
					t.Errorf("%v %+v", a.Decision, a.Err())
				}
			})
		}
		wg.Wait()
		if asked.Load() != 1 {
			t.Errorf("modern %v: asked %d times", modern, asked.Load())
		}
	}
}

func TestRemediesOfTheHost(t *testing.T) {
	remedy := func(context.Context, *retry.Call) error { return nil }
	replaced := 0
	for _, name := range append(interpret.Remedies(), retry.AnswerInput, retry.OpenURL, "unheard_of") {
		c, err := New(HTTP{URL: "http://127.0.0.1"}, Options{Remedies: map[interpret.Remedy]retry.RemedyFunc{name: remedy}})
		if err == nil {
			c.Close()
			replaced++
		} else if !strings.Contains(err.Error(), string(name)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if replaced != len(replaceable) {
		t.Errorf("%d remedies can be replaced, want %d", replaced, len(replaceable))
	}

	// The host signs in below this package: the client sends again, and what the function does to the request changes nothing.
	signedIn := false
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if !signedIn {
			w.Header().Set("WWW-Authenticate", "Bearer")
			w.WriteHeader(http.StatusUnauthorized)
		}
		return !signedIn
	})
	c := s.dial(t, Options{Remedies: map[interpret.Remedy]retry.RemedyFunc{interpret.Authorize: func(_ context.Context, c *retry.Call) error {
		signedIn = true
		c.Request.Body, c.Request.Version = []byte("not this"), "1999-01-01"
		return nil
	}}})
	proceeds(t, c.CallTool(within(t), "act", nil))
	if q := s.got("tools/call"); len(q) != 1 || q[0].header.Get("MCP-Protocol-Version") != "2026-07-28" {
		t.Errorf("the server got %s", s.order())
	}
}
