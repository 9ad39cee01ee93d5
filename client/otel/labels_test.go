package otel

import (
	"fmt"
	"testing"
	"testing/synctest"

	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// Whatever a model asks for and a server answers, labels stay few.
func TestLabelsAreBounded(t *testing.T) {
	refused := func(i int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"error":{"code":%d,"message":"no"}}`, -40000-i)
	}
	failed := func(int) string {
		return `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","isError":true,"content":[]}}`
	}
	for name, c := range map[string]struct {
		opts  Options
		tools *interpret.Names
		body  func(int) string
		most  int // of the duration's series
		names int // that became labels
	}{
		"unknown tools":             {body: func(int) string { return `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Unknown tool"}}` }, most: 1},
		"any code":                  {body: refused, most: mostNames + 1},
		"unknown tools as isError":  {body: failed, tools: interpret.NewNames("add"), most: 1},
		"isError, and no tool list": {body: failed, most: mostNames + 1, names: mostNames},
		"tools of the host":         {body: failed, opts: Options{Tools: func(name string) bool { return name == "tool-7" }}, most: 2, names: 1},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := record(t, c.opts)
				loop := &retry.Loop{Observer: r}
				for i := range 1000 {
					req := add
					req.Target, req.Known.Tools = fmt.Sprint("tool-", i), c.tools
					loop.Do(t.Context(), req, replies(c.body(i)))
				}
				points := r.metric(t, "mcp.client.operation.duration").Data.(metricdata.Histogram[float64]).DataPoints
				labels := make(map[string]bool)
				for _, p := range points {
					if v, ok := p.Attributes.Value("gen_ai.tool.name"); ok {
						labels[v.AsString()] = true
					}
				}
				if len(points) > c.most || len(labels) != c.names {
					t.Errorf("%d series with %d names, want at most %d with %d", len(points), len(labels), c.most, c.names)
				}
			})
		})
	}
	t.Run("methods", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			r := record(t, Options{})
			for i := range 1000 {
				(&retry.Loop{Observer: r}).Do(t.Context(), interpret.Request{Method: fmt.Sprint("x/", i), ID: "1"}, replies(fine))
			}
			if got := r.counts(t); len(got) != mostNames+1 || got["mcp.method.name=_OTHER,mcperr.kind=ok,mcperr.origin=server"] != 1000-mostNames {
				t.Errorf("%d series", len(got))
			}
		})
	})
}
