package retry

import (
	"context"
	"log/slog"
	"net/url"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// Observer is told of every attempt of a [Loop], in the goroutine that makes it.
// It learns what kind of thing happened, never what was said: no arguments, results, messages or credentials.
// An attempt inside an attempt of an outer loop on the same server is the same one and is not told twice.
type Observer interface {
	// AttemptStart is told before an attempt goes out; the members that only its end can tell are zero.
	// The context it returns is the attempt's (nil: the one given); what it returns beside is for the request's _meta,
	// as trace context is, and reaches the sender by [Meta]. A map is not changed.
	AttemptStart(context.Context, Attempt) (context.Context, map[string]string)
	// AttemptEnd is told once the attempt's reply has been judged, with the context that AttemptStart returned.
	AttemptEnd(context.Context, Attempt)
}

// Attempt is one time a request went out, and what came of it.
type Attempt struct {
	Number    int // from 1
	Transport interpret.Transport
	Method    string
	Target    string           // tool or prompt, as the model named it; a URI without credentials, query and fragment. Printable and short
	Version   string           // protocol version in force, "" if none yet
	Remedy    interpret.Remedy // carried out before it
	Waited    time.Duration    // before it, after the reply before or the start of the call
	Began     time.Time

	Took     time.Duration
	Kind     interpret.Kind
	Origin   interpret.Origin
	Ran      interpret.Ran
	Code     int64 // JSON-RPC code, where HasCode
	HasCode  bool
	Status   int                   // HTTP status, 0 if none came
	Failure  interpret.FailureWhat // the failure of our own side that came of it; "" if the peer's word counts, or if nothing failed
	Decision Decision
}

type metaKey struct{}

// Meta returns what an [Observer] wants in the _meta of the request that is sent with this context, nil if nothing.
// It is for this request alone: a call to another server that is made inside the attempt has what its own observer wants, or nothing.
func Meta(ctx context.Context) map[string]string {
	m, _ := ctx.Value(metaKey{}).(map[string]string)
	return m
}

func (c *call) observeStart(ctx context.Context, a Attempt) context.Context {
	if c.loop.Observer == nil || c.nested {
		return ctx
	}
	seen, meta := c.loop.Observer.AttemptStart(ctx, a)
	if seen != nil {
		ctx = seen
	}
	if len(meta) > 0 {
		ctx = c.marked(ctx, false, meta)
	}
	return ctx
}

func (c *call) observeEnd(ctx context.Context, a Attempt) {
	if c.nested {
		return
	}
	if c.loop.Observer != nil {
		c.loop.Observer.AttemptEnd(ctx, a)
	}
	c.log(ctx, slog.LevelDebug, "mcp attempt", a)
}

// log writes facts only. The JSON-RPC message, data, results, arguments and URIs' queries are not among them.
func (c *call) log(ctx context.Context, level slog.Level, message string, a Attempt) {
	l := c.loop.Logger
	if l == nil || !l.Enabled(ctx, level) {
		return
	}
	attrs := []slog.Attr{
		slog.String("method", a.Method), slog.Int("attempt", a.Number), slog.String("kind", a.Kind.String()),
		slog.String("action", a.Decision.Action.String()), slog.String("rule", a.Decision.Rule), slog.Duration("took", a.Took),
	}
	add := func(there bool, attr slog.Attr) {
		if there {
			attrs = append(attrs, attr)
		}
	}
	add(a.Target != "", slog.String("target", a.Target))
	add(a.HasCode, slog.Int64("code", a.Code))
	add(a.Status != 0, slog.Int("status", a.Status))
	add(a.Failure != "", slog.String("failure", string(a.Failure)))
	add(a.Decision.Remedy != "", slog.String("remedy", string(a.Decision.Remedy)))
	add(a.Decision.Delay > 0, slog.Duration("delay", a.Decision.Delay))
	add(a.Decision.Stop != "", slog.String("stop", string(a.Decision.Stop)))
	l.LogAttrs(ctx, level, message, attrs...)
}

// shownTarget bounds [Attempt.Target], in characters.
const shownTarget = 128

// target returns a request's target fit for logs and spans.
func target(r *interpret.Request, s *interpret.Scrubber) string {
	t := r.Target
	if r.Method != "tools/call" && r.Method != "prompts/get" && t != "" {
		u, err := url.Parse(t)
		if err != nil {
			return ""
		}
		u.User, u.RawQuery, u.ForceQuery, u.Fragment, u.RawFragment = nil, "", false, "", ""
		if t, err = url.PathUnescape(u.String()); err != nil { // what is escaped could not be scrubbed
			return ""
		}
	}
	return s.Line(t, shownTarget)
}
