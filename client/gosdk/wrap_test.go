package gosdk_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client/gosdk"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// piped is a server behind pipes, one "process" a session: each line is answered by a function, "" is silence and "EOF" its end.
func piped(starts *int, answer func(process int, method, id string) string) gosdk.Dialer {
	return func(context.Context) (mcp.Transport, error) {
		*starts++
		process := *starts
		fromHost, toServer := io.Pipe()
		fromServer, toHost := io.Pipe()
		go func() {
			defer toHost.Close()
			defer fromHost.Close()
			lines := bufio.NewScanner(fromHost)
			for lines.Scan() {
				var m struct {
					ID     json.RawMessage `json:"id"`
					Method string          `json:"method"`
				}
				json.Unmarshal(lines.Bytes(), &m)
				if m.ID == nil {
					continue
				}
				switch said := strings.ReplaceAll(answer(process, m.Method, string(m.ID)), "$ID", string(m.ID)); said {
				case "":
				case "EOF":
					return
				default:
					io.WriteString(toHost, said+"\n")
				}
			}
		}()
		return gosdk.Wrap(&mcp.IOTransport{Reader: fromServer, Writer: toServer}), nil
	}
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

func dial(t *testing.T, d gosdk.Dialer) *gosdk.Session {
	t.Helper()
	s, err := gosdk.Dial(t.Context(), sdk(), d, fast())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSilentProbeIsAnOlderServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, starts := time.Now(), 0
		s := dial(t, piped(&starts, func(_ int, method, _ string) string {
			if method == "server/discover" {
				return ""
			}
			return older(method)
		}))
		defer s.Close()
		if took := time.Since(began); took != 5*time.Second || s.ClientSession().InitializeResult().ProtocolVersion != "2025-11-25" {
			t.Errorf("connected after %v", took)
		}
	})
}

func TestProcessThatEndsAtTheProbeIsStartedAnewWithAHandshake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		starts := 0
		s := dial(t, piped(&starts, func(_ int, method, _ string) string {
			if method == "server/discover" {
				return "EOF"
			}
			return older(method)
		}))
		defer s.Close()
		if starts != 2 {
			t.Errorf("%d starts", starts)
		}
	})
}

func TestProcessThatEndsInACallIsReplacedForTheNext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		starts := 0
		s := dial(t, piped(&starts, func(process int, method, _ string) string {
			if process == 1 && method == "tools/call" {
				return "EOF"
			}
			return older(method)
		}))
		defer s.Close()
		_, a := s.CallTool(t.Context(), tool())
		if a.Outcome.Kind != interpret.ConnectionLost || a.Outcome.Ran != interpret.RanUnknown || a.Decision.Action != retry.Surface {
			t.Errorf("%+v", a.Outcome)
		}
		if _, a := s.CallTool(t.Context(), tool()); a.Err() != nil || starts != 2 {
			t.Errorf("%v after %d starts", a.Err(), starts)
		}
	})
}

func TestErrorOnALineKeepsItsFacts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		starts := 0
		s := dial(t, piped(&starts, func(_ int, method, _ string) string {
			if method == "tools/call" {
				return `{"jsonrpc":"2.0","id":$ID,"error":{"code":4711,"message":"quota","data":{"retryAfterMs":5000}}}`
			}
			return older(method)
		}))
		defer s.Close()
		_, a := s.CallTool(t.Context(), tool())
		if a.Outcome.Kind != interpret.RateLimited || a.Outcome.RetryAfter != 5*time.Second || a.Outcome.Code != 4711 {
			t.Errorf("%+v", a.Outcome)
		}
	})
}

func TestCallWithoutAnAnswerEndsWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		starts := 0
		s := dial(t, piped(&starts, func(_ int, method, _ string) string {
			if method == "tools/call" {
				return ""
			}
			return older(method)
		}))
		defer s.Close()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, a := s.CallTool(ctx, tool())
		if a.Outcome.Kind != interpret.Timeout || a.Outcome.Ran != interpret.RanUnknown {
			t.Errorf("%+v", a.Outcome)
		}
		synctest.Wait()
	})
}

// TestDialerThatHangs: the first transport is made before the first attempt, and waits no longer than one.
func TestDialerThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		loop := &retry.Loop{Policy: &retry.Policy{TimeBudget: time.Minute}}
		_, err := gosdk.Dial(t.Context(), sdk(), func(ctx context.Context) (mcp.Transport, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}, loop)
		if took := time.Since(began); interpret.KindOf(err) != interpret.Timeout || took > 2*time.Minute {
			t.Errorf("%v after %v", err, took)
		}
	})
}

func TestCommand(t *testing.T) {
	if os.Getenv("GOSDK_SERVER") != "" {
		os.Stdout.WriteString("a stray line\n{\"level\":\"info\"}\n")
		server := mcp.NewServer(&mcp.Implementation{Name: "child", Version: "1"}, nil)
		mcp.AddTool(server, &mcp.Tool{Name: "die"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			os.Exit(3)
			return nil, nil, nil
		})
		mcp.AddTool(server, &mcp.Tool{Name: "t"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{}, nil, nil
		})
		server.Run(t.Context(), &mcp.StdioTransport{})
		os.Exit(0)
	}
	starts := 0
	s := dial(t, gosdk.Command(func() *exec.Cmd {
		starts++
		cmd := exec.Command(os.Args[0], "-test.run=^TestCommand$")
		cmd.Env = append(os.Environ(), "GOSDK_SERVER=1")
		return cmd
	}))
	defer s.Close()
	_, a := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "die"})
	if a.Outcome.Kind != interpret.ConnectionLost || a.Decision.Action != retry.Surface {
		t.Errorf("%+v", a.Outcome)
	}
	if _, a := s.CallTool(t.Context(), tool()); a.Err() != nil || starts != 2 {
		t.Errorf("%v after %d starts", a.Err(), starts)
	}
}
