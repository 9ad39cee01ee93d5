package gosdk

import (
	"context"
	"errors"
	"reflect"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/internal/adapt"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// Install makes every call of the client's sessions go through the loop; nil is one with the default policy.
// Call it before the client connects, once, and give each server a client and a loop of its own: they share a budget.
// The SDK's results stay what they are, isError among them; a failure is an error in which errors.As finds an [*interpret.Error],
// and what the SDK said. A session is not replaced: [Connect] does that.
func Install(c *mcp.Client, loop *retry.Loop) {
	install(c, adapt.NewCalls(loop))
}

func install(c *mcp.Client, calls *adapt.Calls) {
	probes := new(probes)
	c.AddSendingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			switch {
			case method == "initialize" || method == "server/discover":
				return handshake(ctx, calls, probes, next, method, req)
			case method == "notifications/initialized":
				return nil, tolerate(next(ctx, method, req))
			case isNotification(method), method == "subscriptions/listen", isDriven(ctx, calls):
				return next(ctx, method, req)
			}
			return through(ctx, calls, next, method, req)
		}
	})
}

// through makes one logical call of what the SDK is about to send.
func through(ctx context.Context, calls *adapt.Calls, next mcp.MethodHandler, method string, req mcp.Request) (mcp.Result, error) {
	s, _ := req.GetSession().(*mcp.ClientSession)
	params := newRounds(req.GetParams())
	own := params.remedies()
	own[interpret.RefreshTools] = func(ctx context.Context, _ *retry.Call) error { return refreshTools(ctx, s) }
	var r mcp.Result
	var err error
	known := describe(method, req.GetParams(), s)
	a := calls.Do(ctx, known, own, func(ctx context.Context, _ interpret.Request) (x interpret.Exchange) {
		r, x, err = adapt.Attempt(driven(ctx, calls), calls, known, unmask, func(ctx context.Context) (mcp.Result, error) {
			return next(ctx, method, with(req, params.traced(ctx)))
		})
		return x
	})
	if r, a, err = adapt.Finish(r, a, err); err == nil {
		keep(r, a)
	}
	return r, err
}

// handshake makes what the SDK connects with, once. If the one who connects records it, that is enough; if not, it is done here.
func handshake(ctx context.Context, calls *adapt.Calls, probes *probes, next mcp.MethodHandler, method string, req mcp.Request) (mcp.Result, error) {
	rec := client.RecorderIn(ctx)
	if rec != nil {
		r, err := next(ctx, method, req)
		calls.Recorded(ctx, rec, err)
		return r, err
	}
	s, _ := req.GetSession().(*mcp.ClientSession)
	if probe := probes.take(s); probe != nil && method == "initialize" {
		ctx, rec = probe.In(ctx), probe
	} else {
		ctx, rec = client.Record(ctx)
	}
	r, err := next(ctx, method, req)
	if calls.Recorded(ctx, rec, err); err != nil && method == "server/discover" {
		probes.keep(s, rec)
	}
	return r, err
}

// tolerate lets a refusal of notifications/initialized pass that a server has read: what it thinks of the session, the next call tells.
func tolerate(_ mcp.Result, err error) error {
	if e, ok := errors.AsType[*interpret.Error](err); ok && e.Ran != interpret.RanNo {
		return nil
	}
	return err
}

// with returns the request with other params of the same type. Every request of a client is a *mcp.ClientRequest of some params.
func with(req mcp.Request, p mcp.Params) mcp.Request {
	if isNil(p) || p == req.GetParams() {
		return req
	}
	c := reflect.New(reflect.TypeOf(req).Elem())
	c.Elem().Set(reflect.ValueOf(req).Elem())
	c.Elem().FieldByName("Params").Set(reflect.ValueOf(p))
	return c.Interface().(mcp.Request)
}

// refreshTools lists the tools again, for the names that are known and for what of the arguments goes into headers.
func refreshTools(ctx context.Context, cs *mcp.ClientSession) error {
	for _, err := range cs.Tools(ctx, nil) {
		if err != nil {
			return err
		}
	}
	return nil
}

type drivenKey struct{}

// driven marks what a loop of these calls sends: the middleware lets it pass.
func driven(ctx context.Context, calls *adapt.Calls) context.Context {
	return context.WithValue(ctx, drivenKey{}, calls)
}

func isDriven(ctx context.Context, calls *adapt.Calls) bool { return ctx.Value(drivenKey{}) == calls }
