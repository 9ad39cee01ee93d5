package gosdk

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/internal/adapt"
	"github.com/mcperr/mcperr/retry"
)

// Answer says what a call of the SDK's came to: the decision, and what the model reads. It takes what the call returned.
// After [Install] it is the loop's own answer, of an error and of a result alike, for as long as the host has that very result, and it is one of
// the last 4096 of those; what was changed in it since does not count. Of a copy, of a result that middleware of the host's put in its place,
// and without Install it is read again from what is there and judged by the default policy, and of no tool in particular.
func Answer(r mcp.Result, err error) *retry.Answer {
	method, h := known(r)
	return adapt.Answer(method, r, h.Answer(), err, unmask)
}

// keep remembers the answer that a result came with. What is no result of a request is not remembered.
func keep(r any, a *retry.Answer) {
	if r, ok := r.(mcp.Result); ok {
		_, h := known(r)
		h.Keep(a)
	}
}

// known returns the method whose result it is, and its handle. A typed nil, as beside an error, tells the method as well.
func known(r mcp.Result) (method string, h adapt.Handle) {
	switch r := r.(type) {
	case *mcp.CallToolResult:
		return "tools/call", adapt.HandleOf(r)
	case *mcp.ReadResourceResult:
		return "resources/read", adapt.HandleOf(r)
	case *mcp.GetPromptResult:
		return "prompts/get", adapt.HandleOf(r)
	case *mcp.ListToolsResult:
		return "tools/list", adapt.HandleOf(r)
	case *mcp.ListPromptsResult:
		return "prompts/list", adapt.HandleOf(r)
	case *mcp.ListResourcesResult:
		return "resources/list", adapt.HandleOf(r)
	case *mcp.ListResourceTemplatesResult:
		return "resources/templates/list", adapt.HandleOf(r)
	case *mcp.CompleteResult:
		return "completion/complete", adapt.HandleOf(r)
	}
	return "tools/call", h
}
