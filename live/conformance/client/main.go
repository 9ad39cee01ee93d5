// Command client is what the conformance suite runs against its servers: it uses all that a server lists, once.
// It needs no case for each scenario; what a scenario asks for beyond that is in its environment or in the arguments below.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/mcperr/mcperr/client"
)

func main() {
	log.SetFlags(0)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := run(ctx, os.Args[len(os.Args)-1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, url string) error {
	h := &host{oauth: oauth{resource: url}}
	c, err := client.New(client.HTTP{URL: url}, client.Options{
		Name:         "mcperr-conformance",
		Version:      "1.0.0",
		Protocol:     []string{os.Getenv("MCP_CONFORMANCE_PROTOCOL_VERSION")},
		Capabilities: map[string]any{"elicitation": map[string]any{}},
		Handlers:     map[string]client.Handler{"elicitation/create": h.elicit},
		Authorize:    h.authorize,
	})
	if err != nil {
		return err
	}
	h.client = c
	return errors.Join(h.useTools(ctx), h.useResources(ctx), h.usePrompts(ctx), c.Close())
}

// host is the user of the client, and its user.
type host struct {
	client *client.Client
	oauth  oauth
	asked  bool
}

// arguments are for tools that want some; those of a scenario are in its context.
var arguments = map[string]any{
	"add_numbers": map[string]any{"a": 5, "b": 3},
	"valid_tool":  map[string]any{"region": "us-west1"},
}

// toolCall is one call that a scenario's context asks for.
type toolCall struct {
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"`
}

func (h *host) useTools(ctx context.Context) error {
	tools := h.client.ListTools(ctx)
	if err := tools.Err(); err != nil {
		return fmt.Errorf("tools/list: %w", err)
	}
	for _, skipped := range tools.Skipped {
		log.Printf("left out tool %q: %v", skipped.Name, skipped.Why)
	}
	var scenario struct {
		ToolCalls []toolCall `json:"toolCalls"`
	}
	if text := os.Getenv("MCP_CONFORMANCE_CONTEXT"); text != "" {
		if err := json.Unmarshal([]byte(text), &scenario); err != nil {
			return err
		}
	}
	var errs []error
	for _, call := range scenario.ToolCalls {
		errs = append(errs, h.call(ctx, call.Name, call.Arguments))
	}
	if scenario.ToolCalls == nil {
		for _, tool := range tools.Items {
			args := arguments[tool.Name]
			switch tool.Name {
			case "json_schema_echo":
				args = echo(tools.Items[0])
			case "lookup_user": // it is there to be listed only
				continue
			}
			errs = append(errs, h.call(ctx, tool.Name, args))
		}
	}
	return errors.Join(errs...)
}

func (h *host) call(ctx context.Context, name string, args any) error {
	answer := h.client.CallTool(ctx, name, args)
	if err := answer.Err(); err != nil {
		return fmt.Errorf("tools/call %s: %w", name, err)
	}
	return nil
}

// echo is the arguments that give a tool's schema back as it was read.
func echo(tool client.Item) any {
	var seen struct {
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	if err := json.Unmarshal(tool.Raw, &seen); err != nil {
		return nil
	}
	return map[string]any{"schema": seen.InputSchema}
}

func (h *host) useResources(ctx context.Context) error {
	resources := h.client.ListResources(ctx)
	errs := []error{resources.Err()}
	for _, resource := range resources.Items {
		errs = append(errs, h.client.ReadResource(ctx, resource.Name).Err())
	}
	return errors.Join(errs...)
}

func (h *host) usePrompts(ctx context.Context) error {
	prompts := h.client.ListPrompts(ctx)
	errs := []error{prompts.Err()}
	for _, prompt := range prompts.Items {
		errs = append(errs, h.client.GetPrompt(ctx, prompt.Name, nil).Err())
	}
	return errors.Join(errs...)
}

// elicit confirms. Before it does so for the first time it makes a call of its own, which must carry nothing of this one.
func (h *host) elicit(ctx context.Context, _ json.RawMessage) (any, error) {
	if os.Getenv("MCP_CONFORMANCE_SCENARIO") == "sep-2322-client-request-state" && !h.asked {
		h.asked = true
		if err := h.call(ctx, "test_mrtr_unrelated", nil); err != nil {
			return nil, err
		}
	}
	return map[string]any{"action": "accept", "content": map[string]any{"confirmed": true}}, nil
}

func (h *host) authorize(ctx context.Context, challenge client.Challenge) (http.Header, error) {
	token, err := h.oauth.token(ctx, challenge.ResourceMetadata, challenge.Scopes)
	if err != nil {
		return nil, err
	}
	return http.Header{"Authorization": {"Bearer " + token}}, nil
}
