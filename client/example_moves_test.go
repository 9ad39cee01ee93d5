package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// program is a server for standard input and output: this test, started again as one.
var program = client.Stdio{
	Command: os.Args[0],
	Env:     append(os.Environ(), "MCPERR_TEST_CHILD=mcp", "MCPERR_TEST_ERA=legacy"),
}

// A server that is a program speaks over its standard input and output. Which protocol it speaks is found out.
func ExampleStdio() {
	c, err := client.New(program, client.Options{Name: "my-host"}) // client.Stdio{Command: "…", Args: …}
	if err != nil {
		panic(err)
	}
	defer c.Close() // ends the process

	tools := c.ListTools(context.Background())
	for _, tool := range tools.Items {
		fmt.Println("tool:", tool.Name)
	}
	fmt.Println(tools.Err(), c.Server().Era, c.Server().Version)
	// Output:
	// tool: act
	// <nil> legacy 2025-11-25
}

// guarded is the server of Example for those who have signed in.
func guarded(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") == "" {
		w.Header().Set("WWW-Authenticate", `Bearer scope="weather:read"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	weather(w, r)
}

// With a function for what a person is asked, the call goes on by itself; without one it ends in Ask and says what is wanted.
func ExampleOptions_authorize() {
	server := httptest.NewServer(http.HandlerFunc(guarded))
	defer server.Close()

	for _, signIn := range []func(context.Context, client.Challenge) (http.Header, error){
		nil,
		func(_ context.Context, c client.Challenge) (http.Header, error) {
			return http.Header{"Authorization": {"Bearer for " + strings.Join(c.Scopes, " ")}}, nil
		},
	} {
		c, err := client.New(client.HTTP{URL: server.URL}, client.Options{Authorize: signIn})
		if err != nil {
			panic(err)
		}
		answer := c.CallTool(context.Background(), "get_weather", map[string]any{"city": "Atlantis"})
		fmt.Println(answer.Outcome.Kind, answer.Decision.Action, answer.Outcome.Scopes)
		c.Close()
	}
	// Output:
	// unauthorized ask [weather:read]
	// tool_error surface []
}

// busyOnce is the server of Example, whose tool is busy at first: a code of its own.
func busyOnce() http.Handler {
	called := false
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Mcp-Method") != "tools/call" || called {
			weather(w, r)
			return
		}
		called = true
		var q struct{ ID json.RawMessage }
		json.NewDecoder(r.Body).Decode(&q)
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32050,"message":"busy"}}`, q.ID)
	})
}

// The host says what a code of the server's own means, and which tools may run twice.
func ExampleOptions_rule() {
	server := httptest.NewServer(busyOnce())
	defer server.Close()

	c, err := client.New(client.HTTP{URL: server.URL}, client.Options{
		Policy: retry.DefaultPolicy().With(retry.Rule{Name: "busy", Codes: []int64{-32050}, Action: retry.Retry, Tries: 2}),
		Vouch:  []string{"get_weather"},
	})
	if err != nil {
		panic(err)
	}
	defer c.Close()

	answer := c.CallTool(context.Background(), "get_weather", map[string]any{"city": "Atlantis"})
	for _, a := range answer.Attempts {
		fmt.Println(a.Kind, a.Decision.Action, a.Decision.Rule)
	}
	// Output:
	// unknown_error retry busy
	// tool_error surface default/tool_error
}

// A Tap goes below an SDK, in its HTTP client. What is no answer comes back as an error that says what it is.
func ExampleTap() {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "30")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer proxy.Close()

	hc := &http.Client{Transport: &client.Tap{}} // for the SDK

	_, err := hc.Post(proxy.URL, "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`))
	if fault, ok := errors.AsType[*interpret.Error](err); ok {
		fmt.Println(fault.Kind, fault.Status, fault.RetryAfter)
	}
	// Output: rate_limited 429 30s
}
