package retry_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// sends returns a sender that answers with these bodies, the last one for ever, as a server over HTTP would.
func sends(status int, bodies ...string) retry.Sender {
	n := 0
	return func(_ context.Context, r interpret.Request) interpret.Exchange {
		body := bodies[min(n, len(bodies)-1)]
		n++
		return interpret.Exchange{Request: r, Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body)}
	}
}

func request(body string) interpret.Request {
	req, err := interpret.ParseRequest([]byte(body), http.Header{})
	if err != nil {
		panic(err)
	}
	return req
}

var search = request(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"limit":900}}}`)

// What the model can mend goes to the model.
func ExampleLoop_Do_surface() {
	refuse := sends(200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"limit must be at most 100"}}`)
	answer := new(retry.Loop).Do(context.Background(), search, refuse)
	fmt.Println(answer.Decision.Action, answer.Outcome.Kind, len(answer.Attempts))
	fmt.Println(errors.Is(answer.Err(), interpret.InvalidArguments))
	// Output:
	// surface invalid_arguments 1
	// true
}

// A server's own code is nothing to this library until a rule says what it means, and the host that the tool may run twice.
func ExampleLoop_Do_rule() {
	busy := retry.Rule{Name: "busy", Codes: []int64{-32050}, Tools: []string{"search"}, Action: retry.Retry, Tries: 2}
	loop := &retry.Loop{
		Policy: retry.DefaultPolicy().With(busy),
		Vouch:  func(r interpret.Request) bool { return r.Target == "search" },
		Rand:   func() float64 { return 0 }, // no wait, for the example
	}
	answer := loop.Do(context.Background(), search, sends(200,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"index is being built"}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"3 hits"}]}}`,
	))
	for _, a := range answer.Attempts {
		fmt.Println(a.Number, a.Kind, a.Decision.Action, a.Decision.Rule)
	}
	fmt.Println(answer.Err())
	// Output:
	// 1 unknown_error retry busy
	// 2 ok proceed default/ok
	// <nil>
}

// Nothing anybody does makes this call succeed. The run goes on: the model is told, and the next call is made.
func ExampleLoop_Do_abort() {
	answer := new(retry.Loop).Do(context.Background(), search, sends(200, `<html>Welcome to our router</html>`))
	fmt.Println(answer.Decision.Action, answer.Outcome.Kind)
	fmt.Println(errors.Is(answer.Err(), retry.StopAction))
	// Output:
	// abort not_mcp
	// true
}

// Only a person can sign in. With a function for it the call goes on by itself, without one the answer is Ask.
func ExampleLoop_Do_ask() {
	refuse := func(_ context.Context, r interpret.Request) interpret.Exchange {
		return interpret.Exchange{Request: r, Status: 401, Header: http.Header{"Www-Authenticate": {`Bearer scope="search:read"`}}}
	}
	answer := new(retry.Loop).Do(context.Background(), search, refuse)
	fmt.Println(answer.Decision.Action, answer.Decision.Remedy, answer.Outcome.Scopes)

	token := ""
	loop := &retry.Loop{Remedies: map[interpret.Remedy]retry.RemedyFunc{
		interpret.Authorize: func(_ context.Context, c *retry.Call) error {
			token = "for " + c.Outcome.Scopes[0]
			return nil
		},
	}}
	answer = loop.Do(context.Background(), search, func(ctx context.Context, r interpret.Request) interpret.Exchange {
		if token == "" {
			return refuse(ctx, r)
		}
		return sends(200, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)(ctx, r)
	})
	fmt.Println(answer.Decision.Action, "after", len(answer.Attempts), "attempts")
	// Output:
	// ask authorize [search:read]
	// proceed after 2 attempts
}

// negotiating makes a call through a loop that knows what to do about a refused version; send sends it once.
func negotiating(ctx context.Context, call interpret.Request, send retry.Sender) *retry.Answer {
	loop := &retry.Loop{Remedies: map[interpret.Remedy]retry.RemedyFunc{
		interpret.Renegotiate: func(_ context.Context, c *retry.Call) error {
			c.Request.Version = c.Outcome.Supported[0] // one of these, that the host speaks
			return nil
		},
	}}
	return loop.Do(ctx, call, send)
}

// The version is refused with a list: a remedy chooses from it and amends the request.
func ExampleLoop_Do_renegotiate() {
	search := request(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}}}`)
	answer := negotiating(context.Background(), search, func(ctx context.Context, r interpret.Request) interpret.Exchange {
		fmt.Println("sent in", r.Version)
		if r.Version != "2025-11-25" {
			return sends(400, `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2025-11-25"]}}}`)(ctx, r)
		}
		return sends(200, `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)(ctx, r)
	})
	fmt.Println(answer.Decision.Action)
	// Output:
	// sent in 2026-07-28
	// sent in 2025-11-25
	// proceed
}

// A decision without a loop: what would be done about a server that is down.
func ExamplePolicy_Explain() {
	list := interpret.Request{Method: "tools/list", ID: "1"}
	down := interpret.Reply(interpret.Exchange{Request: list, Status: 503, Header: http.Header{"Retry-After": {"90"}}})
	for _, line := range retry.DefaultPolicy().Explain(list, down, retry.State{Attempt: 1}) {
		fmt.Println(line)
	}
	// Output:
	// choice: retry by default/unavailable: the server may be there again later
	// gate context: the caller still waits
	// gate sender: the sender says nothing against it
	// gate action: a resend was chosen
	// gate replay safety: it may run twice by the protocol
	// gate owner: this loop owns the call
	// gate remedy: no remedy is carried out
	// gate attempts: attempt 1 of 4
	// gate sends: requests sent for this call: 1, of 8
	// gate hint: the server asks for 1m30s, more than the 1m0s that are waited
	// decision: abort, delay 1m30s
}

// A faulty policy is told by the place of the fault and what is allowed there.
func ExampleParsePolicy() {
	p, err := retry.ParsePolicy([]byte(`{"attempts": 3, "rules": [{"codes": [-32050], "action": "retry", "minDelay": "2s"}]}`))
	fmt.Println(p.Attempts, p.Rules[0].MinDelay == 2*time.Second, err)

	_, err = retry.ParsePolicy([]byte("{\n\t\"rules\": [{\"codes\": [-32050], \"action\": \"again\"}]\n}"))
	fmt.Println(err)
	// Output:
	// 3 true <nil>
	// policy:2:42: rules[0].action: unknown action "again"; allowed: abort, surface, ask, retry
}
