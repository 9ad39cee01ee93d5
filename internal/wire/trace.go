package wire

import (
	"context"
	"crypto/tls"
	"net/http/httptrace"
	"sync/atomic"

	"github.com/mcperr/mcperr/interpret"
)

// Trace follows one request through net/http and says how far it got.
// It is made by [WithTrace] and safe for concurrent use: net/http calls its hooks from goroutines of its own, late ones too.
type Trace struct {
	wrote     atomic.Bool // a whole request head was handed to the connection: before that no server can act on it
	answering atomic.Bool // the first byte of a reply was read
	tlsFailed atomic.Bool
}

type traceKey struct{}

// WithTrace returns a context whose one request the trace follows, beside any trace the context has.
func WithTrace(ctx context.Context) (context.Context, *Trace) {
	t := new(Trace)
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		WroteHeaders:         func() { t.wrote.Store(true) },
		GotFirstResponseByte: func() { t.answering.Store(true) },
		TLSHandshakeDone: func(_ tls.ConnectionState, err error) {
			if err != nil {
				t.tlsFailed.Store(true)
			}
		},
	})
	return context.WithValue(ctx, traceKey{}, t), t
}

// Delivery returns how far the request got by now.
func (t *Trace) Delivery() interpret.Delivery {
	switch {
	case t.answering.Load():
		return interpret.DeliveryAnswering
	case t.wrote.Load():
		return interpret.DeliveryWritten
	}
	return interpret.DeliveryNotSent
}

// restart forgets the way so far: the server answered that it did not take the request and where to send it.
func (t *Trace) restart() {
	t.wrote.Store(false)
	t.answering.Store(false)
}
