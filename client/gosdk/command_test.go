package gosdk_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client/gosdk"
	"github.com/mcperr/mcperr/interpret"
)

// scripted has this test binary be a server of the handshake era: its value is what it writes for a tools/call before it answers that, in which
// $ID is the call's id and $LONG what no line may be as long as. A line that is its answer is left to it.
const scripted = "GOSDK_SCRIPTED"

// heard is a message of the client's, as this test binary sees it where it is a server.
type heard struct {
	ID     json.RawMessage
	Method string
	Error  *struct{ Code int }
}

// serve has each message read, and ends the process with standard input.
func serve(read func(m heard)) {
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var m heard
		json.Unmarshal(lines.Bytes(), &m)
		read(m)
	}
	os.Exit(0)
}

// self is this test binary, as the server that env makes of it, whose lines may have 4 KiB; it counts its starts.
func self(starts *int, env string) gosdk.Dialer {
	return gosdk.Stdio{MaxReply: 4 << 10, Command: func() *exec.Cmd {
		*starts++
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), env, "GORACE=atexit_sleep_ms=0")
		return cmd
	}}.Dialer()
}

func init() {
	script, ok := os.LookupEnv(scripted)
	if !ok {
		return
	}
	refused := "nothing"
	serve(func(m heard) {
		if m.Error != nil {
			refused = fmt.Sprint(strings.Trim(string(m.ID), `"`), m.Error.Code)
		}
		if m.ID == nil || m.Method == "" {
			return
		}
		say := func(s string) { os.Stdout.WriteString(strings.ReplaceAll(s, "$ID", string(m.ID)) + "\n") }
		if m.Method == "tools/call" && script != "" {
			say(strings.ReplaceAll(script, "$LONG", strings.Repeat("x", 1<<16)))
			answered := !strings.Contains(script, `"method"`)
			if script = ""; answered {
				return
			}
		}
		if m.Method == "tools/list" {
			say(`{"jsonrpc":"2.0","id":$ID,"result":{"tools":[{"name":"` + refused + `","inputSchema":{"type":"object"}}]}}`)
			return
		}
		say(older(m.Method))
	})
}

func scriptedServer(starts *int, script string) gosdk.Dialer {
	return self(starts, scripted+"="+script)
}

func TestAnswerOverTheLimitEndsItsCallAndNoSession(t *testing.T) {
	for _, c := range []struct {
		says string
		want interpret.Kind
	}{
		{`{"jsonrpc":"2.0","id":$ID,"result":{"content":[],"_":"$LONG"}}`, interpret.ReplyTooLarge},
		{`{"jsonrpc":"2.0","id":$ID,"error":{"code":-32000,"message":"$LONG"}}`, interpret.ReplyTooLarge},
		{`{"jsonrpc":"2.0","result":{"content":[],"_":"$LONG"},"id":$ID}`, interpret.ReplyTooLarge}, // whose else is it?
		{`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"$LONG"}}`, interpret.OK},
		{`{"jsonrpc":"2.0","id":$ID,"method":"roots/list","params":{"data":"$LONG"}}`, interpret.OK},
	} {
		starts := 0
		s := dial(t, scriptedServer(&starts, c.says))
		_, a := s.CallTool(t.Context(), tool()) // without a deadline
		if a.Outcome.Kind != c.want || len(a.Attempts) != 1 {
			t.Errorf("%s: %v", c.says, a.Err())
		}
		if c.want == interpret.ReplyTooLarge && (a.Outcome.Ran != interpret.RanUnknown || !a.Exchange.Truncated) {
			t.Errorf("%s: ran %s, %+v", c.says, a.Outcome.Ran, a.Exchange)
		}
		if _, a := s.CallTool(t.Context(), tool()); a.Err() != nil || starts != 1 {
			t.Errorf("%s: the next call: %v, after %d starts", c.says, a.Err(), starts)
		}
		s.Close()
	}
}

// Nor does a message that the SDK cannot decode.
func TestOddMessageEndsAtMostItsCall(t *testing.T) {
	for says, want := range map[string]interpret.Kind{
		`{"jsonrpc":"2.0","id":[1],"method":"ping"}`:                       interpret.OK,
		`{"jsonrpc":"1.0","id":1,"method":"ping"}`:                         interpret.OK,
		`{"jsonrpc":"2.0","id":1e400,"method":"ping"}`:                     interpret.OK,
		`{"jsonrpc":"2.0","method":"notifications/message","error":7}`:     interpret.OK,
		`{"jsonrpc":"2.0","id":$ID,"error":{"code":"x","message":"no"}}`:   interpret.UnknownError,
		`{"jsonrpc":"2.0","id":$ID,"error":7}`:                             interpret.UnknownError,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32601,"message":""}}`: interpret.MethodNotFound,
		`{"id":$ID,"result":{"content":[]}}`:                               interpret.OK,
	} {
		starts := 0
		s := dial(t, scriptedServer(&starts, says))
		_, a := s.CallTool(t.Context(), tool())
		if a.Outcome.Kind != want || len(a.Attempts) != 1 {
			t.Errorf("%s: %v, %s", says, a.Err(), a.Outcome.Kind)
		}
		if _, a := s.CallTool(t.Context(), tool()); a.Err() != nil || starts != 1 {
			t.Errorf("%s: the next call: %v, after %d starts", says, a.Err(), starts)
		}
		s.Close()
	}
}

// TestRequestOverTheLimitIsRefused: the server may wait for an answer before it gives its own.
func TestRequestOverTheLimitIsRefused(t *testing.T) {
	starts := 0
	s := dial(t, scriptedServer(&starts, `{"jsonrpc":"2.0","id":"ask","method":"roots/list","params":{"data":"$LONG"}}`))
	defer s.Close()
	if _, a := s.CallTool(t.Context(), tool()); a.Err() != nil {
		t.Fatal(a.Err())
	}
	for end := time.Now().Add(10 * time.Second); ; { // the refusal waits for nobody
		r, a := s.ListTools(t.Context(), nil)
		if a.Err() != nil {
			t.Fatal(a.Err())
		}
		if r.Tools[0].Name == "ask-32603" {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("the server was refused %s", r.Tools[0].Name)
		}
	}
}

// TestErrorOfAReplyThatIsTooLargeSaysSo to a host that keeps the SDK's session.
func TestErrorOfAReplyThatIsTooLargeSaysSo(t *testing.T) {
	starts := 0
	transport, _ := scriptedServer(&starts, `{"jsonrpc":"2.0","id":$ID,"result":{"content":[],"_":"$LONG"}}`)(t.Context())
	cs, err := sdk().Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer cs.Close()
	if _, err := cs.CallTool(t.Context(), &mcp.CallToolParams{Name: "t"}); interpret.KindOf(err) != interpret.ReplyTooLarge {
		t.Error(err)
	}
}

func TestCommandThatCannotBeRunWasNotSent(t *testing.T) {
	for name, d := range map[string]gosdk.Dialer{
		"no command":  gosdk.Stdio{}.Dialer(),
		"not there":   gosdk.Command(func() *exec.Cmd { return exec.Command("/nowhere/no-such-server") }),
		"its own out": gosdk.Command(func() *exec.Cmd { c := exec.Command(os.Args[0]); c.Stdout = new(bytes.Buffer); return c }),
	} {
		_, err := gosdk.Dial(t.Context(), sdk(), d, fast())
		if a := gosdk.Answer(nil, err); a.Outcome.Kind != interpret.Unavailable || a.Outcome.Ran != interpret.RanNo {
			t.Errorf("%s: ran %s, %v", name, a.Outcome.Ran, err)
		}
	}
}
