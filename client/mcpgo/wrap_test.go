package mcpgo_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/mcperr/mcperr/client/mcpgo"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// piped is a server behind pipes, one "process" a session: each line is answered by a function, "" is silence and "EOF" its end.
type piped struct {
	answer func(process int, method string) string

	mu     sync.Mutex
	starts int
	lines  []string
}

func (p *piped) dial(context.Context) (transport.Interface, error) {
	p.mu.Lock()
	p.starts++
	process := p.starts
	p.mu.Unlock()
	fromHost, toServer := io.Pipe()
	fromServer, toHost := io.Pipe()
	go func() {
		defer toHost.Close()
		defer fromHost.Close()
		lines := bufio.NewScanner(fromHost)
		for lines.Scan() {
			p.mu.Lock()
			p.lines = append(p.lines, lines.Text())
			p.mu.Unlock()
			var m struct {
				ID     json.RawMessage `json:"id"`
				Method string          `json:"method"`
			}
			json.Unmarshal(lines.Bytes(), &m)
			if m.ID == nil {
				continue
			}
			switch said := strings.ReplaceAll(p.answer(process, m.Method), "$ID", string(m.ID)); said {
			case "":
			case "EOF":
				return
			default:
				io.WriteString(toHost, said+"\n")
			}
		}
	}()
	return transport.NewIO(fromServer, toServer, nil), nil
}

// older answers as a server of the handshake era, and leaves alone what is not for it.
func older(method string) string {
	switch method {
	case "server/discover":
		return `{"jsonrpc":"2.0","id":$ID,"error":{"code":-32601,"message":"Method not found"}}`
	case "initialize":
		return `{"jsonrpc":"2.0","id":$ID,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}`
	}
	return `{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"fine"}]}}`
}

// scripted dials a server that says something else to one method, in its first process only.
func scripted(t *testing.T, method, says string) (*mcpgo.Session, *piped) {
	t.Helper()
	p := &piped{answer: func(process int, m string) string {
		if m == method && process == 1 {
			return says
		}
		return older(m)
	}}
	s, err := mcpgo.Dial(t.Context(), p.dial, initialize, fast())
	if err != nil {
		t.Fatal(err)
	}
	return s, p
}

func TestSilentProbeIsAnOlderServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		s, p := scripted(t, "server/discover", "")
		defer s.Close()
		if took := time.Since(began); took != 5*time.Second || s.Client().ProtocolVersion() != "2025-11-25" || p.starts != 1 {
			t.Errorf("connected after %v and %d starts", took, p.starts)
		}
	})
}

func TestProcessThatEndsAtTheProbeIsStartedAnewWithAHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p := scripted(t, "server/discover", "EOF")
		defer s.Close()
		if p.starts != 2 || s.Client().ProtocolVersion() != "2025-11-25" {
			t.Errorf("%d starts", p.starts)
		}
	})
}

func TestProcessThatEndsInACallIsReplacedForTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p := scripted(t, "tools/call", "EOF")
		defer s.Close()
		_, a := s.CallTool(t.Context(), call("t"))
		if a.Outcome.Kind != interpret.ConnectionLost || a.Outcome.Ran != interpret.RanUnknown || a.Decision.Action != retry.Surface {
			t.Errorf("%+v", a.Outcome)
		}
		if _, a := s.CallTool(t.Context(), call("t")); a.Err() != nil || p.starts != 2 {
			t.Errorf("%v after %d starts", a.Err(), p.starts)
		}
	})
}

func TestErrorOnALineKeepsItsFacts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, _ := scripted(t, "tools/call", `{"jsonrpc":"2.0","id":$ID,"error":{"code":4711,"message":"quota","data":{"retryAfterMs":5000}}}`)
		defer s.Close()
		_, a := s.CallTool(t.Context(), call("t"))
		if a.Outcome.Kind != interpret.RateLimited || a.Outcome.RetryAfter != 5*time.Second || a.Outcome.Code != 4711 {
			t.Errorf("%+v", a.Outcome)
		}
	})
}

func TestRequestIsTakenBackByTheIDThatWasSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, p := scripted(t, "tools/call", "")
		defer s.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, a := s.CallTool(ctx, call("t"))
		if a.Outcome.Kind != interpret.Timeout || a.Outcome.Ran != interpret.RanUnknown {
			t.Errorf("%+v", a.Outcome)
		}
		synctest.Wait()
		p.mu.Lock()
		defer p.mu.Unlock()
		type message struct {
			ID     json.Number
			Method string
			Params struct{ RequestID json.Number }
		}
		var last, before message
		json.Unmarshal([]byte(p.lines[len(p.lines)-1]), &last)
		json.Unmarshal([]byte(p.lines[len(p.lines)-2]), &before)
		if last.Method != "notifications/cancelled" || before.Method != "tools/call" || last.Params.RequestID != before.ID || before.ID == "" {
			t.Errorf("%s", strings.Join(p.lines[len(p.lines)-2:], "\n"))
		}
	})
}

// old is a transport that only the handshake era has.
type old struct{ *transport.StreamableHTTP }

func (old) RequiresLegacyProtocol() bool { return true }

// TestWrapStaysWhatItWraps: mcp-go asks a transport what it is.
func TestWrapStaysWhatItWraps(t *testing.T) {
	h, err := transport.NewStreamableHTTP("http://127.0.0.1:1")
	if err != nil {
		t.Fatal(err)
	}
	w := mcpgo.Wrap(old{h}, nil)
	if _, ok := w.(transport.HTTPConnection); !ok {
		t.Error("HTTP is no HTTP any more")
	}
	if l, ok := w.(interface{ RequiresLegacyProtocol() bool }); !ok || !l.RequiresLegacyProtocol() {
		t.Error("what it needs is hidden")
	}
	w = mcpgo.Wrap(transport.NewStdio("x", nil), nil)
	if _, ok := w.(transport.HTTPConnection); ok {
		t.Error("stdio passes for HTTP")
	}
	if _, ok := w.(transport.BidirectionalInterface); !ok {
		t.Error("the server's requests are not heard")
	}
	if _, ok := client.GetStderr(client.NewClient(w)); !ok {
		t.Error("the process's standard error is hidden")
	}
}
