package client_test

import (
	"context"
	"fmt"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/retry"
)

// patient is a host that knows a code of the server's own, and that a tool may run twice.
func patient() client.Options {
	return client.Options{
		Policy: retry.DefaultPolicy().With(retry.Rule{Name: "busy", Codes: []int64{-32050}, Action: retry.Retry, Tries: 2}),
		Vouch:  []string{"get_weather"},
	}
}

// The host says what a code of the server's own means, and which tools may run twice.
func ExampleOptions_rule() {
	server := serving(`"error":{"code":-32050,"message":"busy"}`, noCity)
	defer server.Close()

	for _, a := range call(server.URL, patient()).Attempts {
		fmt.Println(a.Kind, a.Decision.Action, a.Decision.Rule)
	}
	// Output:
	// unknown_error retry busy
	// tool_error surface default/tool_error
}

// call makes the call of these examples.
func call(endpoint string, o client.Options) *retry.Answer {
	c, err := client.New(client.HTTP{URL: endpoint}, o)
	if err != nil {
		panic(err)
	}
	defer c.Close()
	return c.CallTool(context.Background(), "get_weather", map[string]any{"city": "Atlantis"})
}

// steps prints the attempts of a call.
func steps(answer *retry.Answer) {
	for _, a := range answer.Attempts {
		fmt.Println(a.Kind, a.Decision.Action)
	}
}
