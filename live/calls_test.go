package live_test

import (
	"context"
	"encoding/json"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

func small(w way) bool { return w.server.Small }

// Servers do not agree on how a fault is told. Where one differs from most, it stands here.
var (
	unknownToolIsResult = []string{"ts-sdk1", "python-sdk", "fastmcp"} // isError, not an error
	boomIsError         = []string{"mcp-go"}                           // an error, not isError
)

func TestCallsAreReadRight(t *testing.T) {
	each(t, small, func(t *testing.T, w way) {
		ctx := limit(t)
		var asked atomic.Int32
		c := w.dial(t, client.Options{
			Capabilities: map[string]any{"elicitation": map[string]any{}},
			Handlers: map[string]client.Handler{"elicitation/create": func(context.Context, json.RawMessage) (any, error) {
				asked.Add(1)
				return map[string]any{"action": "accept", "content": map[string]any{"name": "Bo"}}, nil
			}},
		})
		listAll(t, ctx, c.Client)

		if got := text(t, c.CallTool(ctx, "add", map[string]any{"a": 1, "b": 2})); got != "3" {
			t.Errorf("1 + 2 = %s", got)
		}
		unknown, boom := interpret.UnknownTool, interpret.ToolError
		if slices.Contains(unknownToolIsResult, w.server.Name) {
			unknown = interpret.ToolError
		}
		if slices.Contains(boomIsError, w.server.Name) {
			boom = interpret.ServerError
		}
		surfaced(t, c.CallTool(ctx, "add", map[string]any{"a": "one"}), interpret.ToolError, "")
		surfaced(t, c.CallTool(ctx, "no_such_tool", nil), unknown, interpret.RefreshTools)
		surfaced(t, c.CallTool(ctx, "boom", nil), boom, "")
		surfaced(t, c.CallTool(ctx, "fail_result", nil), interpret.ToolError, "")

		if answer := c.ReadResource(ctx, "test://greeting"); answer.Err() != nil {
			t.Error(answer.Err())
		}
		surfaced(t, c.ReadResource(ctx, "test://nothing"), interpret.ResourceNotFound, "")
		if answer := c.GetPrompt(ctx, "greet", map[string]string{"name": "Bo"}); answer.Err() != nil {
			t.Error(answer.Err())
		}
		surfaced(t, c.GetPrompt(ctx, "no_such_prompt", nil), interpret.UnknownPrompt, "")

		if asks(w) {
			if got := text(t, c.CallTool(ctx, "ask_user", nil)); got != "hello Bo" || asked.Load() != 1 {
				t.Errorf("answered %q, asked %d times", got, asked.Load())
			}
		}
	})
}

func listAll(t *testing.T, ctx context.Context, c *client.Client) {
	t.Helper()
	for what, want := range map[*client.Listing][]string{
		c.ListTools(ctx):     {"add", "ask_user", "boom", "count", "counter", "die", "fail_result", "slow"},
		c.ListPrompts(ctx):   {"greet"},
		c.ListResources(ctx): {"test://greeting"},
	} {
		var names []string
		for _, item := range what.Items {
			names = append(names, item.Name)
		}
		slices.Sort(names)
		if what.Err() != nil || len(what.Skipped) > 0 || !slices.Equal(names, want) {
			t.Errorf("listed %q, want %q; left out %v; %v", names, want, what.Skipped, what.Err())
		}
	}
}

// surfaced checks that a fault went to the model after one attempt, with its meaning.
func surfaced(t *testing.T, answer *retry.Answer, kind interpret.Kind, remedy interpret.Remedy) {
	t.Helper()
	o := answer.Outcome
	if o.Kind != kind || o.Remedy != remedy || answer.Decision.Action != retry.Surface || len(answer.Attempts) != 1 || answer.ForModel() == "" {
		t.Errorf("%s, remedy %q, %s after %d attempts, model reads %q; want %s, %q, surface after 1; %v",
			o.Kind, o.Remedy, answer.Decision.Action, len(answer.Attempts), answer.ForModel(), kind, remedy, answer.Err())
	}
}

// Without sessions a server of the handshake era has no way to ask.
func asks(w way) bool {
	return small(w) && (w.stdio || w.version == modernVersion || w.server.Sessions)
}

// A host that declared nothing is not waited for, and no person is asked: the call ends, in the words that the server has for it.
func TestUndeclaredInputEndsTheCall(t *testing.T) {
	each(t, asks, func(t *testing.T, w way) {
		answer := w.dial(t, client.Options{}).CallTool(limit(t), "ask_user", nil)
		switch answer.Outcome.Kind {
		case interpret.MissingCapability, interpret.ToolError, interpret.ServerError:
		default:
			t.Errorf("%s: %v", answer.Outcome.Kind, answer.Err())
		}
		if len(answer.Attempts) != 1 {
			t.Errorf("%d attempts", len(answer.Attempts))
		}
	})
}
