package client_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcperr/mcperr/client"
)

// answering is a host whose user answers what a server asks: ask shows the form and says whether it was filled in.
func answering(ask func(form json.RawMessage) (filled map[string]any, ok bool)) client.Options {
	return client.Options{
		Capabilities: map[string]any{"elicitation": map[string]any{"form": map[string]any{}}},
		Handlers: map[string]client.Handler{
			"elicitation/create": func(_ context.Context, form json.RawMessage) (any, error) {
				if filled, ok := ask(form); ok {
					return map[string]any{"action": "accept", "content": filled}, nil
				}
				return map[string]any{"action": "decline"}, nil
			},
		},
	}
}

// A server that needs something of the user asks for it, and the call goes on with the answer.
func ExampleOptions_handlers() {
	server := serving(`"result":{"resultType":"input_required","inputRequests":{"country":{"method":"elicitation/create",`+
		`"params":{"message":"Which country?","requestedSchema":{"type":"object","properties":{"country":{"type":"string"}}}}}}}`, noCity)
	defer server.Close()

	answer := call(server.URL, answering(func(form json.RawMessage) (map[string]any, bool) {
		var f struct{ Message string }
		if err := json.Unmarshal(form, &f); err != nil {
			return nil, false
		}
		fmt.Println("the user is asked:", f.Message)
		return map[string]any{"country": "Greece"}, true
	}))
	steps(answer)
	// Output:
	// the user is asked: Which country?
	// input_required ask
	// tool_error surface
}
