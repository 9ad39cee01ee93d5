package retry_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// unsteady starts a server that is down at first.
func unsteady() *httptest.Server {
	down := true
	return httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if down {
			down = false
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`)
	}))
}

// A host that makes its own HTTP requests gives them to the loop.
func ExampleLoop_HTTP() {
	server := unsteady()
	defer server.Close()

	loop := &retry.Loop{Rand: func() float64 { return 0 }} // no wait, for the example
	body := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, server.URL, body)
	if err != nil {
		panic(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")

	answer := loop.HTTP(http.DefaultClient, request, interpret.Request{}) // the zero Request: its facts are read from the bytes
	for _, a := range answer.Attempts {
		fmt.Println(a.Number, a.Status, a.Kind, a.Decision.Action)
	}
	// Output:
	// 1 503 unavailable retry
	// 2 200 ok proceed
}
