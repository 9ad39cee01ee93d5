package mcpgo

import (
	"reflect"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcperr/mcperr/internal/adapt"
	"github.com/mcperr/mcperr/retry"
)

// Answer says what a call of mcp-go's came to: the decision, and what the model reads. It takes what the call returned.
// Behind [Wrap] it is the loop's own answer, of an error and of a result alike; what was changed in a result since does not count.
// Without Wrap, and of a result that is none of the last 256 (or 32 MiB) any more, it is read again from what mcp-go left of it and judged by
// the default policy, and of no tool in particular.
func Answer(result any, err error) *retry.Answer {
	method, h := known(result)
	own := h.Answer()
	if mark := markOf(result); mark != "" {
		if own == nil {
			own = adapt.Marked(mark)
		}
		result = adapt.Unmarked(result, mark)
	}
	if own != nil && err == nil && strings.HasSuffix(method, "/list") { // mcp-go has made one of all pages
		own = adapt.Reread(own, result, unmask)
	}
	return adapt.Answer(method, result, own, err, unmask)
}

// keep remembers the answer that a result came with. What is no result of a request is not remembered.
func keep(result any, a *retry.Answer) {
	_, h := known(result)
	h.Keep(a)
}

// known returns the method whose result it is, and its handle. A typed nil, as beside an error, tells the method as well.
func known(result any) (method string, h adapt.Handle) {
	switch r := result.(type) {
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

// markOf returns the mark that Wrap has put into a result's _meta, "" if there is none: every result of mcp-go's has one mcp.Result in it.
func markOf(result any) (mark string) {
	v := reflect.Indirect(reflect.ValueOf(result))
	if v.Kind() != reflect.Struct {
		return ""
	}
	if f := v.FieldByName("Meta"); f.IsValid() {
		if meta, _ := f.Interface().(*mcp.Meta); meta != nil {
			mark, _ = meta.AdditionalFields[adapt.MarkName].(string)
		}
	}
	return mark
}
