package gosdk

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/internal/adapt"
	"github.com/mcperr/mcperr/retry"
)

// Answer says what a call of the SDK's came to: the decision, and what the model reads. It takes what the call returned.
// After [Install] it is the loop's own answer; of a result, or without Install, it is read again from what the SDK left of it.
func Answer(r mcp.Result, err error) *retry.Answer {
	return adapt.Answer(methodOf(r), r, err, unmask)
}

// methodOf returns the method whose result it is. A typed nil, as beside an error, tells as well.
func methodOf(r mcp.Result) string {
	switch r.(type) {
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
