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

// report uses mcp-go's own client. The transport below it is another one, and its errors mean something.
func report(ctx context.Context, endpoint string) error {
	transport, err := mcpgo.HTTP{Endpoint: endpoint}.Dialer()(ctx) // in the place of transport.NewStreamableHTTP(endpoint)
	if err != nil {
		return err
	}
	c := client.NewClient(mcpgo.Wrap(transport, nil))
	defer c.Close()
	if _, err := c.Initialize(ctx, mcp.InitializeRequest{}); err != nil {
		return err
	}

	var call mcp.CallToolRequest
	call.Params.Name = "report"
	result, err := c.CallTool(ctx, call)
	if fault, ok := errors.AsType[*interpret.Error](err); ok {
		fmt.Println(fault.Kind, fault.Status, fault.Ran)
	}
	fmt.Println(mcpgo.Answer(result, err).ForModel())
	return nil
}

// A host that keeps its client: the transport is wrapped, and its errors mean something.
func ExampleWrap() {
	server := agent.Server()
	defer server.Close()

	if err := report(context.Background(), server.URL); err != nil {
		fmt.Println(err)
	}
	// Output:
	// forbidden 403 no
	// The call of tool "report" failed. The server refuses access.
	// The tool did not run. You cannot fix this: go on without it, or tell the user.
}
