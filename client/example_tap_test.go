package client_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
)

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
