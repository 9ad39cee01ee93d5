package live_test

import (
	"testing"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
)

func everything(w way) bool { return w.server.Name == "everything" }

func TestEverythingIsListedAndCalled(t *testing.T) {
	each(t, everything, func(t *testing.T, w way) {
		ctx := limit(t)
		c := w.dial(t, client.Options{})
		for what, list := range map[string]*client.Listing{
			"tools": c.ListTools(ctx), "prompts": c.ListPrompts(ctx), "resources": c.ListResources(ctx), "templates": c.ListResourceTemplates(ctx),
		} {
			if list.Err() != nil || len(list.Items) == 0 || len(list.Skipped) > 0 {
				t.Errorf("%d %s, left out %v: %v", len(list.Items), what, list.Skipped, list.Err())
			}
		}
		if got := text(t, c.CallTool(ctx, "echo", map[string]any{"message": "hello"})); got != "Echo: hello" {
			t.Errorf("echo says %q", got)
		}
		surfaced(t, c.CallTool(ctx, "get-sum", map[string]any{"a": "one"}), interpret.ToolError, "")
		surfaced(t, c.CallTool(ctx, "no-such-tool", nil), interpret.ToolError, interpret.RefreshTools)
		surfaced(t, c.ReadResource(ctx, "demo://nothing"), interpret.ResourceNotFound, "")
	})
}
