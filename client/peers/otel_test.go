package peers

import (
	"context"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	mcpgomcp "github.com/mark3labs/mcp-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"github.com/mcperr/mcperr/client/gosdk"
	"github.com/mcperr/mcperr/client/mcpgo"
	"github.com/mcperr/mcperr/client/otel"
	"github.com/mcperr/mcperr/retry"
)

// serverProcess says that the test's program is to be the server.
const serverProcess = "PEERS_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(serverProcess) != "" {
		s := mcp.NewServer(&mcp.Implementation{Name: "child", Version: "1"}, nil)
		mcp.AddTool(s, &mcp.Tool{Name: "good"}, func(context.Context, *mcp.CallToolRequest, struct{}) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{}, nil, nil
		})
		if s.Run(context.Background(), &mcp.StdioTransport{}) != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// dials opens a session and calls a tool in it.
type dials func(t *testing.T, url string, loop *retry.Loop)

func gosdkOver(t *testing.T, d gosdk.Dialer, loop *retry.Loop) {
	s, err := gosdk.Dial(t.Context(), mcp.NewClient(&mcp.Implementation{Name: "h", Version: "1"}, nil), d, loop)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, a := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "good"}); a.Err() != nil {
		t.Fatal(a.Err())
	}
}

func mcpgoOver(t *testing.T, d mcpgo.Dialer, loop *retry.Loop) {
	s, err := mcpgo.Dial(t.Context(), d, initialize, loop)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, a := s.CallTool(t.Context(), mcpgomcp.CallToolRequest{Params: mcpgomcp.CallToolParams{Name: "good", Arguments: map[string]any{}}}); a.Err() != nil {
		t.Fatal(a.Err())
	}
}

// TestTelemetry: an attempt through an adapter is recorded with the transport that it went over, and with the version once that is known.
func TestTelemetry(t *testing.T) {
	pipe := map[string]string{"network.transport": "pipe"}
	tcp := map[string]string{"network.transport": "tcp", "network.protocol.name": "http"}
	for name, c := range map[string]struct {
		dial dials
		era  string // of the server over HTTP; "" for a process
	}{
		"go-sdk, a process": {dial: func(t *testing.T, _ string, loop *retry.Loop) {
			gosdkOver(t, gosdk.Command(func() *exec.Cmd {
				cmd := exec.Command(os.Args[0])
				cmd.Env = append(os.Environ(), serverProcess+"=1")
				return cmd
			}), loop)
		}},
		"mcp-go, a process": {dial: func(t *testing.T, _ string, loop *retry.Loop) {
			mcpgoOver(t, mcpgo.Command(os.Args[0], []string{serverProcess + "=1"}), loop)
		}},
		"go-sdk, 2026-07-28 over HTTP": {era: "modern", dial: func(t *testing.T, url string, loop *retry.Loop) {
			gosdkOver(t, gosdk.HTTP{Endpoint: url}.Dialer(), loop)
		}},
		"go-sdk, 2025-11-25 over HTTP": {era: "legacy", dial: func(t *testing.T, url string, loop *retry.Loop) {
			gosdkOver(t, gosdk.HTTP{Endpoint: url}.Dialer(), loop)
		}},
		"mcp-go, 2026-07-28 over HTTP": {era: "modern", dial: func(t *testing.T, url string, loop *retry.Loop) {
			mcpgoOver(t, mcpgo.HTTP{Endpoint: url}.Dialer(), loop)
		}},
		"mcp-go, 2025-11-25 over HTTP": {era: "legacy", dial: func(t *testing.T, url string, loop *retry.Loop) {
			mcpgoOver(t, mcpgo.HTTP{Endpoint: url}.Dialer(), loop)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			url, want := "", maps.Clone(pipe)
			if c.era != "" {
				url, want = newServer(t, c.era, reply{}).URL, maps.Clone(tcp)
			}
			if want["mcp.protocol.version"] = "2026-07-28"; c.era == "legacy" {
				want["mcp.protocol.version"] = "2025-11-25"
			}
			spans, reader := tracetest.NewInMemoryExporter(), metric.NewManualReader()
			o, err := otel.New(otel.Options{
				TracerProvider: sdktrace.NewTracerProvider(sdktrace.WithSyncer(spans)), MeterProvider: metric.NewMeterProvider(metric.WithReader(reader)),
			})
			if err != nil {
				t.Fatal(err)
			}
			l := loop()
			l.Observer = o
			c.dial(t, url, l)

			var names []string
			for _, s := range spans.GetSpans() {
				names = append(names, s.Name)
				if got := network(s.Attributes); !maps.Equal(got, want) {
					t.Errorf("span %s: %v, want %v", s.Name, got, want)
				}
			}
			if got := strings.Join(names, ", "); got != "server/discover, tools/call good" {
				t.Errorf("spans %s", got)
			}
			var data metricdata.ResourceMetrics
			if err := reader.Collect(t.Context(), &data); err != nil {
				t.Fatal(err)
			}
			points := 0
			for _, m := range data.ScopeMetrics[0].Metrics {
				if h, ok := m.Data.(metricdata.Histogram[float64]); ok {
					for _, p := range h.DataPoints {
						points++
						if got := network(p.Attributes.ToSlice()); !maps.Equal(got, want) {
							t.Errorf("duration: %v, want %v", got, want)
						}
					}
				}
			}
			if points != 2 {
				t.Errorf("%d durations", points)
			}
		})
	}
}

// network returns the attributes that say what an attempt went over.
func network(list []attribute.KeyValue) map[string]string {
	all := make(map[string]string)
	for _, a := range list {
		if name := string(a.Key); slices.Contains([]string{"network.transport", "network.protocol.name", "mcp.protocol.version"}, name) {
			all[name] = a.Value.String()
		}
	}
	return all
}
