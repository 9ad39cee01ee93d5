package client

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// What is over the limit and answers nothing ends no call: a server's ids are its own, so that one of ours among them means nothing.
func TestOnlyAnAnswerOverTheLimitEndsACall(t *testing.T) {
	for _, c := range []struct {
		says string
		want interpret.Kind
		in   string
		junk int
	}{
		{`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"%x"}}`, interpret.OK, "done", 0},
		{`{"jsonrpc":"2.0","id":%s,"method":"sampling/createMessage","params":{"data":"%x"}}`, interpret.OK, "done", 0},
		{`{"jsonrpc":"2.0","id":%s,"params":{"data":"%x"},"method":"sampling/createMessage"}`, interpret.OK, "done", 0},
		{`{"jsonrpc":"2.0","id":"ask","method":"sampling/createMessage","params":{"data":"%x"}}`, interpret.OK, "-32603", 0},
		{`{"jsonrpc":"2.0","id":%s,"result":{"data":"%x"}}`, interpret.ReplyTooLarge, "", 0},
		{`{"jsonrpc":"2.0","result":{"data":"%x"},"id":%s}`, interpret.ReplyTooLarge, "", 0}, // whose else is it?
		{`{"jsonrpc":"2.0","id":4711,"result":{"data":"%x"}}`, interpret.OK, "done", 1},      // of a call that was given up
	} {
		s := childOf("longer")
		s.Env = append(s.Env, childSays+"="+c.says)
		client := dialChild(t, s, Options{MaxReply: 1 << 10, Handlers: map[string]Handler{
			"sampling/createMessage": func(context.Context, json.RawMessage) (any, error) { t.Error("handled"); return nil, nil },
		}})
		a := client.CallTool(within(t), "act", nil)
		if a.Outcome.Kind != c.want || !strings.Contains(string(a.Outcome.Result), c.in) {
			t.Errorf("%s: %v %s", c.says, a.Err(), a.Outcome.Result)
		}
		if p, _ := client.Process(); p.Junk != c.junk {
			t.Errorf("%s: junk %d", c.says, p.Junk)
		}
		client.Close()
	}
}

// A line that never ends is the end of its process: the calls in flight hear of that, and the next one has a process that can answer.
func TestALineWithoutAnEndEndsTheProcess(t *testing.T) {
	for says, want := range map[string]interpret.Kind{
		`{"jsonrpc":"2.0","id":%s,"result":{"data":"`:   interpret.ReplyTooLarge,
		`{"jsonrpc":"2.0","id":4711,"result":{"data":"`: interpret.ConnectionLost,
		`{"jsonrpc":"2.0","method":"x","params":{"_":"`: interpret.ConnectionLost,
	} {
		armed := filepath.Join(t.TempDir(), "armed")
		if err := os.WriteFile(armed, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		s, noted := mcpChild(t, childEra+"=modern", childFault+"="+string(endlessly), childSays+"="+says, childArmed+"="+armed)
		c := dialChild(t, s, Options{MaxReply: 1 << 10})
		proceeds(t, c.Connect(within(t)))
		broken := c.session.process
		if a := c.CallTool(within(t), "act", nil); a.Outcome.Kind != want || a.Outcome.Ran == interpret.RanNo || len(a.Attempts) != 1 {
			t.Errorf("%s: %v, ran %v, %d attempts", says, a.Err(), a.Outcome.Ran, len(a.Attempts))
		}
		select {
		case <-broken.done:
		case <-within(t).Done():
			t.Fatalf("%s: the process is there still", says)
		}
		proceeds(t, c.CallTool(within(t), "act", nil))
		if n := count(noted(), "start"); n != 2 {
			t.Errorf("%s: %d processes", says, n)
		}
		c.Close()
	}
}
