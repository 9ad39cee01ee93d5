package retry_test

import (
	"context"
	"fmt"
	"time"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// A tool that moves money goes to the model after the first throttle, although nothing ran; all other tools are waited for.
func ExampleRule_tool() {
	policy := retry.DefaultPolicy().With(retry.Rule{
		Name: "pay once", Tools: []string{"pay"}, Action: retry.Surface,
	})
	for _, tool := range []string{"pay", "search"} {
		call := interpret.Request{Method: "tools/call", Target: tool, ID: "1"}
		outcome := interpret.Reply(interpret.Exchange{Request: call, Status: 429})
		decision := policy.Decide(call, outcome, retry.State{})
		fmt.Println(tool, outcome.Kind, decision.Action, "by", decision.Rule)
	}
	// Output:
	// pay rate_limited surface by pay once
	// search rate_limited retry by default/rate_limited
}

// A gateway says 503 while it is under maintenance, which takes hours.
func ExampleRule_status() {
	policy := retry.DefaultPolicy().With(
		retry.Rule{Name: "throttled", Statuses: []int{503}, Kinds: []interpret.Kind{interpret.RateLimited}, Action: retry.Retry},
		retry.Rule{Name: "maintenance", Statuses: []int{503}, Action: retry.Abort},
	)
	list := interpret.Request{Method: "tools/list", ID: "1"}
	for _, header := range []map[string][]string{{}, {"Ratelimit-Reset": {"2"}}} {
		outcome := interpret.Reply(interpret.Exchange{Request: list, Status: 503, Header: header})
		decision := policy.Decide(list, outcome, retry.State{})
		fmt.Println(outcome.Kind, decision.Action, "by", decision.Rule)
	}
	// Output:
	// unavailable abort by maintenance
	// rate_limited retry by throttled
}

// A rule asks for a resend of everything. It gets what the reply gives leave for.
func ExampleRule_gates() {
	always := retry.DefaultPolicy().With(retry.Rule{Name: "always", Action: retry.Retry})
	for _, c := range []struct {
		status int
		body   string
	}{
		{429, ""},
		{200, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error"}}`},
		{200, `{"jsonrpc":"2.0","id":1,"result":{"content":[],"isError":true}}`},
	} {
		pay := interpret.Request{Method: "tools/call", Target: "pay", ID: "1"}
		outcome := interpret.Reply(interpret.Exchange{Request: pay, Status: c.status, Body: []byte(c.body)})
		decision := always.Decide(pay, outcome, retry.State{})
		vouched := always.Decide(pay, outcome, retry.State{Vouched: true})
		fmt.Printf("%s, ran %s: %s; with the host's word %s\n", outcome.Kind, outcome.Ran, decision.Action, vouched.Action)
	}
	// Output:
	// rate_limited, ran no: retry; with the host's word retry
	// server_error, ran unknown: surface; with the host's word retry
	// tool_error, ran yes: surface; with the host's word surface
}

// All calls to one server share a budget of resends: an outage is not made much worse.
func ExampleServer() {
	sent := 0
	down := func(_ context.Context, r interpret.Request) interpret.Exchange {
		sent++
		return interpret.Exchange{Request: r, Status: 503}
	}
	loop := &retry.Loop{
		Server: retry.DefaultPolicy().NewServer(),
		Rand:   func() float64 { return 0 }, // no wait, for the example
	}
	for range 100 {
		loop.Do(context.Background(), interpret.Request{Method: "tools/list", ID: "1"}, down)
	}
	fmt.Println("100 calls,", sent, "requests")
	// Output:
	// 100 calls, 129 requests
}

// Patience is the policy's, too; what is left out keeps its default.
func ExamplePolicy() {
	policy := &retry.Policy{Attempts: 2, HintCap: 5 * time.Second, TimeBudget: 20 * time.Second}
	list := interpret.Request{Method: "tools/list", ID: "1"}
	wait := func(seconds string) interpret.Outcome {
		return interpret.Reply(interpret.Exchange{Request: list, Status: 429, Header: map[string][]string{"Retry-After": {seconds}}})
	}
	for _, seconds := range []string{"3", "30"} {
		decision := policy.Decide(list, wait(seconds), retry.State{})
		fmt.Println(decision.Action, decision.Delay, decision.Reason)
	}
	second := policy.Decide(list, wait("3"), retry.State{Attempt: 2})
	fmt.Println(second.Action, second.Delay, second.Reason)
	// Output:
	// retry 3s the server takes it again later
	// abort 30s the server asks for 30s, more than the 5s that are waited
	// abort 3s it was sent 2 times, of 2
}
