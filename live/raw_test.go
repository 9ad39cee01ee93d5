package live_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/live"
)

func TestMain(m *testing.M) { os.Exit(live.Main(m)) }

const (
	legacyVersion = "2025-11-25"
	modernVersion = "2026-07-28"
)

// The table in servers.go is checked by hand-written requests, so that it does not rest on the client that it is there to test.
func TestServersAreAsTheTableSays(t *testing.T) {
	for _, server := range live.Servers() {
		if server.HTTP {
			t.Run(server.Name+"/http", func(t *testing.T) {
				t.Parallel()
				checkHTTP(t, server)
			})
		}
		if server.Stdio {
			t.Run(server.Name+"/stdio", func(t *testing.T) {
				t.Parallel()
				checkStdio(t, server)
			})
		}
	}
}

func checkHTTP(t *testing.T, server live.Server) {
	process := server.Start(t)
	t.Run("modern", func(t *testing.T) {
		status, _, reply := post(t, process.URL, modern(1, "server/discover", ""), http.Header{"Mcp-Method": {"server/discover"}, "Mcp-Protocol-Version": {modernVersion}})
		if got := supports(reply, modernVersion); got != server.Modern {
			t.Fatalf("discovers %s: %v, want %v; status %d: %s", modernVersion, got, server.Modern, status, reply)
		}
		if !server.Modern {
			return
		}
		_, _, reply = post(t, process.URL, modern(2, "tools/call", `"name":"add","arguments":{"a":1,"b":2}`),
			http.Header{"Mcp-Method": {"tools/call"}, "Mcp-Name": {"add"}, "Mcp-Protocol-Version": {modernVersion}})
		checkSum(t, reply)
	})
	t.Run("legacy", func(t *testing.T) {
		_, header, reply := post(t, process.URL, initialize, nil)
		if !server.Legacy {
			t.Fatalf("no test for a server without a handshake")
		}
		if !strings.Contains(string(reply), `"protocolVersion":"`+legacyVersion+`"`) {
			t.Fatalf("handshake: %s", reply)
		}
		if got := header.Get("Mcp-Session-Id") != ""; got != server.Sessions {
			t.Errorf("gives a session id: %v, want %v", got, server.Sessions)
		}
		after := http.Header{"Mcp-Protocol-Version": {legacyVersion}}
		if id := header.Get("Mcp-Session-Id"); id != "" {
			after.Set("Mcp-Session-Id", id)
		}
		post(t, process.URL, initialized, after)
		_, _, reply = post(t, process.URL, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`, after)
		checkTools(t, server, reply)
	})
}

func checkStdio(t *testing.T, server live.Server) {
	t.Run("modern", func(t *testing.T) {
		pipe := open(t, server)
		reply := pipe.ask(1, modern(1, "server/discover", ""))
		if got := supports(reply, modernVersion); got != server.Modern {
			t.Fatalf("discovers %s: %v, want %v: %s", modernVersion, got, server.Modern, reply)
		}
		if server.Modern {
			checkSum(t, pipe.ask(2, modern(2, "tools/call", `"name":"add","arguments":{"a":1,"b":2}`)))
		}
	})
	t.Run("legacy", func(t *testing.T) {
		pipe := open(t, server)
		if reply := pipe.ask(1, initialize); !strings.Contains(string(reply), `"protocolVersion":"`+legacyVersion+`"`) {
			t.Fatalf("handshake: %s", reply)
		}
		pipe.send(initialized)
		checkTools(t, server, pipe.ask(2, `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`))
	})
}

const (
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"` + legacyVersion +
		`","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
)

func modern(id int, method, params string) string {
	if params != "" {
		params = "," + params
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{"_meta":{"io.modelcontextprotocol/protocolVersion":%q,`+
		`"io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"}}%s}}`,
		id, method, modernVersion, params)
}

func supports(reply []byte, version string) bool {
	var answer struct {
		Result struct {
			SupportedVersions []string `json:"supportedVersions"`
		} `json:"result"`
	}
	return json.Unmarshal(reply, &answer) == nil && slices.Contains(answer.Result.SupportedVersions, version)
}

func checkSum(t *testing.T, reply []byte) {
	t.Helper()
	var answer struct {
		Result struct {
			Content []struct{ Text string }
		} `json:"result"`
	}
	if err := json.Unmarshal(reply, &answer); err != nil || len(answer.Result.Content) == 0 || answer.Result.Content[0].Text != "3" {
		t.Errorf("1 + 2: %s", reply)
	}
}

func checkTools(t *testing.T, server live.Server, reply []byte) {
	t.Helper()
	var answer struct {
		Result struct {
			Tools []struct{ Name string }
		} `json:"result"`
	}
	if err := json.Unmarshal(reply, &answer); err != nil {
		t.Fatalf("%v: %s", err, reply)
	}
	var names []string
	for _, tool := range answer.Result.Tools {
		names = append(names, tool.Name)
	}
	slices.Sort(names)
	small := []string{"add", "ask_user", "boom", "count", "counter", "die", "fail_result", "slow"}
	if server.Small != slices.Equal(names, small) {
		t.Errorf("tools: %q", names)
	}
}

func post(t *testing.T, url, body string, header http.Header) (int, http.Header, []byte) {
	t.Helper()
	return do(t, http.MethodPost, url, body, header)
}

// do sends one request and returns what answers it, taken out of an event stream if need be.
func do(t *testing.T, method, url, body string, header http.Header) (int, http.Header, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range header {
		req.Header[name] = values
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") {
		for line := range bytes.Lines(data) {
			if event, ok := bytes.CutPrefix(line, []byte("data: ")); ok && len(bytes.TrimSpace(event)) > 0 {
				data = bytes.TrimSpace(event)
			}
		}
	}
	return resp.StatusCode, resp.Header, data
}

// rawPipe is a server on standard input and output.
type rawPipe struct {
	t     *testing.T
	in    io.Writer
	lines *bufio.Scanner
}

func open(t *testing.T, server live.Server) *rawPipe {
	t.Helper()
	cmd, _ := server.Command(t)
	cmd.Stderr = io.Discard
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close(); cmd.Process.Kill(); cmd.Wait() })
	return &rawPipe{t, in, bufio.NewScanner(out)}
}

func (p *rawPipe) send(message string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, message+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

// ask sends a request and returns the line that answers it; the test's own deadline ends a silence.
func (p *rawPipe) ask(id int, message string) []byte {
	p.t.Helper()
	p.send(message)
	for p.lines.Scan() {
		var line struct {
			ID     any
			Method string
		}
		if json.Unmarshal(p.lines.Bytes(), &line) == nil && line.Method == "" && line.ID == float64(id) {
			return slices.Clone(p.lines.Bytes())
		}
	}
	p.t.Fatalf("ended without an answer: %v", p.lines.Err())
	return nil
}
