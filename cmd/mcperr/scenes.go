package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/cmd/mcperr/internal/replay"
	"github.com/mcperr/mcperr/fixtures"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// A scene is one call of the demo and the recorded replies that it meets.
type scene struct {
	who     string              // sends the reply that the scene is about
	about   string              // what is asked of it
	replies map[string][]string // ids of corpus cases, by the JSON-RPC method that draws them, in order
	call    func(context.Context, *client.Client) *retry.Answer
	ends    retry.Action
	meets   bool // the server is new to the client: how the two find a version is part of the scene
}

// Replies that let a call through, for scenes that are about something else.
const (
	discovered = "ts-sdk-v2-minimal@2.4.0/http-2026-07-28/discover"
	refused    = "mcp-framework-minimal@0.2.22/http-2026-07-28/discover"
	shaken     = "ts-sdk-v1-minimal@1.32.2/http-2025-11-25/initialize"
	five       = "ts-sdk-v2-minimal@2.4.0/http-2026-07-28/call-extra-arg"
	fiveLegacy = "mcp-framework-minimal@0.2.22/http-2025-11-25/call-extra-arg"
	listed     = "ts-sdk-v1-minimal@1.32.2/http-2025-11-25/tools-list"
)

// modern and legacy servers answer one method with the replies given.
func modern(method string, ids ...string) map[string][]string {
	return map[string][]string{"server/discover": {discovered}, method: ids}
}

func legacy(method string, ids ...string) map[string][]string {
	return map[string][]string{"server/discover": {refused}, "initialize": {shaken}, method: ids}
}

func tool(name string, arguments any) func(context.Context, *client.Client) *retry.Answer {
	return func(ctx context.Context, c *client.Client) *retry.Answer { return c.CallTool(ctx, name, arguments) }
}

func tools(ctx context.Context, c *client.Client) *retry.Answer { return c.ListTools(ctx).Answer }

func resource(uri string) func(context.Context, *client.Client) *retry.Answer {
	return func(ctx context.Context, c *client.Client) *retry.Answer { return c.ReadResource(ctx, uri) }
}

type arguments map[string]any

var sum = tool("add", arguments{"a": 2, "b": 3})

// scenes are a dozen telling replies and a few more, who can fix them in the order of the taxonomy.
var scenes = []scene{
	{
		who: "TypeScript SDK 2.4", about: "calls a tool",
		replies: modern("tools/call", five), call: sum, ends: retry.Proceed,
	}, {
		who: "TypeScript SDK 2.4", about: "is given a date that is none",
		replies: modern("tools/call", "ts-sdk-v2-minimal@2.4.0/http-2026-07-28/call-bad-format"),
		call:    tool("book_flight", arguments{"departureDate": "tomorrow"}), ends: retry.Surface,
	}, {
		who: "mcp-go 1.2", about: "is asked for a tool it does not have",
		replies: legacy("tools/call", "mcp-go-minimal@v1.2.1/http-2025-11-25/unknown-tool"),
		call:    tool("definitely_not_a_tool", nil), ends: retry.Surface,
	}, {
		who: "FastMCP 4.20 for npm", about: "is asked for a resource it does not have",
		replies: legacy("resources/read", "fastmcp-ts-minimal@4.20.16/http-2025-11-25/read-missing"),
		call:    resource("lab://nope"), ends: retry.Surface,
	}, {
		who: "Java SDK 1.1", about: "misses an argument, and its tool throws",
		replies: legacy("tools/call", "java-sdk-minimal@1.1.5/http-2025-11-25/call-missing-arg"),
		call:    tool("add", arguments{"a": 2}), ends: retry.Surface,
	}, {
		who: "nginx 1.22", about: "has had too many requests",
		replies: legacy("tools/call", "nginx@1.22.1/http-rate429-2025-06-18/call-good", fiveLegacy), call: sum, ends: retry.Proceed,
	}, {
		who: "nginx 1.22", about: "has lost its server; tools are listed",
		replies: legacy("tools/list", "nginx@1.22.1/http-down-2025-06-18/tools-list", listed), call: tools, ends: retry.Proceed,
	}, {
		who: "nginx 1.22", about: "has lost its server; a tool is called",
		replies: legacy("tools/call", "nginx@1.22.1/http-down-2025-06-18/call-good", fiveLegacy), call: sum, ends: retry.Surface,
	}, {
		who: "supergateway 4.0", about: "is killed in the middle of a call",
		replies: legacy("tools/call", "supergateway@4.0.0/http-stateful-2025-06-18/killed-mid-call", fiveLegacy), call: sum, ends: retry.Surface,
	}, {
		who: "Python SDK 1.26", about: "has forgotten the session",
		replies: legacy("tools/list", "python-sdk-minimal@1.26.0/http-2025-11-25/session-deleted", listed), call: tools, ends: retry.Proceed,
	}, {
		who: "Go SDK 1.8", about: "speaks older versions than 2026-07-28", meets: true,
		replies: map[string][]string{
			"server/discover": {"go-sdk-minimal@v1.8.0/http-2026-07-28/discover"},
			"initialize":      {"go-sdk-minimal@v1.8.0/http-2025-11-25/initialize"},
			"tools/call":      {"go-sdk-minimal@v1.8.0/http-2025-11-25/call-out-of-range"},
		},
		call: sum, ends: retry.Proceed,
	}, {
		who: "mcp-framework 0.2", about: "has never heard of 2026-07-28", meets: true,
		replies: map[string][]string{
			"server/discover": {refused},
			"initialize":      {"mcp-framework-minimal@0.2.22/http-2025-11-25/initialize"},
			"tools/call":      {fiveLegacy},
		},
		call: sum, ends: retry.Proceed,
	}, {
		who: "TypeScript SDK 2.4", about: "needs what this client cannot do",
		replies: modern("tools/call", "ts-sdk-v2-minimal@2.4.0/http-2026-07-28/sampling-no-capability"), call: tool("ask_llm", nil), ends: retry.Abort,
	}, {
		who: "nginx 1.22", about: "wants a token",
		replies: legacy("tools/call", "nginx@1.22.1/http-bearer-2025-06-18/call-good"), call: sum, ends: retry.Ask,
	}, {
		who: "mcp-go 1.2", about: "wants the user to visit a page first",
		replies: legacy("tools/call", "mcp-go-minimal@v1.2.1/http-url-throw-2025-11-25/url-elicit-with-capability"), call: tool("ask_url", nil), ends: retry.Ask,
	}, {
		who: "nginx 1.22", about: "serves a web page at this address",
		replies: legacy("tools/call", "nginx@1.22.1/http-spa-2025-06-18/call-good"), call: sum, ends: retry.Abort,
	},
}

// script looks the replies of a scene up in the corpus.
func (s *scene) script(corpus map[string]interpret.Exchange) (replay.Script, error) {
	script := replay.Script{}
	for method, ids := range s.replies {
		for _, id := range ids {
			x, ok := corpus[id]
			if !ok {
				return nil, fmt.Errorf("no case %q in the corpus", id)
			}
			script[method] = append(script[method], x)
		}
	}
	return script, nil
}

// recorded reads the cases that the scenes name.
func recorded() (map[string]interpret.Exchange, error) {
	named := map[string]bool{}
	for _, s := range scenes {
		for _, ids := range s.replies {
			for _, id := range ids {
				named[id] = true
			}
		}
	}
	corpus := map[string]interpret.Exchange{}
	read := map[string]bool{}
	for id := range named {
		server, _, _ := strings.Cut(id, "/") // the whole corpus would take longer to read than the scenes to play
		name := "captures/" + server + ".json"
		if read[name] {
			continue
		}
		read[name] = true
		src, err := fixtures.Files.ReadFile(name)
		if err != nil {
			return nil, err
		}
		cases, err := fixtures.Read(src)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, c := range cases {
			if !named[c.ID] {
				continue
			}
			if corpus[c.ID], err = c.Exchange(); err != nil {
				return nil, err
			}
		}
	}
	return corpus, nil
}
