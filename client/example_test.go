package client_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/retry"
)

// A host makes a call and does with the answer what it says.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(weather))
	defer server.Close()

	c, err := client.New(client.HTTP{URL: server.URL}, client.Options{Name: "my-host"})
	if err != nil {
		panic(err)
	}
	defer c.Close()

	answer := c.CallTool(context.Background(), "get_weather", map[string]any{"city": "Atlantis"})
	switch answer.Decision.Action {
	case retry.Proceed:
		fmt.Println("result:", string(answer.Outcome.Result))
	case retry.Ask:
		fmt.Println("a person has to act:", answer.Outcome.Kind)
	default: // surface and abort: the model gets a text that says what it can do
		fmt.Println(answer.Decision.Action, answer.Outcome.Kind)
	}
	// Output: surface tool_error
}
