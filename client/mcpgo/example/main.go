// Command example is an agent's loop on mcp-go, with a scripted model and a server of its own: it needs no keys.
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

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcperr/mcperr/client/mcpgo"
	"github.com/mcperr/mcperr/internal/adapt/agent"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// policy is how a host tunes the decisions without a line of Go: the JSON form, as it would stand in a file.
const policy = `{"rules": [{"name": "quota", "codes": [4711], "action": "retry", "tries": 3}]}`

func run(ctx context.Context, out io.Writer) error {
	server := agent.Server()
	defer server.Close()

	p, err := retry.ParsePolicy([]byte(policy))
	if err != nil {
		return err
	}
	// A rule cannot make a resend safe: that a quote may be asked for twice is the host's word.
	loop := &retry.Loop{Policy: p, Vouch: func(r interpret.Request) bool { return r.Target == "quote" }}
	var init mcp.InitializeRequest
	init.Params.ClientInfo = mcp.Implementation{Name: "agent", Version: "1"}
	s, err := mcpgo.Connect(ctx, server.URL, init, loop)
	if err != nil {
		return err
	}
	defer s.Close()

	model := &agent.Model{Out: out}
	for call := range model.Calls {
		var r mcp.CallToolRequest
		r.Params.Name, r.Params.Arguments = call.Tool, call.Arguments
		_, answer := s.CallTool(ctx, r)
		agent.Show(out, answer)

		switch answer.Decision.Action {
		case retry.Ask: // A host that can sign in puts that into Loop.Remedies under interpret.Authorize, and the call goes on by itself.
			fmt.Fprintf(out, "  to the user: the server wants you to sign in for %s\n", strings.Join(answer.Outcome.Scopes, ", "))
		case retry.Abort: // For the operator. It ends this call and nothing else: the session and the other tools go on.
			fmt.Fprintf(out, "  to the operator: %v\n", answer.Err())
		}

		// Here goes the call of a real model's SDK, with one result for each call, whatever became of it:
		//
		//	Anthropic, Messages:  {"type": "tool_result", "tool_use_id": id, "content": text, "is_error": failed}
		//	OpenAI, Responses:    {"type": "function_call_output", "call_id": id, "output": text}; the text says that it failed
		//	Google, Gemini:       {"functionResponse": {"id": id, "name": tool, "response": {"error": text}}}; "output" if it did not fail
		model.Result(call.ID, answer.ForModel(), answer.Decision.Action != retry.Proceed)
	}
	return nil
}
