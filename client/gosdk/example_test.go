package gosdk_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client/gosdk"
	"github.com/mcperr/mcperr/internal/adapt/agent"
	"github.com/mcperr/mcperr/interpret"
)

// A host that starts anew: each call comes with its answer.
func ExampleConnect() {
	server := agent.Server() // one that wants a sign-in for payments
	defer server.Close()
	ctx := context.Background()

	s, err := gosdk.Connect(ctx, mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, nil), server.URL, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()

	_, answer := s.CallTool(ctx, &mcp.CallToolParams{Name: "pay"})
	fmt.Println(answer.Outcome.Kind, answer.Decision.Action, answer.Outcome.Scopes)

	r, answer := s.CallTool(ctx, &mcp.CallToolParams{Name: "pay"}) // the user has signed in elsewhere
	fmt.Println(answer.Decision.Action, r.Content[0].(*mcp.TextContent).Text)
	// Output:
	// unauthorized ask [payments]
	// proceed fine
}

// A host that keeps its client: two lines are added, and its errors mean something.
func ExampleInstall() {
	server := agent.Server()
	defer server.Close()
	ctx := context.Background()

	c := mcp.NewClient(&mcp.Implementation{Name: "host", Version: "1"}, nil)
	gosdk.Install(c, nil)
	transport, _ := gosdk.HTTP{Endpoint: server.URL}.Dialer()(ctx)
	cs, err := c.Connect(ctx, transport, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer cs.Close()

	r, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: "report"})
	var fault *interpret.Error
	if errors.As(err, &fault) {
		fmt.Println(fault.Kind, fault.Status, fault.Ran)
	}
	fmt.Println(gosdk.Answer(r, err).Decision.Action)
	// Output:
	// forbidden 403 no
	// abort
}
