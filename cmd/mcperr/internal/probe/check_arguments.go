package probe

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/mcperr/mcperr/interpret"
)

var badArguments = Check{
	ID: "bad_arguments", Asks: "arguments that the named tool must refuse", sends: 1,
	wants: []want{
		{since: interpret.Version20251125, says: "a result with isError, whose text names the argument", ref: "server/tools#error-handling"},
		{says: "-32602 or a result with isError, whose text names the argument", ref: "server/tools#error-handling"},
	},
	unfit: func(p *Probe) string {
		if p.opts.Tool == nil {
			return "no tool was named for it (--tool)"
		}
		return undeclared("tools")(p)
	},
	ask: func(ctx context.Context, a *asking) {
		a.send(ctx, a.request("tools/call", params{"name": a.opts.Tool.Name, "arguments": a.opts.Tool.Arguments}))
		if !a.readable() {
			return
		}
		if a.last.o.Kind == interpret.HeaderMismatch {
			a.why = "the tool wants its arguments in headers, too"
			return
		}
		if a.last.o.Kind == interpret.OK {
			a.must(false, "the tool takes them")
			return
		}
		a.readAs(interpret.ToolError, interpret.InvalidArguments)
		if len(a.demands) > 0 {
			return
		}
		if a.server.Version >= interpret.Version20251125 {
			a.should(a.last.o.Kind == interpret.ToolError, "it refuses them with an error, not with isError: many hosts keep errors from the model")
		}
		names := argumentNames(a.opts.Tool.Arguments, a.server.schemas[a.opts.Tool.Name])
		a.must(mentions(a.last, names), "its text names no argument: a model cannot know what to change")
	},
}

// argumentNames are those that were sent and those that the tool's schema has.
func argumentNames(sent, schema []byte) []string {
	var arguments map[string]json.RawMessage
	var s struct {
		Properties map[string]json.RawMessage
		Required   []string
	}
	json.Unmarshal(sent, &arguments)
	json.Unmarshal(schema, &s)
	return slices.Concat(slices.Sorted(maps.Keys(arguments)), slices.Sorted(maps.Keys(s.Properties)), s.Required)
}

// mentions reports whether a refusal has one of the names as a word, wherever it stands in it.
func mentions(r *reply, names []string) bool {
	said := string(r.x.Body)
	for _, l := range r.x.Lines {
		said += string(l)
	}
	words := strings.FieldsFunc(said, func(c rune) bool {
		return c != '_' && c != '-' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c < 0x80
	})
	for _, name := range names {
		if name != "" && (slices.Contains(words, name) || strings.ContainsAny(name, " .:/") && strings.Contains(said, name)) {
			return true
		}
	}
	return false
}
