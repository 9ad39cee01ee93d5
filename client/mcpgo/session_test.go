package mcpgo_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcperr/mcperr/client/mcpgo"
	"github.com/mcperr/mcperr/internal/adapt/adapttest"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

func fast() *retry.Loop {
	return &retry.Loop{Policy: &retry.Policy{FirstDelay: time.Millisecond, HintCap: time.Second}}
}

var initialize = mcp.InitializeRequest{Params: mcp.InitializeParams{ClientInfo: mcp.Implementation{Name: "host", Version: "1"}}}

func connect(t *testing.T, s *adapttest.Server, loop *retry.Loop) *mcpgo.Session {
	t.Helper()
	session, err := mcpgo.Connect(t.Context(), s.URL, initialize, loop)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

func call(name string) mcp.CallToolRequest {
	return mcp.CallToolRequest{Params: mcp.CallToolParams{Name: name, Arguments: map[string]any{}}}
}

var down = adapttest.Reply{Status: 503}

func TestEveryAttemptHasAnIDOfItsOwn(t *testing.T) {
	s := adapttest.New(t, true)
	session := connect(t, s, fast())
	s.Say("tools/list", down, down)
	if _, a := session.ListTools(t.Context()); a.Err() != nil || len(a.Attempts) != 3 {
		t.Errorf("%v after %d attempts", a.Err(), len(a.Attempts))
	}
	s.Say("tools/list", down, down)
	if _, err := session.Client().ListTools(t.Context(), mcp.ListToolsRequest{}); err != nil {
		t.Error(err)
	}
	var ids []string
	for _, r := range s.Got("tools/list") {
		ids = append(ids, r.ID)
	}
	if slices.Sort(ids); len(ids) != 6 || len(slices.Compact(ids)) != 6 {
		t.Errorf("ids %v", ids)
	}
}

func TestToolIsNotSentAgainUnlessTheHostVouches(t *testing.T) {
	s := adapttest.New(t, true)
	loop := fast()
	loop.Vouch = func(r interpret.Request) bool { return r.Target == "twice" }
	session := connect(t, s, loop)
	s.Say("tools/call", down)
	_, a := session.CallTool(t.Context(), call("t"))
	if a.Outcome.Kind != interpret.Unavailable || a.Decision.Action != retry.Surface || a.Decision.Stop != retry.StopUnsafe || len(a.Attempts) != 1 {
		t.Errorf("%+v", a.Decision)
	}
	s.Say("tools/call", down)
	if r, a := session.CallTool(t.Context(), call("twice")); a.Err() != nil || len(a.Attempts) != 2 || r == nil {
		t.Errorf("%v after %d attempts", a.Err(), len(a.Attempts))
	}
}

func TestErrorsReachBothWays(t *testing.T) {
	s := adapttest.New(t, true)
	session := connect(t, s, fast())
	s.Say("tools/call", adapttest.Error(400, -32602, `{"field":"x"}`))
	_, err := session.Client().CallTool(t.Context(), call("t"))
	var e *interpret.Error
	if !errors.As(err, &e) || e.Kind != interpret.InvalidArguments || e.Status != 400 || string(e.Data) != `{"field":"x"}` {
		t.Errorf("%+v", err)
	}
	if !errors.Is(err, mcp.ErrInvalidParams) {
		t.Errorf("mcp-go's own error is lost: %v", err)
	}
	a := mcpgo.Answer(nil, err)
	if a.Decision.Action != retry.Surface || a.ForModel() == "" {
		t.Errorf("%+v", a)
	}
}

func TestResultsKeepTheirType(t *testing.T) {
	s := adapttest.New(t, true)
	session := connect(t, s, fast())
	s.Say("tools/call", adapttest.Result(`{"resultType":"complete","isError":true,"content":[{"type":"text","text":"bad date"}]}`))
	r, err := session.Client().CallTool(t.Context(), call("t"))
	if err != nil || !r.IsError {
		t.Fatalf("%+v %v", r, err)
	}
	if a := mcpgo.Answer(r, err); a.Outcome.Kind != interpret.ToolError || a.Decision.Action != retry.Surface || a.Outcome.Ran != interpret.RanYes {
		t.Errorf("%+v", a)
	}
	r, err = session.Client().CallTool(t.Context(), call("t"))
	if a := mcpgo.Answer(r, err); a.Decision.Action != retry.Proceed {
		t.Errorf("%+v", a)
	}
}

func TestWhatMCPGoTakesForAnAnswerAndIsNone(t *testing.T) {
	s := adapttest.New(t, true)
	session := connect(t, s, fast())
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"surprise","content":[]}}`,
		`{"jsonrpc":"2.0","id":99999,"result":{"content":[]}}`,
	} {
		s.Say("tools/call", adapttest.Reply{Body: body}, adapttest.Reply{Header: map[string]string{"Content-Type": "text/event-stream"}, Body: "data: " + body + "\n\n"})
		for range 2 {
			if r, a := session.CallTool(t.Context(), call("t")); r != nil || a.Err() == nil || a.Outcome.Kind != interpret.MalformedReply {
				t.Errorf("%s: %+v %s", body, r, a.Outcome.Kind)
			}
		}
	}
}

func TestStateIsEchoed(t *testing.T) {
	s := adapttest.New(t, true)
	session := connect(t, s, fast())
	s.Say("tools/call", adapttest.Result(`{"resultType":"input_required","requestState":"a\/b<&>"}`))
	r, err := session.Client().CallTool(t.Context(), call("t"))
	if err != nil || len(r.Content) != 1 {
		t.Fatalf("%+v %v", r, err)
	}
	got := s.Got("tools/call")
	var p struct {
		State string `json:"requestState"`
	}
	if json.Unmarshal(got[len(got)-1].Params, &p); len(got) != 2 || p.State != "a/b<&>" {
		t.Errorf("%d sent, the last with %+v", len(got), p)
	}
}

func TestLostSessionIsReplacedOnceForAll(t *testing.T) {
	s := adapttest.New(t, false)
	session := connect(t, s, fast())
	s.Forget()
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if _, a := session.CallTool(t.Context(), call("t")); a.Err() != nil {
				t.Error(a.Err())
			}
		})
	}
	wg.Wait()
	if n := len(s.Got("initialize")); n != 2 {
		t.Errorf("%d handshakes for one loss", n)
	}
}

func TestVersionIsAgreedOnAnew(t *testing.T) {
	s := adapttest.New(t, true)
	session := connect(t, s, fast())
	s.Say("tools/call", adapttest.Error(400, -32022, `{"supported":["2025-11-25"],"requested":"2026-07-28"}`))
	if _, a := session.CallTool(t.Context(), call("t")); a.Err() != nil || len(a.Attempts) != 2 || a.Attempts[1].Remedy != interpret.Renegotiate {
		t.Fatalf("%v %+v", a.Err(), a.Attempts)
	}
	if v := session.Client().ProtocolVersion(); v != "2025-11-25" {
		t.Errorf("now at %s", v)
	}
	s.Say("tools/call", adapttest.Error(400, -32022, `{"supported":["2031-01-01"],"requested":"2025-11-25"}`))
	if _, a := session.CallTool(t.Context(), call("t")); a.Decision.Action != retry.Abort {
		t.Errorf("nothing in common: %+v", a.Decision)
	}
}

func TestFloorHolds(t *testing.T) {
	s := adapttest.New(t, false)
	loop := fast()
	loop.Policy.Floor = "2026-07-28"
	if _, err := mcpgo.Connect(t.Context(), s.URL, initialize, loop); !errors.Is(err, interpret.UnsupportedVersion) {
		t.Errorf("below the floor: %v", err)
	}
}

func TestTroubleIsNoVerdictOnTheEra(t *testing.T) {
	s := adapttest.New(t, true)
	s.Say("server/discover", down, adapttest.Reply{Status: 429})
	session := connect(t, s, fast())
	if v := session.Client().ProtocolVersion(); v != "2026-07-28" || len(s.Got("initialize")) != 0 {
		t.Errorf("connected at %s after %v", v, s.Methods())
	}
}

func TestConnectingAsksForAuthorization(t *testing.T) {
	s := adapttest.New(t, true)
	refused := adapttest.Reply{Status: 401, Header: map[string]string{"WWW-Authenticate": `Bearer scope="a"`}}
	s.Say("server/discover", refused)
	_, err := mcpgo.Connect(t.Context(), s.URL, initialize, fast())
	if a := mcpgo.Answer(nil, err); !errors.Is(err, interpret.Unauthorized) || a.Decision.Action != retry.Ask || len(s.Got("initialize")) != 0 {
		t.Fatalf("%v, %v", err, s.Methods())
	}
	s.Say("server/discover", refused)
	loop := fast()
	var asked []string
	loop.Remedies = map[interpret.Remedy]retry.RemedyFunc{interpret.Authorize: func(_ context.Context, c *retry.Call) error {
		asked = c.Outcome.Scopes
		return nil
	}}
	connect(t, s, loop)
	if !slices.Equal(asked, []string{"a"}) {
		t.Errorf("asked for %v", asked)
	}
}

func TestRefusedInitializedNotificationEndsNothing(t *testing.T) {
	s := adapttest.New(t, false)
	s.Say("notifications/initialized", adapttest.Reply{Status: 500})
	session := connect(t, s, fast())
	if _, a := session.CallTool(t.Context(), call("t")); a.Err() != nil {
		t.Error(a.Err())
	}
}

func TestBrokenStreamIsNoLostSession(t *testing.T) {
	s := adapttest.New(t, false)
	session := connect(t, s, fast())
	s.Say("tools/call", adapttest.Reply{Header: map[string]string{"Content-Type": "text/event-stream"}, Body: "id: 1\nretry: 10\ndata:\n\n"})
	s.Say("GET", adapttest.Reply{Status: 404})
	_, a := session.CallTool(t.Context(), call("t"))
	if a.Outcome.Kind != interpret.ConnectionLost || a.Decision.Action != retry.Surface || len(s.Got("tools/call")) != 1 {
		t.Errorf("%s, %+v, %d sent", a.Outcome.Kind, a.Decision, len(s.Got("tools/call")))
	}
	if _, a := session.CallTool(t.Context(), call("t")); a.Err() != nil || len(s.Got("initialize")) != 1 {
		t.Errorf("the session: %v", a.Err())
	}
}

func TestCancelIsFinal(t *testing.T) {
	s := adapttest.New(t, true)
	session := connect(t, s, fast())
	s.Say("tools/list", adapttest.Reply{Hang: true})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		s.Await("tools/list")
		cancel()
	}()
	_, a := session.ListTools(ctx)
	if a.Outcome.Kind != interpret.Cancelled || a.Decision.Action != retry.Abort || !errors.Is(a.Err(), context.Canceled) {
		t.Errorf("%v %+v", a.Err(), a.Decision)
	}
}

// tracer gives each attempt a mark for its _meta.
type tracer struct{ n int }

func (o *tracer) AttemptStart(ctx context.Context, a retry.Attempt) (context.Context, map[string]string) {
	o.n++
	return ctx, map[string]string{"traceparent": strings.Repeat("x", o.n)}
}
func (o *tracer) AttemptEnd(context.Context, retry.Attempt) {}

func TestTraceContextGoesIntoMeta(t *testing.T) {
	s := adapttest.New(t, true)
	loop := fast()
	loop.Observer = new(tracer)
	session := connect(t, s, loop)
	s.Say("tools/list", down)
	if _, err := session.Client().ListTools(t.Context(), mcp.ListToolsRequest{}); err != nil {
		t.Fatal(err)
	}
	for i, r := range s.Got("tools/list") {
		var p struct {
			Meta map[string]any `json:"_meta"`
		}
		json.Unmarshal(r.Params, &p)
		if p.Meta["traceparent"] != strings.Repeat("x", i+2) || p.Meta["io.modelcontextprotocol/protocolVersion"] == nil {
			t.Errorf("attempt %d: %v", i+1, p.Meta)
		}
	}
	session.Close()
	if _, a := session.CallTool(t.Context(), call("t")); a.Err() == nil || a.Outcome.Ran != interpret.RanNo {
		t.Errorf("after Close: %+v", a)
	}
}

func TestWithoutATapNothingCountsAsUnsent(t *testing.T) {
	for name, reply := range map[string]adapttest.Reply{
		"an error":    adapttest.Error(200, -32003, `{}`),
		"a cut reply": {Header: map[string]string{"Content-Length": "100"}, Body: "{"},
		"a page":      {Header: map[string]string{"Content-Type": "text/html"}, Body: "<html>"},
	} {
		t.Run(name, func(t *testing.T) {
			s := adapttest.New(t, false)
			bare, err := transport.NewStreamableHTTP(s.URL)
			if err != nil {
				t.Fatal(err)
			}
			c := client.NewClient(mcpgo.Wrap(bare, fast()))
			if _, err := c.Initialize(t.Context(), initialize); err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			s.Say("tools/call", reply)
			_, err = c.CallTool(t.Context(), call("t"))
			if a := mcpgo.Answer(nil, err); a.Err() == nil || a.Outcome.Ran != interpret.RanUnknown || len(s.Got("tools/call")) != 1 {
				t.Errorf("%v, ran %s, sent %d times", err, a.Outcome.Ran, len(s.Got("tools/call")))
			}
		})
	}
}
