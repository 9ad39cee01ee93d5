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

// listTools sends a request of the host's own, as often as the loop says. new(retry.Loop) is one with the default policy.
func listTools(ctx context.Context, loop *retry.Loop, endpoint string) (*retry.Answer, error) {
	body := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, body)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	return loop.HTTP(http.DefaultClient, request, interpret.Request{}), nil // the zero Request: its facts are read from the bytes
}

// A host that makes its own HTTP requests gives them to the loop.
func ExampleLoop_HTTP() {
	server := unsteady()
	defer server.Close()

	loop := &retry.Loop{Rand: func() float64 { return 0 }} // no wait, for the example
	answer, err := listTools(context.Background(), loop, server.URL)
	if err != nil {
		panic(err)
	}
	for _, a := range answer.Attempts {
		fmt.Println(a.Number, a.Status, a.Kind, a.Decision.Action)
	}
	// Output:
	// 1 503 unavailable retry
	// 2 200 ok proceed
}
