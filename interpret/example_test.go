package interpret_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/mcperr/mcperr/interpret"
)

// The bytes that were sent, and what came back for them, are all that it takes.
func ExampleReply() {
	req, err := interpret.ParseRequest(
		[]byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"add","arguments":{"a":1}}}`),
		http.Header{"Mcp-Protocol-Version": {"2025-11-25"}, "Mcp-Session-Id": {"9f"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	o := interpret.Reply(interpret.Exchange{
		Request: req,
		Status:  200,
		Header:  http.Header{"Content-Type": {"application/json"}},
		Body:    []byte(`{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"Unknown tool: add"}}`),
	})
	fmt.Println("kind:", o.Kind)
	fmt.Println("who can fix it:", o.Fixer())
	fmt.Println("did it run:", o.Ran)
	fmt.Println("remedy:", o.Remedy)
	fmt.Println("why:", o.Why)
	// Output:
	// kind: unknown_tool
	// who can fix it: model
	// did it run: no
	// remedy: refresh_tools
	// why: [tool_words_32602 ran_told]
}

// A fault is an error for those who want one: its kind is what errors.Is compares.
func ExampleError() {
	o := interpret.Reply(interpret.Exchange{
		Request: interpret.Request{Method: "tools/list", ID: "1"},
		Status:  429,
		Header:  http.Header{"Retry-After": {"30"}},
	})
	err := fmt.Errorf("listing tools: %w", o.Err())
	fmt.Println(err)

	var fault *interpret.Error
	if errors.Is(err, interpret.RateLimited) && errors.As(err, &fault) {
		fmt.Println("again in", fault.RetryAfter)
	}
	// Output:
	// listing tools: rate_limited, HTTP 429
	// again in 30s
}

func ExampleKindOf() {
	lost := interpret.Reply(interpret.Exchange{
		Request: interpret.Request{Method: "tools/call", Target: "pay", ID: "1"},
		Failure: &interpret.Failure{What: interpret.FailedReset, Delivery: interpret.DeliveryWritten},
	})
	switch err := lost.ErrCause(io.ErrUnexpectedEOF); interpret.KindOf(err) {
	case interpret.OK, interpret.Task:
		fmt.Println("done")
	case interpret.ConnectionLost, interpret.Timeout:
		fmt.Println("nobody knows whether it ran; leave to send it again:", lost.Leave)
	default:
		fmt.Println(err)
	}
	// Output:
	// nobody knows whether it ran; leave to send it again: repeatable
}

// Scan reads a stream while it is still being sent, and ends at the answer.
func ExampleScan() {
	const stream = `data: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}

data: {"jsonrpc":"2.0","id":7,"result":{"content":[]}}

data: what comes later is not read

`
	req := interpret.Request{Method: "tools/call", Target: "add", ID: "7"}
	for m, err := range interpret.Scan(strings.NewReader(stream), "text/event-stream", req, interpret.Limits{}) {
		switch {
		case err != nil:
			fmt.Println(err)
		case m.Answer:
			fmt.Println("answer:", string(m.Raw))
		case m.Method != "":
			fmt.Println(m.Method, string(m.Params))
		}
	}
	// Output:
	// notifications/progress {"progressToken":1,"progress":0.5}
	// answer: {"jsonrpc":"2.0","id":7,"result":{"content":[]}}
}
