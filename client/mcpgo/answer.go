package mcpgo

import (
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcperr/mcperr/internal/adapt"
	"github.com/mcperr/mcperr/retry"
)

// Answer says what a call of mcp-go's came to: the decision, and what the model reads. It takes what the call returned.
// Behind [Wrap] it is the loop's own answer; of a result, or without Wrap, it is read again from what mcp-go left of it.
func Answer(result any, err error) *retry.Answer {
	return adapt.Answer(methodOf(result), result, err, unmask)
}

// methodOf returns the method whose result it is. A typed nil, as beside an error, tells as well.
func methodOf(result any) string {
	switch result.(type) {
	case *mcp.ReadResourceResult:
		return "resources/read"
	case *mcp.GetPromptResult:
		return "prompts/get"
	case *mcp.ListToolsResult:
		return "tools/list"
	case *mcp.ListPromptsResult:
		return "prompts/list"
	case *mcp.ListResourcesResult:
		return "resources/list"
	}
	return "tools/call"
}
