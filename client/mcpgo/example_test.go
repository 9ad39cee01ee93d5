package mcpgo_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcperr/mcperr/client/mcpgo"
	"github.com/mcperr/mcperr/internal/adapt/agent"
	"github.com/mcperr/mcperr/interpret"
)

// A host that starts anew: each call comes with its answer.
func ExampleConnect() {
	server := agent.Server() // one that wants a sign-in for payments
	defer server.Close()
	ctx := context.Background()

	var init mcp.InitializeRequest
	init.Params.ClientInfo = mcp.Implementation{Name: "host", Version: "1"}
	s, err := mcpgo.Connect(ctx, server.URL, init, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()

	var pay mcp.CallToolRequest
	pay.Params.Name = "pay"
	_, answer := s.CallTool(ctx, pay)
	fmt.Println(answer.Outcome.Kind, answer.Decision.Action, answer.Outcome.Scopes)

	r, answer := s.CallTool(ctx, pay) // the user has signed in elsewhere
	fmt.Println(answer.Decision.Action, r.Content[0].(mcp.TextContent).Text)
	// Output:
	// unauthorized ask [payments]
	// proceed fine
}

// A host that keeps its client: the transport is wrapped, and its errors mean something.
func ExampleWrap() {
	server := agent.Server()
	defer server.Close()
	ctx := context.Background()

	transport, err := mcpgo.HTTP{Endpoint: server.URL}.Dialer()(ctx)
	if err != nil {
		fmt.Println(err)
		return
	}
	c := client.NewClient(mcpgo.Wrap(transport, nil))
	defer c.Close()
	if _, err := c.Initialize(ctx, mcp.InitializeRequest{}); err != nil {
		fmt.Println(err)
		return
	}

	var report mcp.CallToolRequest
	report.Params.Name = "report"
	r, err := c.CallTool(ctx, report)
	var fault *interpret.Error
	if errors.As(err, &fault) {
		fmt.Println(fault.Kind, fault.Status, fault.Ran)
	}
	fmt.Println(mcpgo.Answer(r, err).Decision.Action)
	// Output:
	// forbidden 403 no
	// abort
}
