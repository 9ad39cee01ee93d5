package client

import (
	"errors"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcperr/mcperr/internal/proto"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

func TestModernServer(t *testing.T) {
	s := newScript(t, true, nil)
	c := s.dial(t, Options{Name: "host", Version: "7", Capabilities: map[string]any{"roots": struct{}{}}})
	proceeds(t, c.CallTool(within(t), "act", map[string]any{"a": "<b>"}))
	if got := s.order(); got != "server/discover tools/call" {
		t.Fatalf("the server got %s", got)
	}
	q := s.got("tools/call")[0]
	for name, want := range map[string]string{"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "act", "Mcp-Session-Id": "",
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream"} {
		if got := q.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	for name, want := range map[string]string{proto.MetaVersion: `"2026-07-28"`, proto.MetaInfo: `{"name":"host","version":"7"}`, proto.MetaCapabilities: `{"roots":{}}`} {
		if got := string(q.meta[name]); got != want {
			t.Errorf("_meta %s: %s, want %s", name, got, want)
		}
	}
	if got := string(q.Params); !strings.Contains(got, `"arguments":{"a":"<b>"}`) {
		t.Errorf("params %s", got)
	}
	if v := c.Server(); v.Era != interpret.EraModern || v.Version != "2026-07-28" {
		t.Errorf("%+v", v)
	}
}

func TestLegacyServer(t *testing.T) {
	s := newScript(t, false, nil)
	verdicts := new(Verdicts)
	c := s.dial(t, Options{Verdicts: verdicts})
	proceeds(t, c.CallTool(within(t), "act", nil))
	if got := s.order(); got != "server/discover initialize notifications/initialized tools/call" {
		t.Fatalf("the server got %s", got)
	}
	q := s.got("tools/call")[0]
	if q.header.Get("Mcp-Session-Id") != "s-1" || q.header.Get("MCP-Protocol-Version") != "2025-11-25" || q.header.Get("Mcp-Method") != "" || q.meta != nil {
		t.Errorf("headers %v, _meta %v", q.header, q.meta)
	}
	if s.got("initialize")[0].header.Get("MCP-Protocol-Version") != "" {
		t.Error("initialize declares a version that was not agreed on yet")
	}
	c.Close()
	if q := s.got(http.MethodDelete); len(q) != 1 || q[0].header.Get("Mcp-Session-Id") != "s-1" {
		t.Errorf("the session was not ended: %v", q)
	}

	// The verdict spares the next client the probe, and is dropped when it fails.
	v, ok := verdicts.Get(HTTP{URL: s.URL + "/mcp"}.Name())
	if !ok || v.Era != interpret.EraLegacy || v.Version != "2025-11-25" || v.Since.IsZero() {
		t.Fatalf("%+v", v)
	}
	again := s.dial(t, Options{Verdicts: verdicts})
	proceeds(t, again.Connect(within(t)))
	if got := len(s.got("server/discover")); got != 1 {
		t.Errorf("probed %d times", got)
	}
	s.modern = true
	changed := s.dial(t, Options{Verdicts: verdicts})
	proceeds(t, changed.CallTool(within(t), "act", nil))
	if v, _ := verdicts.Get(HTTP{URL: s.URL + "/mcp"}.Name()); v.Era != interpret.EraModern {
		t.Errorf("%+v", v)
	}
}

// A server with a result for every method has none of a discovery for server/discover: nothing says that it is of 2026-07-28.
func TestResultThatIsNoDiscovery(t *testing.T) {
	s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method == "server/discover" {
			q.reply(w, `{}`)
		}
		return q.Method == "server/discover"
	})
	verdicts := new(Verdicts)
	c := s.dial(t, Options{Verdicts: verdicts})
	a := c.CallTool(within(t), "act", nil)
	proceeds(t, a)
	if v, _ := verdicts.Get(HTTP{URL: s.URL + "/mcp"}.Name()); v.Era != interpret.EraLegacy || len(a.Attempts) != 1 {
		t.Errorf("kept %+v, %d attempts", v, len(a.Attempts))
	}
	only := s.dial(t, Options{Protocol: []string{interpret.Version20260728}})
	a = only.CallTool(within(t), "act", nil)
	if a.Outcome.Kind != interpret.UnsupportedVersion || !errors.As(a.Stop, new(*VersionError)) || only.Server().Era != interpret.EraUnknown {
		t.Errorf("%v: %v", a.Outcome.Kind, a.Err())
	}
}

func TestVersionIsRenegotiated(t *testing.T) {
	refuse := func(supported string) func(http.ResponseWriter, *http.Request, seen, int) bool {
		return func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
			if q.header.Get("MCP-Protocol-Version") != "2026-07-28" {
				return false
			}
			q.fault(w, 400, -32022, "no", `{"supported":`+supported+`,"requested":"2026-07-28"}`)
			return true
		}
	}
	t.Run("at connect", func(t *testing.T) {
		s := newScript(t, false, refuse(`["2025-06-18","2025-11-25"]`))
		proceeds(t, s.dial(t, Options{}).CallTool(within(t), "act", nil))
		if got := s.order(); got != "server/discover initialize notifications/initialized tools/call" {
			t.Errorf("the server got %s", got)
		}
	})
	t.Run("a discovery without ours", func(t *testing.T) {
		s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
			if q.Method == "server/discover" {
				q.reply(w, `{"resultType":"complete","supportedVersions":["2025-11-25"],"capabilities":{}}`)
				return true
			}
			return false
		})
		proceeds(t, s.dial(t, Options{}).CallTool(within(t), "act", nil))
	})
	t.Run("mid-session", func(t *testing.T) {
		s := newScript(t, true, nil)
		s.on = func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
			if q.Method == "tools/call" && n == 2 {
				s.modern = false // a deployment went back
				q.fault(w, 400, -32022, "no", `{"supported":["2025-11-25"],"requested":"2026-07-28"}`)
				return true
			}
			return false
		}
		c := s.dial(t, Options{})
		proceeds(t, c.CallTool(within(t), "act", nil))
		proceeds(t, c.CallTool(within(t), "act", nil))
		if c.Server().Version != "2025-11-25" {
			t.Errorf("%+v", c.Server())
		}
	})
	t.Run("the refused version itself", func(t *testing.T) { // as the conformance suite has it
		s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
			if q.Method == "server/discover" && n == 1 {
				q.fault(w, 400, -32022, "no", `{"supported":["2026-07-28"],"requested":"2026-07-28"}`)
				return true
			}
			return false
		})
		proceeds(t, s.dial(t, Options{}).CallTool(within(t), "act", nil))
		if got := s.order(); got != "server/discover server/discover tools/call" {
			t.Errorf("the server got %s", got)
		}
	})
	t.Run("nothing in common", func(t *testing.T) {
		s := newScript(t, false, refuse(`["2030-01-01"]`))
		a := s.dial(t, Options{}).CallTool(within(t), "act", nil)
		var v *VersionError
		if a.Decision.Action != retry.Abort || a.Outcome.Kind != interpret.UnsupportedVersion || !errors.As(a.Err(), &v) {
			t.Fatalf("%v %+v", a.Decision, a.Err())
		}
		if text := v.Error(); !strings.Contains(text, "2030-01-01") || !strings.Contains(text, "2026-07-28, 2025-11-25") {
			t.Errorf("it names not both lists: %s", text)
		}
		if len(s.got("tools/call")) != 0 {
			t.Error("the call was sent")
		}
	})
	t.Run("below the floor", func(t *testing.T) {
		s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
			if q.Method == "initialize" {
				q.reply(w, `{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`)
			}
			return q.Method == "initialize"
		})
		p := quickly()
		p.Floor = "2025-03-26"
		a := s.dial(t, Options{Policy: p}).CallTool(within(t), "act", nil)
		var v *VersionError
		if a.Decision.Action != retry.Abort || !errors.As(a.Err(), &v) || len(s.got("tools/call")) != 0 {
			t.Errorf("%v %v", a.Decision, a.Err())
		}
	})
}

func TestServerThatChangesItsEra(t *testing.T) {
	s := newScript(t, false, nil)
	c := s.dial(t, Options{})
	proceeds(t, c.CallTool(within(t), "act", nil))
	s.mu.Lock()
	s.modern = true
	s.on = func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		switch {
		case q.header.Get("Mcp-Session-Id") != "":
			http.Error(w, "no such session", http.StatusNotFound)
		case q.Method == "initialize":
			q.fault(w, 404, -32601, "Method not found", "")
		default:
			return false
		}
		return true
	}
	s.mu.Unlock()
	proceeds(t, c.CallTool(within(t), "act", nil))
	if v := c.Server(); v.Era != interpret.EraModern {
		t.Errorf("%+v", v)
	}
}

func TestHandshakeThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &script{modern: true, on: func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
			if n == 1 {
				<-r.Context().Done()
			}
			return n == 1
		}}
		c := dialBubble(t, s, Options{Timeout: time.Second})
		proceeds(t, c.Connect(t.Context()))
		if n := len(s.got("server/discover")); n != 2 {
			t.Errorf("asked %d times", n)
		}
	})
}

// rmcp up to 2.2 echoes whatever version initialize proposes.
func TestHandshakeThatEchoesAModernVersionStaysAHandshake(t *testing.T) {
	s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		switch q.Method {
		case "server/discover":
			q.fault(w, 200, -32602, "no", `{"supported":["2026-07-28"]}`)
		case "initialize":
			w.Header().Set("Mcp-Session-Id", "echo")
			var p struct{ ProtocolVersion string }
			unmarshal(t, q.Params, &p)
			q.reply(w, `{"protocolVersion":"`+p.ProtocolVersion+`","capabilities":{},"serverInfo":{"name":"s","version":"1"}}`)
		default:
			return false
		}
		return true
	})
	c := s.dial(t, Options{})
	proceeds(t, c.CallTool(within(t), "act", nil))
	q := s.got("tools/call")[0]
	if q.header.Get("MCP-Protocol-Version") != "2026-07-28" || q.header.Get("Mcp-Session-Id") != "echo" || q.header.Get("Mcp-Method") != "" {
		t.Errorf("headers %v", q.header)
	}
	if v := c.Server(); v.Era != interpret.EraLegacy || v.Version != "2026-07-28" {
		t.Errorf("%+v", v)
	}
}

// Java SDK 0.12 refuses initialize with 400 because of elicitation.form.
func TestHandshakeIsTriedAgainWithBareCapabilities(t *testing.T) {
	s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method == "initialize" && n == 1 {
			http.Error(w, "bad", http.StatusBadRequest)
			return true
		}
		if q.Method == "tools/call" {
			q.reply(w, `{"resultType":"input_required","inputRequests":{"a":{"method":"elicitation/create","params":{"message":"m"}}}}`)
			return true
		}
		return false
	})
	c := s.dial(t, Options{Capabilities: map[string]any{"elicitation": map[string]any{"form": struct{}{}}}})
	proceeds(t, c.Connect(within(t)))
	q := s.got("initialize")
	if len(q) != 2 || !strings.Contains(string(q[0].Params), `"capabilities":{"elicitation":{"form":{}}}`) || !strings.Contains(string(q[1].Params), `"capabilities":{}`) {
		t.Fatalf("initialize: %d times", len(q))
	}
	if a := c.CallTool(within(t), "act", nil); a.Outcome.Kind != interpret.MissingCapability {
		t.Errorf("what was left out counts as declared: %v", a.Outcome.Kind)
	}
}

func TestGatewayIsNoVerdict(t *testing.T) {
	s := newScript(t, true, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.Method == "server/discover" && n == 1 {
			w.Header().Set("Server", "nginx")
			http.Error(w, "<html>", http.StatusBadGateway)
			return true
		}
		return false
	})
	verdicts := new(Verdicts)
	c := s.dial(t, Options{Verdicts: verdicts})
	proceeds(t, c.CallTool(within(t), "act", nil))
	if got := s.order(); got != "server/discover server/discover tools/call" {
		t.Errorf("the server got %s", got)
	}
}
