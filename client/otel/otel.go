// Package otel records the attempts of a [retry.Loop], and so those of package client, as OpenTelemetry spans and metrics, by the
// semantic conventions for MCP as of version 1.41.0 (https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp).
//
//	observer, err := otel.New(otel.Options{Server: "files", URL: endpoint})
//	c, err := client.New(client.HTTP{URL: endpoint}, client.Options{Observer: observer})
//
// Each attempt is a client span of its own, below the span of the caller, and its trace context goes into the request's _meta as
// traceparent and tracestate. An attempt after which the request is sent again bears an event that says why and when.
//
// Neither arguments nor results, messages, headers or credentials are recorded. What a model or a server can make up does not become a
// label without bound: a tool counts by name once the server is known to have it, and codes and methods do up to a number.
package otel

import (
	"context"
	"net/url"
	"strconv"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/semconv/v1.41.0/mcpconv"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

const scope = "github.com/mcperr/mcperr/client/otel"

// Options say what is recorded, and where to. The zero value records to the global providers.
type Options struct {
	TracerProvider trace.TracerProvider // nil: the global one
	MeterProvider  metric.MeterProvider // nil: the global one

	Server string // the host's own name of the server, a label of the counter; "": there is no such label
	URL    string // of a server over HTTP; no more than host and port are recorded. "": neither is

	// Tools reports whether the server has a tool, or a prompt, of this name. Nil: a name is known once a call of it was answered
	// by the thing itself, and for at most 100 names.
	Tools func(name string) bool

	// Session returns the session's id for spans, which the conventions recommend. Nil: it is not recorded, for whoever
	// reads it can act in the session.
	Session func() string
}

// Observer is a [retry.Observer] for the calls to one server. It is safe for concurrent use.
type Observer struct {
	tracer   trace.Tracer
	duration mcpconv.ClientOperationDuration
	replies  metric.Int64Counter
	server   []attribute.KeyValue // of every span and measurement
	name     []attribute.KeyValue // of the counter
	session  func() string
	has      func(name string) bool
	known    names // tools and prompts
	methods  names
	codes    names
}

var _ retry.Observer = (*Observer)(nil)

// buckets of the duration metric, in seconds, as the conventions have them.
var buckets = []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300}

// New returns an observer. An error is one of the options or of the meter.
func New(o Options) (*Observer, error) {
	if o.TracerProvider == nil {
		o.TracerProvider = otel.GetTracerProvider()
	}
	if o.MeterProvider == nil {
		o.MeterProvider = otel.GetMeterProvider()
	}
	b := &Observer{tracer: o.TracerProvider.Tracer(scope, trace.WithSchemaURL(semconv.SchemaURL)), session: o.Session, has: o.Tools}
	if o.Server != "" {
		b.name = []attribute.KeyValue{attribute.String(keyServer, o.Server)}
	}
	if o.URL != "" {
		u, err := url.Parse(o.URL)
		if err != nil {
			return nil, errAddress // that of net/url quotes what it was given
		}
		b.server = address(u)
	}
	meter := o.MeterProvider.Meter(scope, metric.WithSchemaURL(semconv.SchemaURL))
	var err error
	if b.duration, err = mcpconv.NewClientOperationDuration(meter, metric.WithExplicitBucketBoundaries(buckets...)); err != nil {
		return nil, err
	}
	b.replies, err = meter.Int64Counter("mcperr.client.replies", metric.WithUnit("{reply}"),
		metric.WithDescription("The number of replies to MCP requests, and of failures in their place, by what they mean."))
	return b, err
}

func address(u *url.URL) []attribute.KeyValue {
	all := []attribute.KeyValue{semconv.ServerAddress(u.Hostname())}
	port, err := strconv.Atoi(u.Port())
	switch {
	case err == nil:
	case u.Scheme == "https":
		port = 443
	case u.Scheme == "http":
		port = 80
	default:
		return all
	}
	return append(all, semconv.ServerPort(port))
}

// AttemptStart begins a span and returns its trace context for the request's _meta.
func (b *Observer) AttemptStart(ctx context.Context, a retry.Attempt) (context.Context, map[string]string) {
	attrs := b.common(&a)
	if s := b.sessionID(); s != "" {
		attrs = append(attrs, semconv.McpSessionID(s))
	}
	if a.Method == "resources/read" && a.Target != "" {
		attrs = append(attrs, semconv.McpResourceURI(a.Target))
	}
	attrs = append(attrs, attribute.Int(keyAttempt, a.Number))
	ctx, _ = b.tracer.Start(ctx, b.spanName(&a), trace.WithSpanKind(trace.SpanKindClient), trace.WithTimestamp(a.Began), trace.WithAttributes(attrs...))
	meta := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, meta)
	return ctx, meta
}

// AttemptEnd ends the span and records the metrics.
func (b *Observer) AttemptEnd(ctx context.Context, a retry.Attempt) {
	b.learn(&a)
	span := trace.SpanFromContext(ctx)
	b.endSpan(span, &a)

	labels := append(b.common(&a), failure(&a, b.code(&a))...)
	b.duration.Record(ctx, a.Took.Seconds(), mcpconv.MethodNameAttr(b.method(&a)), drop(labels, semconv.McpMethodNameKey)...)
	b.replies.Add(ctx, 1, metric.WithAttributes(b.counted(&a)...))
}

// common are the attributes that spans and the duration share, without those of a failure.
func (b *Observer) common(a *retry.Attempt) []attribute.KeyValue {
	attrs := append(b.about(a), b.server...)
	if a.Version != "" {
		attrs = append(attrs, semconv.McpProtocolVersion(a.Version))
	}
	if a.Transport == interpret.Stdio {
		return append(attrs, semconv.NetworkTransportPipe)
	}
	return append(attrs, semconv.NetworkTransportTCP, semconv.NetworkProtocolName("http"))
}

// about are the attributes that say what was asked for.
func (b *Observer) about(a *retry.Attempt) []attribute.KeyValue {
	attrs := []attribute.KeyValue{semconv.McpMethodNameKey.String(b.method(a))}
	if a.Method == "tools/call" {
		attrs = append(attrs, semconv.GenAIOperationNameExecuteTool)
	}
	if name := b.target(a); name != "" && a.Method == "tools/call" {
		attrs = append(attrs, semconv.GenAIToolName(name))
	} else if name != "" {
		attrs = append(attrs, semconv.GenAIPromptName(name))
	}
	return attrs
}

// counted are the labels of the counter.
func (b *Observer) counted(a *retry.Attempt) []attribute.KeyValue {
	return append(append(b.about(a), b.name...), attribute.String(keyKind, a.Kind.String()), attribute.String(keyOrigin, string(a.Origin)))
}

func (b *Observer) sessionID() string {
	if b.session == nil {
		return ""
	}
	return b.session()
}
