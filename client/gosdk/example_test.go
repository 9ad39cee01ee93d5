package gosdk_test

import (
	"context"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client/gosdk"
	"github.com/mcperr/mcperr/internal/adapt/agent"
	"github.com/mcperr/mcperr/retry"
)

// pay calls a tool. What is to be done stands in the answer, whatever came back.
func pay(ctx context.Context, s *gosdk.Session) {
	result, answer := s.CallTool(ctx, &mcp.CallToolParams{Name: "pay"})
	switch answer.Decision.Action {
	case retry.Proceed:
		fmt.Println(result.Content[0].(*mcp.TextContent).Text)
	case retry.Ask: // a person has to act
		fmt.Println(answer.Outcome.Kind, answer.Outcome.Scopes)
	default: // the model reads what it can do
		fmt.Println(answer.ForModel())
	}
}

// overHTTP opens a session with a server over HTTP.
func overHTTP(ctx context.Context, endpoint string) (*gosdk.Session, error) {
	c := mcp.NewClient(&mcp.Implementation{Name: "my-host", Version: "1"}, nil)
	return gosdk.Connect(ctx, c, endpoint, nil)
}

// A host that starts anew: each call comes with its answer.
func ExampleConnect() {
	server := agent.Server() // one that wants a sign-in for payments
	defer server.Close()
	ctx := context.Background()

	s, err := overHTTP(ctx, server.URL)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	pay(ctx, s)
	pay(ctx, s) // the user has signed in elsewhere
	// Output:
	// unauthorized [payments]
	// fine
}
