// Command example is an agent's loop on the official Go SDK, with a scripted model and a server of its own: it needs no keys.
// Each call goes one of the ways that a call can go: shown to the model, sent again by a rule, sent again in another
// protocol version, asked about, given up. Run it with `go run .`.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client/gosdk"
	"github.com/mcperr/mcperr/internal/adapt/agent"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, out io.Writer) error {
	server := agent.Server()
	defer server.Close()

	loop := &retry.Loop{
		// This server says 4711 when a quota is used up for a moment.
		Policy: retry.DefaultPolicy().With(retry.Rule{Name: "quota", Codes: []int64{4711}, Action: retry.Retry, Tries: 3}),
		// A rule cannot make a resend safe: that a quote may be asked for twice is the host's word.
		Vouch: func(r interpret.Request) bool { return r.Target == "quote" },
	}
	s, err := gosdk.Connect(ctx, mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil), server.URL, loop)
	if err != nil {
		return err
	}
	defer s.Close()

	model := &agent.Model{Out: out}
	for call := range model.Calls {
		_, answer := s.CallTool(ctx, &mcp.CallToolParams{Name: call.Tool, Arguments: call.Arguments})
		agent.Show(out, answer)
		if answer.Decision.Action == retry.Ask {
			ask(out, answer)
		}
		tell(model, call, answer)
	}
	return nil
}

// ask is where a person comes in. A host that can sign in puts that into Loop.Remedies under interpret.Authorize: then the call
// goes on by itself. This one only tells.
func ask(out io.Writer, a *retry.Answer) {
	fmt.Fprintf(out, "  to the user: the server wants you to sign in for %s\n", strings.Join(a.Outcome.Scopes, ", "))
}

// tell gives the model the result of its call, whatever became of it: abort needs no branch, for the text is always there.
//
// Here goes the call of a real model's SDK. Each wants exactly one result for each call, in the next message; a host that throws
// the turn away for a fault breaks the conversation. The forms of three:
//
//	Anthropic, Messages: a block of the next user message for each call,
//	  {"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}
//	  in Go: anthropic.NewToolResultBlock(id, text, failed)
//
//	OpenAI, Responses: an input item for each call; there is no flag, the text says that it failed,
//	  {"type": "function_call_output", "call_id": id, "output": text}
//	  (Chat Completions: {"role": "tool", "tool_call_id": id, "content": text})
//
//	Google, Gemini: a part of the next user content; "error" in place of "output" says that it failed,
//	  {"functionResponse": {"id": id, "name": tool, "response": {"error": text}}}
//
// A result with images goes as blocks: answer.ModelContent has them.
func tell(model *agent.Model, call agent.Call, answer *retry.Answer) {
	model.Result(call.ID, answer.ForModel(), answer.Decision.Action != retry.Proceed)
}
