package otel

import (
	"errors"
	"strconv"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.41.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// Attributes of our own, for what the conventions have no word.
const (
	keyServer  = "mcperr.server"  // the host's name of the server
	keyKind    = "mcperr.kind"    // what the reply means; of a fault it is error.type too
	keyOrigin  = "mcperr.origin"  // who said it: server, gateway or client
	keyRan     = "mcperr.ran"     // whether the server ran the request: no, yes or unknown
	keyAction  = "mcperr.action"  // what is done about it
	keyRemedy  = "mcperr.remedy"  // what is carried out first, or would mend the next request
	keyRule    = "mcperr.rule"    // by which rule of the policy
	keyStop    = "mcperr.stop"    // which gate kept it from being sent again
	keyDelay   = "mcperr.delay"   // until then, in seconds
	keyAttempt = "mcperr.attempt" // from 1

	resend = "mcperr.resend" // the event
)

var errAddress = errors.New("otel: the address is no URL")

// spanName is the method and, where the server is known to have it, the tool or prompt.
func (b *Observer) spanName(a *retry.Attempt) string {
	if name := b.target(a); name != "" {
		return b.method(a) + " " + name
	}
	return b.method(a)
}

// endSpan says what came of an attempt. What names the tool is said again: this attempt may be the one that has made it known.
func (b *Observer) endSpan(span trace.Span, a *retry.Attempt) {
	d := &a.Decision
	span.SetName(b.spanName(a))
	span.SetAttributes(b.about(a)...)
	span.SetAttributes(failure(a, strconv.FormatInt(a.Code, 10))...)
	span.SetAttributes(
		attribute.String(keyKind, a.Kind.String()), attribute.String(keyOrigin, string(a.Origin)),
		attribute.String(keyRan, a.Ran.String()), attribute.String(keyAction, d.Action.String()), attribute.String(keyRule, d.Rule))
	if a.Version != "" {
		span.SetAttributes(semconv.McpProtocolVersion(a.Version))
	}
	if a.Status != 0 {
		span.SetAttributes(semconv.HTTPResponseStatusCode(a.Status))
	}
	if d.Remedy != "" {
		span.SetAttributes(attribute.String(keyRemedy, string(d.Remedy)))
	}
	if d.Stop != "" {
		span.SetAttributes(attribute.String(keyStop, string(d.Stop)))
	}
	if faulty(a.Kind) {
		span.SetStatus(codes.Error, a.Kind.String())
	}
	at := trace.WithTimestamp(a.Began.Add(a.Took))
	if d.Action == retry.Retry {
		span.AddEvent(resend, at, trace.WithAttributes(
			attribute.String(keyAction, d.Action.String()), attribute.String(keyRemedy, string(d.Remedy)),
			attribute.Float64(keyDelay, d.Delay.Seconds()), attribute.String(keyRule, d.Rule), attribute.Int(keyAttempt, a.Number)))
	}
	span.End(at)
}

// failure are the attributes of an attempt that failed: error.type is the kind's slug.
func failure(a *retry.Attempt, code string) (attrs []attribute.KeyValue) {
	if faulty(a.Kind) {
		attrs = append(attrs, semconv.ErrorTypeKey.String(a.Kind.String()))
	}
	if a.HasCode {
		attrs = append(attrs, semconv.RPCResponseStatusCode(code))
	}
	return attrs
}

// faulty reports whether a kind is a failure. To be asked for input is none.
func faulty(k interpret.Kind) bool {
	return k != interpret.OK && k != interpret.Task && k != interpret.InputRequired
}

func drop(attrs []attribute.KeyValue, key attribute.Key) []attribute.KeyValue {
	kept := make([]attribute.KeyValue, 0, len(attrs))
	for _, a := range attrs {
		if a.Key != key {
			kept = append(kept, a)
		}
	}
	return kept
}
