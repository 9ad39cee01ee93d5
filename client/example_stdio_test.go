package client_test

import (
	"context"
	"fmt"
	"os"

	"github.com/mcperr/mcperr/client"
)

// toolsOf lists the tools of a program, such as client.Stdio{Command: "my-server", Args: []string{"--stdio"}}.
func toolsOf(ctx context.Context, program client.Stdio) error {
	c, err := client.New(program, client.Options{Name: "my-host"})
	if err != nil {
		return err
	}
	defer c.Close() // ends the process

	tools := c.ListTools(ctx)
	for _, tool := range tools.Items {
		fmt.Println("tool:", tool.Name)
	}
	fmt.Println(c.Server().Era, c.Server().Version)
	return tools.Err()
}

// A server that is a program speaks over its standard input and output. Which protocol it speaks is found out.
func ExampleStdio() {
	program := client.Stdio{ // this test, started again as a server
		Command: os.Args[0],
		Env:     append(os.Environ(), "MCPERR_TEST_CHILD=mcp", "MCPERR_TEST_ERA=legacy"),
	}
	if err := toolsOf(context.Background(), program); err != nil {
		panic(err)
	}
	// Output:
	// tool: act
	// legacy 2025-11-25
}
