package mcpgo_test

import (
	"context"
	"fmt"
	"os"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/mcperr/mcperr/client/mcpgo"
)

// overStdio opens a session with a program, over its standard input and output. A session that is replaced starts it anew.
func overStdio(ctx context.Context, name string, args ...string) (*mcpgo.Session, error) {
	var init mcp.InitializeRequest
	init.Params.ClientInfo = mcp.Implementation{Name: "my-host", Version: "1"}
	return mcpgo.Dial(ctx, mcpgo.Command(name, nil, args...), init, nil)
}

// A server that is a program: this test, started again as one.
func ExampleCommand() {
	ctx := context.Background()
	s, err := overStdio(ctx, os.Args[0], exampleServer)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close() // ends the process

	for _, name := range []string{"exit", "hello"} { // the second one of another process
		var call mcp.CallToolRequest
		call.Params.Name = name
		_, answer := s.CallTool(ctx, call)
		fmt.Println(answer.Outcome.Kind, answer.Decision.Action)
	}
	// Output:
	// connection_lost surface
	// ok proceed
}

// exampleServer is the argument that has this test be a server.
const exampleServer = "-example-server"

func init() {
	if len(os.Args) != 2 || os.Args[1] != exampleServer {
		return
	}
	s := server.NewMCPServer("example", "1")
	for name, exit := range map[string]bool{"hello": false, "exit": true} {
		s.AddTool(mcp.NewTool(name), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if exit {
				os.Exit(1)
			}
			return mcp.NewToolResultText(name), nil
		})
	}
	server.ServeStdio(s)
	os.Exit(0)
}
