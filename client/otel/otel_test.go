package otel

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// recorder is an observer and what it has recorded.
type recorder struct {
	*Observer
	spans  *tracetest.InMemoryExporter
	reader *metric.ManualReader
	tracer trace.Tracer
}

func record(t *testing.T, o Options) recorder {
	t.Helper()
	r := recorder{spans: tracetest.NewInMemoryExporter(), reader: metric.NewManualReader()}
	traces := sdktrace.NewTracerProvider(sdktrace.WithSyncer(r.spans))
	r.tracer = traces.Tracer("test")
	o.TracerProvider, o.MeterProvider = traces, metric.NewMeterProvider(metric.WithReader(r.reader))
	var err error
	if r.Observer, err = New(o); err != nil {
		t.Fatal(err)
	}
	return r
}

// metric returns the data of a metric.
func (r recorder) metric(t *testing.T, name string) metricdata.Metrics {
	t.Helper()
	for _, m := range r.all(t).ScopeMetrics[0].Metrics {
		if m.Name == name {
			return m
		}
	}
	t.Fatalf("no metric %s", name)
	return metricdata.Metrics{}
}

func (r recorder) all(t *testing.T) (data metricdata.ResourceMetrics) {
	t.Helper()
	if err := r.reader.Collect(context.Background(), &data); err != nil || len(data.ScopeMetrics) != 1 {
		t.Fatalf("%v: %+v", err, data)
	}
	return data
}

// counts returns the counter's values by their labels.
func (r recorder) counts(t *testing.T) map[string]int64 {
	t.Helper()
	all := make(map[string]int64)
	for _, p := range r.metric(t, "mcperr.client.replies").Data.(metricdata.Sum[int64]).DataPoints {
		all[p.Attributes.Encoded(attribute.DefaultEncoder())] = p.Value
	}
	return all
}

func attributes(list []attribute.KeyValue) map[string]string {
	all := make(map[string]string)
	for _, a := range list {
		all[string(a.Key)] = a.Value.String()
	}
	return all
}

func differ(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	if !maps.Equal(got, want) {
		t.Errorf("%s:\n got %v\nwant %v", what, got, want)
	}
}

var add = interpret.Request{Method: "tools/call", ID: "1", Target: "add", Version: "2026-07-28", Arguments: interpret.ArgumentsObject, Meta: interpret.PresentAll, Era: interpret.EraModern}

const (
	down = `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"down"}}`
	fine = `{"jsonrpc":"2.0","id":1,"result":{"resultType":"complete","content":[]}}`
)

// replies sends nothing and returns these bodies, one after the other, a second each.
func replies(bodies ...string) retry.Sender {
	return func(_ context.Context, req interpret.Request) interpret.Exchange {
		time.Sleep(time.Second)
		x := interpret.Exchange{Request: req, Status: 200, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(bodies[0])}
		if len(bodies) > 1 {
			bodies = bodies[1:]
		}
		return x
	}
}

func TestSpanAnAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := record(t, Options{Server: "sums", URL: "https://mcp.example/mcp", Session: func() string { return "s-1" }})
		policy := &retry.Policy{FirstDelay: 4 * time.Second}
		loop := &retry.Loop{Observer: r, Policy: policy, Rand: func() float64 { return 0.5 }, Vouch: func(interpret.Request) bool { return true }}
		ctx, parent := r.tracer.Start(t.Context(), "model turn")
		loop.Do(ctx, add, replies(down, fine))
		parent.End()

		spans := r.spans.GetSpans()
		if len(spans) != 3 {
			t.Fatalf("%d spans", len(spans))
		}
		for i, s := range spans[:2] {
			if s.SpanKind != trace.SpanKindClient || s.Parent.SpanID() != parent.SpanContext().SpanID() || s.EndTime.Sub(s.StartTime) != time.Second {
				t.Errorf("span %d: kind %v, parent %v, %v long", i, s.SpanKind, s.Parent.SpanID(), s.EndTime.Sub(s.StartTime))
			}
		}
		if gap := spans[1].StartTime.Sub(spans[0].EndTime); gap != 2*time.Second {
			t.Errorf("%v between the attempts", gap)
		}
		about := map[string]string{
			"mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool", "mcp.protocol.version": "2026-07-28", "mcp.session.id": "s-1",
			"server.address": "mcp.example", "server.port": "443", "network.transport": "tcp", "network.protocol.name": "http",
			"http.response.status_code": "200", "mcperr.origin": "server",
		}
		with := func(more map[string]string) map[string]string {
			all := maps.Clone(about)
			maps.Copy(all, more)
			return all
		}
		// Nothing says yet that there is a tool of the name that the model has given.
		if s := spans[0]; s.Name != "tools/call" || s.Status.Code != codes.Error || s.Status.Description != "server_error" {
			t.Errorf("%s: %+v", s.Name, s.Status)
		}
		differ(t, "the first span", attributes(spans[0].Attributes), with(map[string]string{
			"error.type": "server_error", "rpc.response.status_code": "-32603", "mcperr.kind": "server_error", "mcperr.ran": "unknown",
			"mcperr.action": "retry", "mcperr.rule": "default/server_error", "mcperr.attempt": "1",
		}))
		if s := spans[1]; s.Name != "tools/call add" || s.Status.Code != codes.Unset || len(s.Events) != 0 {
			t.Errorf("%s: %+v, events %+v", s.Name, s.Status, s.Events)
		}
		differ(t, "the second span", attributes(spans[1].Attributes), with(map[string]string{
			"gen_ai.tool.name": "add", "mcperr.kind": "ok", "mcperr.ran": "yes", "mcperr.action": "proceed", "mcperr.rule": "default/ok", "mcperr.attempt": "2",
		}))
		if e := spans[0].Events; len(e) != 1 || e[0].Name != "mcperr.resend" || !e[0].Time.Equal(spans[0].EndTime) {
			t.Fatalf("events %+v", e)
		}
		differ(t, "the event", attributes(spans[0].Events[0].Attributes), map[string]string{
			"mcperr.action": "retry", "mcperr.remedy": "", "mcperr.delay": "2", "mcperr.rule": "default/server_error", "mcperr.attempt": "1",
		})
	})
}

func TestMetrics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := record(t, Options{Server: "sums", URL: "http://127.0.0.1:8080/mcp", Session: func() string { return "s-1" }})
		loop := &retry.Loop{Observer: r}
		loop.Do(t.Context(), add, replies(fine))
		loop.Do(t.Context(), add, replies(down))
		pipe := interpret.Request{Transport: interpret.Stdio, Method: "tools/list", ID: "1", Version: "2025-11-25", Era: interpret.EraLegacy}
		loop.Do(t.Context(), pipe, func(_ context.Context, req interpret.Request) interpret.Exchange {
			return interpret.Exchange{Request: req, Lines: [][]byte{[]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no"}}`)}}
		})

		m := r.metric(t, "mcp.client.operation.duration")
		h := m.Data.(metricdata.Histogram[float64])
		if m.Unit != "s" || len(h.DataPoints) != 3 {
			t.Fatalf("%q, %d points", m.Unit, len(h.DataPoints))
		}
		var got []string
		for _, p := range h.DataPoints {
			if fmt.Sprint(p.Bounds) != "[0.01 0.02 0.05 0.1 0.2 0.5 1 2 5 10 30 60 120 300]" || p.Count != 1 {
				t.Errorf("bounds %v, count %d", p.Bounds, p.Count)
			}
			got = append(got, fmt.Sprintf("%v s: %s", p.Sum, p.Attributes.Encoded(attribute.DefaultEncoder())))
		}
		want := []string{
			"1 s: gen_ai.operation.name=execute_tool,gen_ai.tool.name=add,mcp.method.name=tools/call,mcp.protocol.version=2026-07-28,network.protocol.name=http,network.transport=tcp,server.address=127.0.0.1,server.port=8080",
			"1 s: error.type=server_error,gen_ai.operation.name=execute_tool,gen_ai.tool.name=add,mcp.method.name=tools/call,mcp.protocol.version=2026-07-28,network.protocol.name=http,network.transport=tcp,rpc.response.status_code=-32603,server.address=127.0.0.1,server.port=8080",
			"0 s: error.type=method_not_found,mcp.method.name=tools/list,mcp.protocol.version=2025-11-25,network.transport=pipe,rpc.response.status_code=-32601,server.address=127.0.0.1,server.port=8080",
		}
		slices.Sort(got) // the points have no order
		slices.Sort(want)
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("durations:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		counts := map[string]int64{
			"gen_ai.operation.name=execute_tool,gen_ai.tool.name=add,mcp.method.name=tools/call,mcperr.kind=ok,mcperr.origin=server,mcperr.server=sums":           1,
			"gen_ai.operation.name=execute_tool,gen_ai.tool.name=add,mcp.method.name=tools/call,mcperr.kind=server_error,mcperr.origin=server,mcperr.server=sums": 1,
			"mcp.method.name=tools/list,mcperr.kind=method_not_found,mcperr.origin=server,mcperr.server=sums":                                                     1,
		}
		if got := r.counts(t); !maps.Equal(got, counts) {
			t.Errorf("counts %v", got)
		}
	})
}

// wire is a server that refuses the first call with a lost session and keeps what it is sent.
type wire struct {
	meta []map[string]any
	lost bool
}

func (s *wire) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var q struct {
		ID     json.RawMessage
		Method string
		Params struct {
			Name string
			Meta map[string]any `json:"_meta"`
		}
	}
	body, _ := io.ReadAll(r.Body)
	json.Unmarshal(body, &q)
	w.Header().Set("Content-Type", "application/json")
	result := `{}`
	switch q.Method {
	case "initialize":
		w.Header().Set("Mcp-Session-Id", "hunter2-session")
		result = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`
	case "tools/call", "tools/list":
		s.meta = append(s.meta, q.Params.Meta)
		if !s.lost {
			s.lost = true
			w.WriteHeader(http.StatusNotFound)
			return
		}
		if q.Method == "tools/call" && q.Params.Name != "add" {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"Unknown tool: %s"}}`, q.ID, q.Params.Name)
			return
		}
		if q.Method == "tools/list" {
			result = `{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}`
		}
	case "resources/read":
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32002,"message":"hunter2","data":{"token":"hunter2"}}}`, q.ID)
		return
	case "":
		w.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	if len(q.ID) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":%s}`, q.ID, result)
}

func TestTraceContextIsInMeta(t *testing.T) {
	s := new(wire)
	h := httptest.NewServer(s)
	defer h.Close()
	r := record(t, Options{URL: h.URL})
	c, err := client.New(client.HTTP{URL: h.URL}, client.Options{Observer: r, Protocol: []string{"2025-11-25"}})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	state, err := trace.ParseTraceState("vendor=abc")
	if err != nil {
		t.Fatal(err)
	}
	above := trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{2}, TraceFlags: trace.FlagsSampled, TraceState: state, Remote: true})
	if l := c.ListTools(trace.ContextWithSpanContext(t.Context(), above)); l.Err() != nil {
		t.Fatal(l.Err())
	}
	if len(s.meta) != 2 {
		t.Fatalf("the server got %v", s.meta)
	}
	var sent []string
	for _, m := range s.meta {
		if m["tracestate"] != "vendor=abc" {
			t.Errorf("_meta %v", m)
		}
		sent = append(sent, fmt.Sprint(m["traceparent"]))
	}
	var spans []string
	for _, span := range r.spans.GetSpans() {
		if span.Name == "tools/list" {
			spans = append(spans, fmt.Sprintf("00-%s-%s-01", span.SpanContext.TraceID(), span.SpanContext.SpanID()))
		}
	}
	if strings.Join(sent, " ") != strings.Join(spans, " ") || sent[0] == sent[1] || !strings.HasPrefix(sent[0], "00-01000000000000000000000000000000-") {
		t.Errorf("sent %v, spans %v", sent, spans)
	}
}

// Secrets in every place that a model, a host or a server can put them are in no span and in no metric.
func TestNothingSaidIsRecorded(t *testing.T) {
	const secret = "hunter2"
	h := httptest.NewServer(&wire{lost: true})
	defer h.Close()
	address := strings.Replace(h.URL, "http://", "http://me:"+secret+"@", 1) + "/mcp/" + secret + "?token=" + secret
	r := record(t, Options{Server: "s", URL: address})
	c, err := client.New(client.HTTP{URL: address, Header: http.Header{"Authorization": {"Bearer " + secret}}},
		client.Options{Observer: r, Protocol: []string{"2025-11-25"}, Name: secret})
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	c.CallTool(ctx, "add", map[string]any{secret: secret})
	c.CallTool(ctx, secret, map[string]any{})
	c.ReadResource(ctx, "https://me:"+secret+"@h.example/a?token="+secret+"#"+secret)
	c.Close()
	loop := &retry.Loop{Observer: r}
	loop.Do(ctx, add, func(_ context.Context, req interpret.Request) interpret.Exchange {
		return interpret.Exchange{Request: req, Failure: &interpret.Failure{What: interpret.FailedReset, Err: errors.New(secret)}}
	})
	spans, err := json.Marshal(r.spans.GetSpans().Snapshots())
	if err != nil {
		t.Fatal(err)
	}
	all := fmt.Sprintf("%s %+v %+v", spans, r.spans.GetSpans(), r.all(t))
	if i := strings.Index(all, secret); i >= 0 {
		t.Errorf("…%s…", all[max(0, i-100):min(len(all), i+100)])
	}
	if !strings.Contains(all, "https://h.example/a") || !strings.Contains(all, "connection_lost") {
		t.Errorf("the dump holds not what it must: %s", all)
	}
}

func TestAddress(t *testing.T) {
	_, err := New(Options{URL: "http://me:hunter2@h:port/"})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Error(err)
	}
	o, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, _ := o.AttemptStart(t.Context(), retry.Attempt{Method: "ping"})
	o.AttemptEnd(ctx, retry.Attempt{Method: "ping", Kind: interpret.OK}) // the global providers, of which there are none
}
