// Command mcpgo is a small server on mcp-go. It serves both eras.
package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/mcperr/mcperr/live/internal/serve"
)

func main() {
	s := newServer()
	serve.Main(func(context.Context) error { return server.ServeStdio(s) }, server.NewStreamableHTTPServer(s, server.WithStateful(true)))
}

func newServer() *server.MCPServer {
	s := server.NewMCPServer("mcp-go-live", "1.0.0", server.WithToolCapabilities(true), server.WithElicitation(),
		server.WithInputSchemaValidation(), server.WithRecovery())
	s.AddTool(mcp.NewTool("add", mcp.WithDescription("adds two numbers"),
		mcp.WithNumber("a", mcp.Required()), mcp.WithNumber("b", mcp.Required())), add)
	s.AddTool(mcp.NewTool("boom", mcp.WithDescription("fails with an error")), boom)
	s.AddTool(mcp.NewTool("fail_result", mcp.WithDescription("answers with isError")), failResult)
	s.AddTool(mcp.NewTool("slow", mcp.WithDescription("takes its time"), mcp.WithNumber("ms", mcp.Required())), slow)
	s.AddTool(mcp.NewTool("ask_user", mcp.WithDescription("asks the user for a name")), askUser)
	s.AddTool(mcp.NewTool("counter", mcp.WithDescription("counts its executions"), mcp.WithNumber("hold_ms")), counter)
	s.AddTool(mcp.NewTool("count", mcp.WithDescription("tells how often counter ran")), count)
	s.AddTool(mcp.NewTool("die", mcp.WithDescription("ends the process")), die)
	s.AddResource(mcp.NewResource("test://greeting", "greeting"), greeting)
	s.AddPrompt(mcp.NewPrompt("greet", mcp.WithArgument("name", mcp.RequiredArgument())), greet)
	return s
}

func add(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return text(fmt.Sprint(req.GetFloat("a", 0)+req.GetFloat("b", 0)), nil)
}

func boom(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return nil, errors.New("boom: the tool failed")
}

func failResult(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return mcp.NewToolResultError("the order is already shipped"), nil
}

func slow(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return text(serve.Slow(ctx, req.GetInt("ms", 0)))
}

func counter(ctx context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return text(serve.Counter(ctx, req.GetInt("hold_ms", 0)))
}

func count(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return text(serve.Count())
}

func die(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	serve.Die()
	return nil, nil
}

// askUser is written for 2026-07-28; the SDK turns it into a request of its own for older clients.
func askUser(_ context.Context, req mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	answer := server.ElicitationResponse(req.Params.InputResponses, "name")
	if answer == nil {
		return server.NewInputRequestBuilder("asked").Elicit("name", mcp.ElicitationParams{
			Message: "What is your name?",
			RequestedSchema: map[string]any{
				"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}, "required": []string{"name"},
			},
		}).ToolResult(), nil
	}
	if answer.Action != mcp.ElicitationResponseActionAccept {
		return text("hello stranger", nil)
	}
	content, _ := answer.Content.(map[string]any)
	return text(fmt.Sprintf("hello %v", content["name"]), nil)
}

func greeting(_ context.Context, req mcp.ReadResourceRequest) ([]mcp.ResourceContents, error) {
	return []mcp.ResourceContents{mcp.TextResourceContents{URI: req.Params.URI, MIMEType: "text/plain", Text: "hello"}}, nil
}

func greet(_ context.Context, req mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	return mcp.NewGetPromptResult("a greeting", []mcp.PromptMessage{
		mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent("Greet "+req.Params.Arguments["name"])),
	}), nil
}

func text(s string, err error) (*mcp.CallToolResult, error) {
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultText(s), nil
}
