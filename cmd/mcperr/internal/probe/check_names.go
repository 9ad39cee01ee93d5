package probe

import (
	"context"
	"encoding/json"

	"github.com/mcperr/mcperr/interpret"
)

// Names that nobody has. They look like no path and no host, so that a server which quotes them gives nothing away.
const (
	noMethod   = "mcperr/no_such_method"
	noTool     = "mcperr_no_such_tool"
	noPrompt   = "mcperr_no_such_prompt"
	noResource = "mcperr-probe:no-such-resource"
	noCursor   = "mcperr-no-such-cursor"
)

var toolList = Check{
	ID: "tool_list", Asks: "the list of its tools", sends: 1,
	wants: []want{{says: "a result with tools", ref: "server/tools#listing-tools"}},
	unfit: undeclared("tools"),
	ask: func(ctx context.Context, a *asking) {
		a.send(ctx, a.request("tools/list", nil))
		if !a.readable() {
			return
		}
		a.must(a.last.m.Result != nil, "it answers with an error")
		a.readAs(interpret.OK)
		a.learnTools()
	},
}

// learnTools keeps the names and schemas of the first page. The names are all there are only if no page follows.
func (a *asking) learnTools() {
	var list struct {
		Tools []struct {
			Name        string
			InputSchema json.RawMessage
		}
		NextCursor string
	}
	if a.last.o.Kind != interpret.OK || !a.last.result(&list) {
		return
	}
	a.server.schemas = make(map[string][]byte)
	var names []string
	for _, t := range list.Tools {
		names = append(names, t.Name)
		a.server.schemas[t.Name] = t.InputSchema
	}
	if list.NextCursor == "" {
		a.server.tools = interpret.NewNames(names...)
	}
}

var unknownMethod = Check{
	ID: "unknown_method", Asks: "a method nobody has", sends: 1,
	wants: []want{
		{since: interpret.Version20260728, over: overHTTP, says: "-32601 with HTTP 404", ref: "basic/transports/streamable-http#protocol-version-header"},
		{says: "-32601", ref: jsonRPCErrors},
	},
	ask: func(ctx context.Context, a *asking) {
		a.send(ctx, a.request(noMethod, nil))
		if !a.readable() {
			return
		}
		if a.failsWith(-32601) && a.server.modern() {
			a.status(404)
		}
		a.readAs(interpret.MethodNotFound)
	},
}

var unknownTool = Check{
	ID: "unknown_tool", Asks: "a tool that is not on the list", sends: 1,
	wants: []want{{says: "-32602, and no result with isError", ref: "server/tools#error-handling"}},
	unfit: func(p *Probe) string {
		if p.server.schemas[noTool] != nil {
			return "the server has a tool of that very name"
		}
		return undeclared("tools")(p)
	},
	ask: func(ctx context.Context, a *asking) {
		a.send(ctx, a.request("tools/call", params{"name": noTool, "arguments": params{}}))
		if !a.readable() {
			return
		}
		var result struct{ IsError bool }
		if a.last.result(&result) && result.IsError {
			a.must(false, "it answers with a result that has isError: a model reads that a tool has failed")
			return
		}
		if a.failsWith(-32602) {
			a.readAs(interpret.UnknownTool)
		}
	},
}

var unknownResource = Check{
	ID: "unknown_resource", Asks: "a resource that is not there", sends: 1,
	wants: []want{
		{since: interpret.Version20260728, says: "-32602 with data.uri, never empty contents", ref: "server/resources#error-handling"},
		{says: "-32002 with data.uri, never empty contents", ref: "server/resources#error-handling"},
	},
	unfit: undeclared("resources"),
	ask: func(ctx context.Context, a *asking) {
		a.send(ctx, a.request("resources/read", params{"uri": noResource}))
		if !a.readable() {
			return
		}
		var result struct{ Contents []json.RawMessage }
		if a.last.result(&result) {
			a.must(len(result.Contents) > 0, "it answers with empty contents: a client takes them for an empty resource")
			a.must(len(result.Contents) == 0, "it answers with contents, for a resource that nobody has")
			return
		}
		a.readAs(interpret.ResourceNotFound)
		if right := a.notFoundCode(); len(a.demands) == 0 {
			a.should(a.coded(right), "its code is %s, not %d", a.code(), right)
		}
		var data struct{ URI string }
		a.last.data(&data)
		a.should(data.URI == noResource, "its error does not name the resource in data.uri")
	},
}

func (a *asking) notFoundCode() int64 {
	if a.server.modern() {
		return -32602
	}
	return -32002
}

var unknownPrompt = Check{
	ID: "unknown_prompt", Asks: "a prompt that is not there", sends: 1,
	wants: []want{{says: "-32602", ref: "server/prompts#error-handling"}},
	unfit: undeclared("prompts"),
	ask: func(ctx context.Context, a *asking) {
		a.send(ctx, a.request("prompts/get", params{"name": noPrompt}))
		if !a.readable() {
			return
		}
		if a.last.m.Error == nil {
			a.must(false, "it answers with a result, not with an error")
			return
		}
		a.readAs(interpret.UnknownPrompt, interpret.InvalidArguments)
		if len(a.demands) == 0 {
			a.should(a.coded(-32602), "its code is %s, not -32602", a.code())
		}
	},
}

// undeclared is why a question about a feature is not asked.
func undeclared(feature string) func(*Probe) string {
	return func(p *Probe) string {
		if !p.server.capabilities[feature] {
			return "the server declares no " + feature
		}
		return ""
	}
}
