package client

import (
	"context"
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

func TestTheHeadOfALine(t *testing.T) {
	long := strings.Repeat("x", 2*headBytes)
	for line, want := range map[string]struct {
		id   string
		asks bool
	}{
		`{"jsonrpc":"2.0","id":7,"result":{"a":"` + long:                       {"7", false},
		`{"id":7,"error":{"message":"` + long:                                  {"7", false},
		`{"jsonrpc":"2.0","result":{"method":"m","id":7,"a":"` + long:          {"", false},
		`{"result":{"method":"m"},"id":"a b","more":"` + long:                  {`"a b"`, false},
		`{"method":"notifications/message","params":{"data":"` + long:          {"", true},
		`{"id":7,"method":"sampling/createMessage","params":{"a":"` + long:     {"7", true},
		`{"method":"roots/list","jsonrpc":"2.0","id":7,"params":{"a":"` + long: {"7", true},
		`{"params":{"a":"b"},"method":"m","_":"` + long:                        {"", true},
		`{"id":7,"params":{"a":"` + long:                                       {"7", true}, // an answer has none
		`{"id":7,"params":{},"result":{"a":"` + long:                           {"7", false},
		`{"id":7,"m\u0065thod":"m","params":{"a":"` + long:                     {"7", true},
		`{"id":7,"Method":"m","result":{"a":"` + long:                          {"7", false},
		`{"id":7,"method":"` + long:                                            {"7", true},
		`{"id":7,"id":8,"result":"` + long:                                     {"7", false},
		`{"_":"` + long:                                                        {"", false},
		`["method","id",7,"` + long:                                            {"", false},
		long:                                                                   {"", false},
		"":                                                                     {"", false},
	} {
		l := &lineHead{below: strings.NewReader("{\"id\":1,\"method\":\"before\"}\n" + line)}
		io.Copy(io.Discard, l)
		if id, asks := l.about(); id != want.id || asks != want.asks {
			t.Errorf("%.60s: id %s, asks %v", line, id, asks)
		}
	}
}

// What is over the limit and answers nothing ends no call: a server's ids are its own, so that one of ours among them means nothing.
func TestOnlyAnAnswerOverTheLimitEndsACall(t *testing.T) {
	for _, c := range []struct {
		says string
		want interpret.Kind
		in   string
	}{
		{`{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"%x"}}`, interpret.OK, "done"},
		{`{"jsonrpc":"2.0","id":%s,"method":"sampling/createMessage","params":{"data":"%x"}}`, interpret.OK, "done"},
		{`{"jsonrpc":"2.0","id":%s,"params":{"data":"%x"},"method":"sampling/createMessage"}`, interpret.OK, "done"},
		{`{"jsonrpc":"2.0","id":"ask","method":"sampling/createMessage","params":{"data":"%x"}}`, interpret.OK, "-32603"},
		{`{"jsonrpc":"2.0","id":%s,"result":{"data":"%x"}}`, interpret.ReplyTooLarge, ""},
		{`{"jsonrpc":"2.0","result":{"data":"%x"},"id":%s}`, interpret.ReplyTooLarge, ""}, // whose else is it?
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
		if p, _ := client.Process(); p.Junk != 0 {
			t.Errorf("%s counts as junk", c.says)
		}
		client.Close()
	}
}
