package wire

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
)

// hold makes the body of a reply one that ends with ctx, the request's, whatever sent the request.
//
// After 101 there is no body: what comes then is of a protocol that nobody here asked to switch to, and net/http neither
// ends it nor bounds it by the request's context. The connection is closed.
func hold(ctx context.Context, resp *http.Response) {
	switch {
	case resp.Body == nil || resp.Body == http.NoBody:
	case resp.StatusCode == http.StatusSwitchingProtocols:
		resp.Body.Close()
		resp.Body, resp.ContentLength = http.NoBody, 0
	default:
		b := &held{ReadCloser: resp.Body, ctx: ctx}
		b.let = context.AfterFunc(ctx, func() {
			b.ended.Store(true)
			b.ReadCloser.Close()
		})
		resp.Body = b
	}
}

// held is a body that its context closes, if nobody did before. It is closed once.
type held struct {
	io.ReadCloser
	ctx   context.Context
	let   func() bool // keeps the context from closing it; true the first time, if that is in time
	ended atomic.Bool // closed by the context
}

// Read returns the context's cause where the context ended the body: what the closed body says of itself may be anything, its end too.
func (b *held) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil && b.ended.Load() {
		err = context.Cause(b.ctx)
	}
	return n, err
}

// Close may be called while Read waits, which it ends if the body below is like those of net/http.
func (b *held) Close() error {
	if b.let() {
		return b.ReadCloser.Close()
	}
	return nil
}
