package gosdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client/gosdk"
	"github.com/mcperr/mcperr/internal/adapt/adapttest"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

func fast() *retry.Loop {
	return &retry.Loop{Policy: &retry.Policy{FirstDelay: time.Millisecond, HintCap: time.Second}}
}

func sdk() *mcp.Client { return mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, nil) }

func connect(t *testing.T, s *adapttest.Server, loop *retry.Loop) *gosdk.Session {
	t.Helper()
	session, err := gosdk.Connect(t.Context(), sdk(), s.URL, loop)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	return session
}

// tool makes params anew: the SDK writes into those of a call what its session declares.
func tool() *mcp.CallToolParams { return &mcp.CallToolParams{Name: "t"} }

var down = adapttest.Reply{Status: 503}

func ids(list []adapttest.Request) []string {
	var ids []string
	for _, r := range list {
		ids = append(ids, r.ID)
	}
	return ids
}

func TestEveryAttemptHasAnIDOfItsOwn(t *testing.T) {
	s := adapttest.New(t, true)
	session := connect(t, s, fast())
	s.Say("tools/list", down, down)
	if _, a := session.ListTools(t.Context(), nil); a.Err() != nil || len(a.Attempts) != 3 {
		t.Errorf("%v after %d attempts", a.Err(), len(a.Attempts))
	}
	sent := ids(s.Got("tools/list"))
	if slices.Sort(sent); len(slices.Compact(sent)) != 3 {
		t.Errorf("ids %v", sent)
	}
}

func TestToolIsNotSentAgainUnlessTheHostVouches(t *testing.T) {
	s := adapttest.New(t, true)
	loop := fast()
	loop.Vouch = func(r interpret.Request) bool { return r.Target == "twice" }
	session := connect(t, s, loop)
	s.Say("tools/call", down)
	_, a := session.CallTool(t.Context(), tool())
	if a.Outcome.Kind != interpret.Unavailable || a.Decision.Action != retry.Surface || a.Decision.Stop != retry.StopUnsafe || len(a.Attempts) != 1 {
		t.Errorf("%+v", a.Decision)
	}
	s.Say("tools/call", down)
	if r, a := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "twice"}); a.Err() != nil || len(a.Attempts) != 2 || r == nil {
		t.Errorf("%v after %d attempts", a.Err(), len(a.Attempts))
	}
}

func TestErrorsReachBothWays(t *testing.T) {
	s := adapttest.New(t, true)
	session := connect(t, s, fast())
	s.Say("tools/call", adapttest.Error(400, -32602, `{"field":"x"}`))
	_, err := session.ClientSession().CallTool(t.Context(), tool())
	var e *interpret.Error
	if !errors.As(err, &e) || e.Kind != interpret.InvalidArguments || e.Status != 400 || string(e.Data) != `{"field":"x"}` {
		t.Errorf("%+v", err)
	}
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) || wire.Code != -32602 {
		t.Errorf("the SDK's own error is lost: %v", err)
	}
	if !errors.Is(err, interpret.InvalidArguments) || !errors.Is(err, retry.StopAction) {
		t.Errorf("%v", err)
	}
	a := gosdk.Answer(nil, err)
	if a.Decision.Action != retry.Surface || a.ForModel() == "" {
		t.Errorf("%+v", a)
	}
}

func TestResultsKeepTheirType(t *testing.T) {
	s := adapttest.New(t, true)
	session := connect(t, s, fast())
	s.Say("tools/call", adapttest.Result(`{"resultType":"complete","isError":true,"content":[{"type":"text","text":"bad date"}]}`))
	r, err := session.ClientSession().CallTool(t.Context(), tool())
	if err != nil || !r.IsError {
		t.Fatalf("%+v %v", r, err)
	}
	if a := gosdk.Answer(r, err); a.Outcome.Kind != interpret.ToolError || a.Decision.Action != retry.Surface || a.Outcome.Ran != interpret.RanYes {
		t.Errorf("%+v", a)
	}
	r, err = session.ClientSession().CallTool(t.Context(), tool())
	if a := gosdk.Answer(r, err); a.Decision.Action != retry.Proceed {
		t.Errorf("%+v", a)
	}
}

func TestWhatTheSDKTakesForAnAnswerAndIsNone(t *testing.T) {
	s := adapttest.New(t, true)
	session := connect(t, s, fast())
	s.Say("tools/call", adapttest.Result(`{"resultType":"surprise","content":[]}`))
	if r, a := session.CallTool(t.Context(), tool()); r != nil || a.Outcome.Kind != interpret.MalformedReply {
		t.Errorf("an unknown resultType: %+v %s", r, a.Outcome.Kind)
	}
	s.Say("tools/call", adapttest.Result(`{"resultType":"complete","content":[{"type":"hologram"}]}`))
	r, a := session.CallTool(t.Context(), tool())
	if r != nil || a.Outcome.Kind != interpret.MalformedReply || a.Outcome.Ran != interpret.RanYes || a.Err() == nil {
		t.Errorf("a result that the SDK cannot decode: %+v %+v", r, a.Outcome)
	}
}

func TestStateIsEchoed(t *testing.T) {
	s := adapttest.New(t, true)
	session := connect(t, s, fast())
	s.Say("tools/call", adapttest.Result(`{"resultType":"input_required","requestState":"a\/b<&>"}`))
	host := &mcp.CallToolParams{Name: "t", Meta: mcp.Meta{"mine": 1}}
	if r, a := session.CallTool(t.Context(), host); a.Err() != nil || len(r.Content) != 1 {
		t.Fatalf("%+v %v", r, a.Err())
	}
	got := s.Got("tools/call")
	var p struct {
		State string         `json:"requestState"`
		Meta  map[string]any `json:"_meta"`
	}
	if json.Unmarshal(got[len(got)-1].Params, &p); len(got) != 2 || p.State != "a/b<&>" || p.Meta["mine"] != 1.0 {
		t.Errorf("%d sent, the last with %+v", len(got), p)
	}
	if host.RequestState != "" || len(host.Meta) != 1 {
		t.Errorf("the host's params were changed: %+v", host)
	}
}

func TestLostSessionIsReplacedOnceForAll(t *testing.T) {
	s := adapttest.New(t, false)
	session := connect(t, s, fast())
	s.Forget()
	var wg sync.WaitGroup
	for range 10 {
		wg.Go(func() {
			if _, a := session.CallTool(t.Context(), tool()); a.Err() != nil {
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
	if _, a := session.CallTool(t.Context(), tool()); a.Err() != nil || len(a.Attempts) != 2 || a.Attempts[1].Remedy != interpret.Renegotiate {
		t.Fatalf("%v %+v", a.Err(), a.Attempts)
	}
	if v := session.ClientSession().InitializeResult().ProtocolVersion; v != "2025-11-25" {
		t.Errorf("now at %s", v)
	}
	s.Say("tools/call", adapttest.Error(400, -32022, `{"supported":["2031-01-01"],"requested":"2025-11-25"}`))
	if _, a := session.CallTool(t.Context(), tool()); a.Decision.Action != retry.Abort {
		t.Errorf("nothing in common: %+v", a.Decision)
	}
}

func TestFloorHolds(t *testing.T) {
	s := adapttest.New(t, false)
	loop := fast()
	loop.Policy.Floor = "2026-07-28"
	_, err := gosdk.Connect(t.Context(), sdk(), s.URL, loop)
	if !errors.Is(err, interpret.UnsupportedVersion) {
		t.Errorf("below the floor: %v", err)
	}
}

func TestTroubleIsNoVerdictOnTheEra(t *testing.T) {
	s := adapttest.New(t, true)
	s.Say("server/discover", down, adapttest.Reply{Status: 429})
	session := connect(t, s, fast())
	if v := session.ClientSession().InitializeResult().ProtocolVersion; v != "2026-07-28" || len(s.Got("initialize")) != 0 {
		t.Errorf("connected at %s after %v", v, s.Methods())
	}
}

func TestConnectingAsksForAuthorization(t *testing.T) {
	s := adapttest.New(t, true)
	refused := adapttest.Reply{Status: 401, Header: map[string]string{"WWW-Authenticate": `Bearer scope="a"`}}
	s.Say("server/discover", refused)
	_, err := gosdk.Connect(t.Context(), sdk(), s.URL, fast())
	if a := gosdk.Answer(nil, err); !errors.Is(err, interpret.Unauthorized) || a.Decision.Action != retry.Ask || len(s.Got("initialize")) != 0 {
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
	if _, a := session.CallTool(t.Context(), tool()); a.Err() != nil {
		t.Error(a.Err())
	}
}

func TestBrokenStreamIsNoLostSession(t *testing.T) {
	s := adapttest.New(t, false)
	session := connect(t, s, fast())
	primed := adapttest.Reply{Header: map[string]string{"Content-Type": "text/event-stream"}, Body: "id: 1\nretry: 10\ndata:\n\n"}
	s.Say("tools/call", primed)
	s.Say("GET", adapttest.Reply{Status: 404})
	_, a := session.CallTool(t.Context(), tool())
	if a.Outcome.Kind != interpret.ConnectionLost || a.Decision.Action != retry.Surface || len(s.Got("tools/call")) != 1 {
		t.Errorf("%s, %+v, %d sent", a.Outcome.Kind, a.Decision, len(s.Got("tools/call")))
	}
	s.Say("tools/call", primed)
	s.Say("GET", adapttest.Reply{Header: primed.Header, Body: "data: {\"jsonrpc\":\"2.0\",\"id\":" + "4" + ",\"result\":{\"content\":[]}}\n\n"})
	if r, a := session.CallTool(t.Context(), tool()); a.Err() != nil || r == nil {
		t.Errorf("a stream that was taken up again: %v; ids %v", a.Err(), ids(s.Got("tools/call")))
	}
	if _, a := session.CallTool(t.Context(), tool()); a.Err() != nil || len(s.Got("initialize")) != 1 {
		t.Errorf("the session: %v", a.Err())
	}
}

func TestListeningStreamNeverEndsASession(t *testing.T) {
	s := adapttest.New(t, false)
	s.Say("GET", adapttest.Reply{Header: map[string]string{"Content-Type": "text/event-stream"}, Body: "data: {broken\n\n"})
	session, err := gosdk.Dial(t.Context(), sdk(), gosdk.HTTP{Endpoint: s.URL, Listen: true}.Dialer(), fast())
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if _, a := session.CallTool(t.Context(), tool()); a.Err() != nil || len(s.Got("GET")) != 1 {
		t.Errorf("%v, %d streams", a.Err(), len(s.Got("GET")))
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
	_, a := session.ListTools(ctx, nil)
	if a.Outcome.Kind != interpret.Cancelled || a.Decision.Action != retry.Abort || !errors.Is(a.Err(), context.Canceled) {
		t.Errorf("%v %+v", a.Err(), a.Decision)
	}
	if _, a := session.ListTools(t.Context(), nil); a.Err() != nil {
		t.Error(a.Err())
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
	session := connect(t, s, fast())
	loop := fast()
	loop.Observer = new(tracer)
	c := sdk()
	gosdk.Install(c, loop)
	transport, _ := gosdk.HTTP{Endpoint: s.URL}.Dialer()(t.Context())
	cs, err := c.Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer cs.Close()
	s.Say("tools/list", down)
	if _, err := cs.ListTools(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	var seen []string
	for _, r := range s.Got("tools/list") {
		var p struct {
			Meta map[string]any `json:"_meta"`
		}
		json.Unmarshal(r.Params, &p)
		seen = append(seen, p.Meta["traceparent"].(string))
		if _, ok := p.Meta["io.modelcontextprotocol/protocolVersion"]; !ok {
			t.Errorf("the SDK's own members are gone: %v", slices.Collect(maps.Keys(p.Meta)))
		}
	}
	if !slices.Equal(seen, []string{"x", "xx"}) {
		t.Errorf("marks %v", seen)
	}
	session.Close()
	if _, a := session.CallTool(t.Context(), tool()); a.Err() == nil || a.Outcome.Ran != interpret.RanNo {
		t.Errorf("after Close: %+v", a)
	}
}

func TestWithoutATapNothingCountsAsUnsent(t *testing.T) {
	for name, reply := range map[string]adapttest.Reply{
		"a code that the SDK uses for itself": adapttest.Error(200, -32003, `{}`),
		"a cut reply":                         {Header: map[string]string{"Content-Length": "100"}, Body: "{"},
		"a page":                              {Header: map[string]string{"Content-Type": "text/html"}, Body: "<html>"},
	} {
		t.Run(name, func(t *testing.T) {
			s := adapttest.New(t, false)
			c := sdk()
			gosdk.Install(c, fast())
			cs, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: s.URL, DisableStandaloneSSE: true}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer cs.Close()
			s.Say("tools/call", reply)
			_, err = cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"})
			if a := gosdk.Answer(nil, err); a.Outcome.Ran != interpret.RanUnknown || len(s.Got("tools/call")) != 1 {
				t.Errorf("%v, ran %s, sent %d times", err, a.Outcome.Ran, len(s.Got("tools/call")))
			}
		})
	}
}

func TestInstalledClientIsNotDowngradedEither(t *testing.T) {
	s := adapttest.New(t, true)
	s.Say("server/discover", down)
	c := sdk()
	gosdk.Install(c, fast())
	transport, _ := gosdk.HTTP{Endpoint: s.URL}.Dialer()(t.Context())
	if _, err := c.Connect(t.Context(), transport, nil); !errors.Is(err, interpret.Unavailable) || len(s.Got("initialize")) != 0 {
		t.Errorf("%v after %v", err, s.Methods())
	}
}
