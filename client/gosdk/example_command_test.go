package gosdk_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client/gosdk"
)

// overStdio opens a session with a program, over its standard input and output. A session that is replaced starts it anew.
func overStdio(ctx context.Context, name string, args ...string) (*gosdk.Session, error) {
	c := mcp.NewClient(&mcp.Implementation{Name: "my-host", Version: "1"}, nil)
	program := gosdk.Command(func() *exec.Cmd { return exec.Command(name, args...) })
	return gosdk.Dial(ctx, c, program, nil)
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

	_, answer := s.CallTool(ctx, &mcp.CallToolParams{Name: "exit"})
	fmt.Println(answer.Outcome.Kind, answer.Decision.Action)
	_, answer = s.CallTool(ctx, &mcp.CallToolParams{Name: "hello"}) // of another process
	fmt.Println(answer.Outcome.Kind, answer.Decision.Action)
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
	s := mcp.NewServer(&mcp.Implementation{Name: "example", Version: "1"}, nil)
	for name, exit := range map[string]bool{"hello": false, "exit": true} {
		mcp.AddTool(s, &mcp.Tool{Name: name}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			if exit {
				os.Exit(1)
			}
			return &mcp.CallToolResult{}, nil, nil
		})
	}
	s.Run(context.Background(), &mcp.StdioTransport{})
	os.Exit(0)
}
