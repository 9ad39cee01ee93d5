package mcperr_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/fixtures"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// server is a recorded one: a TypeScript SDK refuses a date.
var server = recorded("ts-sdk-v2-minimal@2.4.0/http-2026-07-28/call-bad-format")

// The bodies of these functions are the examples of README.md; package internal/doctest compares them.
func Example() {
	body := []byte(`{"jsonrpc":"2.0","id":11,"method":"tools/call","params":{"name":"book_flight","arguments":{"departureDate":"tomorrow"}}}`)
	request, err := interpret.ParseRequest(body, http.Header{}) // what was asked decides what the reply means
	if err != nil {
		panic(err)
	}
	post, err := http.NewRequest(http.MethodPost, server, bytes.NewReader(body))
	if err != nil {
		panic(err)
	}
	post.Header.Set("Content-Type", "application/json")
	post.Header.Set("Accept", "application/json, text/event-stream")
	exchange := client.Send(http.DefaultClient, post, request) // once: what came back, or how that failed
	outcome := interpret.Reply(exchange)
	decision := retry.DefaultPolicy().Decide(request, outcome, retry.State{Now: time.Now()})
	fmt.Println("kind:", outcome.Kind)
	fmt.Println("who can fix it:", outcome.Fixer())
	fmt.Println("what to do:", decision.Action, "because", decision.Reason)
	// Output:
	// kind: tool_error
	// who can fix it: model
	// what to do: surface because the tool ran and says that it failed
}

func Example_rule() {
	policy := retry.DefaultPolicy().With(retry.Rule{
		Name: "busy", Codes: []int64{-32050}, Action: retry.Retry, Tries: 2, MinDelay: 2 * time.Second,
	})
	reply := interpret.Exchange{Status: 200, Body: []byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"busy"}}`)}
	for _, method := range []string{"tools/list", "tools/call"} {
		reply.Request = interpret.Request{Method: method, ID: "1", Target: "pay"}
		decision := policy.Decide(reply.Request, interpret.Reply(reply), retry.State{})
		fmt.Println(method, decision.Action, decision.Delay, decision.Reason)
	}
	// Output:
	// tools/list retry 2s a rule of the host says so
	// tools/call surface 0s it may have run, and nobody vouches that it may run twice
}

// recorded starts a server that answers everything with one reply of the corpus.
func recorded(id string) string {
	for c, err := range fixtures.Cases() {
		if err != nil || c.ID != id {
			continue
		}
		x, err := c.Exchange()
		if err != nil {
			panic(err)
		}
		return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", x.Header.Get("Content-Type"))
			w.WriteHeader(x.Status)
			w.Write(x.Body)
		})).URL
	}
	panic("no case " + id)
}
