package mcpgo

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/internal/adapt"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// Wrap makes every request of the client that is made with the transport go through the loop; nil is one with the default policy.
// A result stays what it is, isError among them, but for a mark in its _meta by which [Answer] finds what it came with; any failure is an
// error in which errors.As finds an [*interpret.Error], and what mcp-go would have said. A session is not replaced: [Connect] does that.
// Give each server a loop of its own: its calls share a budget.
func Wrap(t transport.Interface, loop *retry.Loop) transport.Interface {
	return wrap(t, adapt.NewCalls(loop))
}

func wrap(t transport.Interface, calls *adapt.Calls) transport.Interface {
	w := &wrapped{Interface: t, calls: calls}
	if c, ok := t.(transport.HTTPConnection); ok { // mcp-go asks its transports whether they are
		calls.Over(interpret.HTTP)
		return &wrappedHTTP{w, c}
	}
	calls.Over(interpret.Stdio)
	return w
}

// wrapped is a transport whose requests go through a loop.
type wrapped struct {
	transport.Interface
	calls *adapt.Calls
	ids   atomic.Int64   // of requests: each attempt has its own
	lines client.LineTap // for what is not HTTP

	mu      sync.Mutex
	probe   *client.Recorder // of the last server/discover: the handshake that follows depends on it
	version string           // that was agreed on, "" if none was
}

type wrappedHTTP struct {
	*wrapped
	http transport.HTTPConnection
}

// SetProtocolVersion implements [transport.HTTPConnection].
func (w *wrappedHTTP) SetProtocolVersion(v string) { w.http.SetProtocolVersion(v) }

// Unwrap returns the transport below.
func (w *wrapped) Unwrap() transport.Interface { return w.Interface }

// RequiresLegacyProtocol says what the transport below says, and is what mcp-go asks for.
func (w *wrapped) RequiresLegacyProtocol() bool {
	l, ok := w.Interface.(interface{ RequiresLegacyProtocol() bool })
	return ok && l.RequiresLegacyProtocol()
}

// SetRequestHandler implements [transport.BidirectionalInterface], as far as the transport below does.
func (w *wrapped) SetRequestHandler(h transport.RequestHandler) {
	if b, ok := w.Interface.(transport.BidirectionalInterface); ok {
		b.SetRequestHandler(h)
	}
}

// SetConnectionLostHandler is for the transport below, if it has one.
func (w *wrapped) SetConnectionLostHandler(h func(error)) {
	if l, ok := w.Interface.(interface{ SetConnectionLostHandler(func(error)) }); ok {
		l.SetConnectionLostHandler(h)
	}
}

// Stderr returns that of the transport below, an empty one if it has none.
func (w *wrapped) Stderr() io.Reader {
	if s, ok := w.Interface.(interface{ Stderr() io.Reader }); ok {
		return s.Stderr()
	}
	return eof{}
}

type eof struct{}

func (eof) Read([]byte) (int, error) { return 0, io.EOF }

// SetNotificationHandler hears of lists that have changed, too.
func (w *wrapped) SetNotificationHandler(h func(mcp.JSONRPCNotification)) {
	w.Interface.SetNotificationHandler(func(n mcp.JSONRPCNotification) {
		w.lines.Heard(n.Method)
		h(n)
	})
}

// SendRequest makes one logical call.
func (w *wrapped) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	known := interpret.Request{Method: r.Method}
	out, err := newOutgoing(r.Params)
	if err != nil {
		return nil, err
	}
	known.Target, known.Version = out.target(r.Method), cmp.Or(out.version(), w.agreed())
	var resp *transport.JSONRPCResponse
	a := w.calls.Do(ctx, known, out.remedies(), func(ctx context.Context, _ interpret.Request) (x interpret.Exchange) {
		resp, x, err = w.attempt(ctx, r, known, out)
		return x
	})
	inner := adapt.Capture(ctx, a)
	w.agree(&a.Outcome)
	resp, a, err = adapt.Finish(resp, a, err)
	if resp != nil {
		resp.ID = r.ID
	}
	if resp != nil && !inner && !isHandshake(r.Method) {
		resp.Result = adapt.Mark(resp.Result, a)
	}
	return resp, err
}

// agree notes the version that a handshake or a discovery has settled on.
func (w *wrapped) agree(o *interpret.Outcome) {
	if o.Kind != interpret.OK || o.Version == "" {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.version = o.Version
}

func (w *wrapped) agreed() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.version
}

// attempt sends a request once, under an id of its own.
func (w *wrapped) attempt(ctx context.Context, r transport.JSONRPCRequest, known interpret.Request, out *outgoing) (*transport.JSONRPCResponse, interpret.Exchange, error) {
	r.ID, r.Params = mcp.NewRequestId(w.ids.Add(1)), out.traced(ctx)
	rec := w.recorder(r.Method)
	resp, err := w.send(rec.In(ctx), r, out)
	if err == nil && resp.Error != nil {
		err = resp.Error.AsError()
	}
	x, ok := w.calls.Recorded(ctx, rec, err)
	switch {
	case ok:
	case resp != nil: // the transport below has no tap
		line, _ := json.Marshal(resp)
		known.ID = "0"
		if id, err := json.Marshal(resp.ID); err == nil {
			known.ID = string(id)
		}
		x = adapt.Line(known, line)
	default:
		x = w.calls.Unrecorded(known, nil, err, unmask)
	}
	return resp, x, err
}

// recorder returns the one for a request: the handshake continues that of the probe, so that the tap knows what that came to.
func (w *wrapped) recorder(method string) *client.Recorder {
	w.mu.Lock()
	defer w.mu.Unlock()
	if method == "initialize" && w.probe != nil {
		return w.probe
	}
	_, rec := client.Record(context.Background())
	if method == "server/discover" {
		w.probe = rec
	}
	return rec
}

// send hands a request to the transport below. What is not HTTP is recorded here.
func (w *wrapped) send(ctx context.Context, r transport.JSONRPCRequest, out *outgoing) (*transport.JSONRPCResponse, error) {
	if _, ok := w.Interface.(transport.HTTPConnection); ok {
		return w.Interface.SendRequest(ctx, r)
	}
	line, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	call, err := w.lines.Request(ctx, line)
	if err != nil {
		return nil, err
	}
	resp, err := w.Interface.SendRequest(ctx, r)
	if err != nil {
		call.Fail(adapt.Failure(ctx, err, transport.ErrTransportClosed, interpret.DeliveryUnknown))
		if ctx.Err() != nil {
			w.takeBack(ctx, r, out)
		}
		return nil, err
	}
	if line, err := json.Marshal(resp); err == nil {
		call.Answer(line)
	}
	return resp, nil
}

// takeBackTime bounds the sending of a cancellation.
const takeBackTime = 5 * time.Second

// takeBack sends notifications/cancelled for a request that was given up, under the id that was sent.
// A handshake must not be cancelled, and a task has a request for that.
func (w *wrapped) takeBack(ctx context.Context, r transport.JSONRPCRequest, out *outgoing) {
	if isHandshake(r.Method) || out.has("task") {
		return
	}
	n := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	n.Method = methodCancelled
	n.Params.AdditionalFields = map[string]any{"requestId": r.ID, "reason": ctx.Err().Error()}
	go func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), takeBackTime)
		defer cancel()
		_ = w.Interface.SendNotification(ctx, n) // nobody waits for it
	}()
}

func isHandshake(method string) bool { return method == "initialize" || method == "server/discover" }

const methodCancelled = "notifications/cancelled"

// SendNotification sends a notification, but for the client's own cancellations, which know the request by another id: see takeBack.
func (w *wrapped) SendNotification(ctx context.Context, n mcp.JSONRPCNotification) error {
	if n.Method == methodCancelled {
		return nil
	}
	err := w.Interface.SendNotification(ctx, n)
	if e, ok := errors.AsType[*interpret.Error](err); ok && n.Method == "notifications/initialized" && e.Ran != interpret.RanNo {
		return nil // the server has read it: what it thinks of the session, the next call tells
	}
	return err
}
