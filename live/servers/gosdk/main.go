// Command gosdk is a small server on the official Go SDK.
// With `http PORT` it serves sessions of the older protocol; with `http PORT stateless` both eras, without sessions.
package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/live/internal/serve"
)

func main() {
	server := newServer()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless:                    len(os.Args) > 3 && os.Args[3] == "stateless",
		PropagateRequestCancellation: true,
	})
	serve.Main(func(ctx context.Context) error { return server.Run(ctx, &mcp.StdioTransport{}) }, handler)
}

func newServer() *mcp.Server {
	server := mcp.NewServer(&mcp.Implementation{Name: "go-sdk-live", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "add", Description: "adds two numbers"}, add)
	mcp.AddTool(server, &mcp.Tool{Name: "boom", Description: "fails with an error"}, boom)
	mcp.AddTool(server, &mcp.Tool{Name: "fail_result", Description: "answers with isError"}, failResult)
	mcp.AddTool(server, &mcp.Tool{Name: "slow", Description: "takes its time"}, slow)
	mcp.AddTool(server, &mcp.Tool{Name: "ask_user", Description: "asks the user for a name"}, askUser)
	mcp.AddTool(server, &mcp.Tool{Name: "counter", Description: "counts its executions"}, counter)
	mcp.AddTool(server, &mcp.Tool{Name: "count", Description: "tells how often counter ran"}, count)
	mcp.AddTool(server, &mcp.Tool{Name: "die", Description: "ends the process"}, die)
	server.AddResource(&mcp.Resource{Name: "greeting", URI: "test://greeting"}, greeting)
	server.AddPrompt(&mcp.Prompt{Name: "greet", Arguments: []*mcp.PromptArgument{{Name: "name", Required: true}}}, greet)
	return server
}

type none struct{}

type addArgs struct {
	A float64 `json:"a"`
	B float64 `json:"b"`
}

func add(_ context.Context, _ *mcp.CallToolRequest, args addArgs) (*mcp.CallToolResult, any, error) {
	return text(fmt.Sprint(args.A+args.B), nil)
}

func boom(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
	return nil, nil, errors.New("boom: the tool failed")
}

func failResult(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: "the order is already shipped"}}}, nil, nil
}

func slow(ctx context.Context, _ *mcp.CallToolRequest, args struct {
	Millis int `json:"ms"`
}) (*mcp.CallToolResult, any, error) {
	return text(serve.Slow(ctx, args.Millis))
}

func counter(ctx context.Context, _ *mcp.CallToolRequest, args struct {
	Hold int `json:"hold_ms,omitempty"`
}) (*mcp.CallToolResult, any, error) {
	return text(serve.Counter(ctx, args.Hold))
}

func count(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
	return text(serve.Count())
}

func die(context.Context, *mcp.CallToolRequest, none) (*mcp.CallToolResult, any, error) {
	serve.Die()
	return nil, nil, nil
}

// askUser is written for 2026-07-28; the SDK turns it into a request of its own for older clients.
func askUser(_ context.Context, req *mcp.CallToolRequest, _ none) (*mcp.CallToolResult, any, error) {
	answer, ok := req.Params.InputResponses["name"].(*mcp.ElicitResult)
	if !ok {
		return &mcp.CallToolResult{RequestState: "asked", InputRequests: mcp.InputRequestMap{"name": &mcp.ElicitParams{
			Message: "What is your name?",
			RequestedSchema: map[string]any{
				"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}, "required": []string{"name"},
			},
		}}}, nil, nil
	}
	if answer.Action != "accept" {
		return text("hello stranger", nil)
	}
	return text(fmt.Sprintf("hello %v", answer.Content["name"]), nil)
}

func greeting(_ context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: "text/plain", Text: "hello"}}}, nil
}

func greet(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
		{Role: "user", Content: &mcp.TextContent{Text: "Greet " + req.Params.Arguments["name"]}},
	}}, nil
}

func text(s string, err error) (*mcp.CallToolResult, any, error) {
	if err != nil {
		return nil, nil, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}, nil, nil
}
