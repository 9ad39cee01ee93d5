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

// report uses the SDK's own session. Two lines of it are new, and its errors mean something.
func report(ctx context.Context, endpoint string) error {
	c := mcp.NewClient(&mcp.Implementation{Name: "my-host", Version: "1"}, nil)
	gosdk.Install(c, nil)                                          // new
	transport, err := gosdk.HTTP{Endpoint: endpoint}.Dialer()(ctx) // new, in the place of &mcp.StreamableClientTransport{Endpoint: endpoint}
	if err != nil {
		return err
	}
	cs, err := c.Connect(ctx, transport, nil)
	if err != nil {
		return err
	}
	defer cs.Close()

	result, err := cs.CallTool(ctx, &mcp.CallToolParams{Name: "report"})
	if fault, ok := errors.AsType[*interpret.Error](err); ok {
		fmt.Println(fault.Kind, fault.Status, fault.Ran)
	}
	fmt.Println(gosdk.Answer(result, err).ForModel())
	return nil
}

// A host that keeps its client: two lines are added, and its errors mean something.
func ExampleInstall() {
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
