package client_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// declaring is a host that has the user's model answer a server only where one insists. By itself such a call ends: it needs a rule.
func declaring(sampling client.Handler) client.Options {
	return client.Options{
		Handlers: map[string]client.Handler{"sampling/createMessage": sampling},
		Declare: func(_ context.Context, required []string) (any, error) {
			if !slices.Equal(required, []string{"sampling"}) {
				return nil, fmt.Errorf("the server needs %v", required)
			}
			return map[string]any{"sampling": map[string]any{}}, nil
		},
		Policy: retry.DefaultPolicy().With(retry.Rule{Name: "declare", Kinds: []interpret.Kind{interpret.MissingCapability}, Action: retry.Retry}),
		Vouch:  []string{"get_weather"}, // its refusal is no proof that nothing ran
	}
}

// A server that needs a capability says so; what can be declared is, and the call goes on.
func ExampleOptions_declare() {
	server := serving(`"error":{"code":-32021,"message":"needs sampling","data":{"requiredCapabilities":{"sampling":{}}}}`, noCity)
	defer server.Close()

	steps(call(server.URL, declaring(nil)))
	// Output:
	// missing_capability retry
	// tool_error surface
}
