package peers

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	mcpgomcp "github.com/mark3labs/mcp-go/mcp"
	mcpgoserver "github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client/gosdk"
	"github.com/mcperr/mcperr/client/mcpgo"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// What goes well must go as well with an adapter: real servers of both SDKs, in both eras, asked through both adapters.
// Their tools: say answers after a notification, fail says that it failed, ask wants an answer of the user's first.

func goSDKServer(stateless bool) func(*testing.T) string {
	return func(t *testing.T) string {
		s := mcp.NewServer(&mcp.Implementation{Name: "s", Version: "1"}, nil)
		text := func(s string) *mcp.CallToolResult {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
		}
		mcp.AddTool(s, &mcp.Tool{Name: "say"}, func(ctx context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			if token := r.Params.GetProgressToken(); token != nil {
				r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: 1})
			}
			return text("said"), nil, nil
		})
		mcp.AddTool(s, &mcp.Tool{Name: "fail"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return nil, nil, fmt.Errorf("failed")
		})
		mcp.AddTool(s, &mcp.Tool{Name: "ask"}, func(_ context.Context, r *mcp.CallToolRequest, _ struct{}) (*mcp.CallToolResult, any, error) {
			if answer, ok := r.Params.InputResponses["q"].(*mcp.ElicitResult); ok {
				return text(answer.Action), nil, nil
			}
			return &mcp.CallToolResult{RequestState: "asked", InputRequests: mcp.InputRequestMap{"q": &mcp.ElicitParams{Message: "sure?",
				RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}}}}, nil, nil
		})
		return start(t, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{Stateless: stateless}))
	}
}

func mcpGoServer(t *testing.T) string {
	s := mcpgoserver.NewMCPServer("s", "1", mcpgoserver.WithToolCapabilities(true), mcpgoserver.WithElicitation())
	s.AddTool(mcpgomcp.NewTool("say"), func(ctx context.Context, r mcpgomcp.CallToolRequest) (*mcpgomcp.CallToolResult, error) {
		_ = s.SendNotificationToClient(ctx, "notifications/message", map[string]any{"level": "info", "data": "soon"})
		return mcpgomcp.NewToolResultText("said"), nil
	})
	s.AddTool(mcpgomcp.NewTool("fail"), func(context.Context, mcpgomcp.CallToolRequest) (*mcpgomcp.CallToolResult, error) {
		return mcpgomcp.NewToolResultError("failed"), nil
	})
	s.AddTool(mcpgomcp.NewTool("ask"), func(_ context.Context, r mcpgomcp.CallToolRequest) (*mcpgomcp.CallToolResult, error) {
		if answer := mcpgoserver.ElicitationResponse(r.Params.InputResponses, "q"); answer != nil {
			return mcpgomcp.NewToolResultText(string(answer.Action)), nil
		}
		return mcpgoserver.NewInputRequestBuilder("asked").Elicit("q", mcpgomcp.ElicitationParams{Message: "sure?",
			RequestedSchema: map[string]any{"type": "object", "properties": map[string]any{}}}).ToolResult(), nil
	})
	return start(t, mcpgoserver.NewStreamableHTTPServer(s, mcpgoserver.WithStateful(true)))
}

func start(t *testing.T, h http.Handler) string {
	s := httptest.NewServer(h)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s.URL
}

// speaker calls a tool and returns the text of the result.
type speaker func(ctx context.Context, tool string) (text string, a *retry.Answer)

func throughGoSDK(t *testing.T, url string, asked *atomic.Int32) speaker {
	c := mcp.NewClient(&mcp.Implementation{Name: "h", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			asked.Add(1)
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
		},
	})
	s, err := gosdk.Dial(t.Context(), c, gosdk.HTTP{Endpoint: url, Listen: true}.Dialer(), loop())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return func(ctx context.Context, tool string) (string, *retry.Answer) {
		p := &mcp.CallToolParams{Name: tool}
		if tool == "say" {
			p.SetProgressToken("p")
		}
		r, a := s.CallTool(ctx, p)
		if r == nil || len(r.Content) == 0 {
			return "", a
		}
		return r.Content[0].(*mcp.TextContent).Text, a
	}
}

type yes struct{ asked *atomic.Int32 }

func (y yes) Elicit(context.Context, mcpgomcp.ElicitationRequest) (*mcpgomcp.ElicitationResult, error) {
	y.asked.Add(1)
	return &mcpgomcp.ElicitationResult{ElicitationResponse: mcpgomcp.ElicitationResponse{Action: mcpgomcp.ElicitationResponseActionAccept, Content: map[string]any{}}}, nil
}

func throughMCPGo(t *testing.T, url string, asked *atomic.Int32) speaker {
	dial := mcpgo.HTTP{Endpoint: url, Options: []transport.StreamableHTTPCOption{transport.WithHTTPLogger(quiet)}}.Dialer()
	s, err := mcpgo.Dial(t.Context(), dial, initialize, loop(), client.WithElicitationHandler(yes{asked}))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return func(ctx context.Context, tool string) (string, *retry.Answer) {
		r, a := s.CallTool(ctx, callTool(tool))
		if r == nil || len(r.Content) == 0 {
			return "", a
		}
		return r.Content[0].(mcpgomcp.TextContent).Text, a
	}
}

func TestRealServers(t *testing.T) {
	servers := map[string]func(*testing.T) string{"go-sdk with sessions": goSDKServer(false), "go-sdk stateless": goSDKServer(true), "mcp-go": mcpGoServer}
	for name, serve := range servers {
		for host, connect := range map[string]func(*testing.T, string, *atomic.Int32) speaker{"gosdk": throughGoSDK, "mcpgo": throughMCPGo} {
			t.Run(host+" to "+name, func(t *testing.T) {
				var asked atomic.Int32
				speak := connect(t, serve(t), &asked)
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				if text, a := speak(ctx, "say"); text != "said" || a.Decision.Action != retry.Proceed {
					t.Errorf("say: %q, %v", text, a.Err())
				}
				if text, a := speak(ctx, "fail"); !strings.Contains(text, "failed") || a.Outcome.Kind != interpret.ToolError {
					t.Errorf("fail: %q, %s", text, a.Outcome.Kind)
				}
				if text, a := speak(ctx, "ask"); text != "accept" || asked.Load() != 1 || a.Decision.Action != retry.Proceed {
					t.Errorf("ask: %q after %d questions, %v", text, asked.Load(), a.Err())
				}
				if _, a := speak(ctx, "nobody"); a.Outcome.Kind != interpret.UnknownTool || a.Decision.Action != retry.Surface {
					t.Errorf("nobody: %s, %+v", a.Outcome.Kind, a.Decision)
				}
			})
		}
	}
}
