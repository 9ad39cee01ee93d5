package client

import (
	"context"
	"sync"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// LineTap is to an SDK's transport of lines, as over stdio, what [Tap] is to HTTP: it fills the recorders of the calls that go through.
// It is for one connection; the zero value is ready, and safe for concurrent use.
type LineTap struct {
	peer     peer
	mu       sync.Mutex
	inflight int
}

// LineCall is one request on its way. A nil LineCall, of a message that gets no answer, takes everything and does nothing.
type LineCall struct {
	t        *LineTap
	request  interpret.Request
	recorder *Recorder
	over     sync.Once
}

// Request notes what is about to be written. The call is nil for a notification or an answer of ours.
// The error says that it must not be written: it is a handshake that the SDK falls back to without a reason.
func (t *LineTap) Request(ctx context.Context, line []byte) (*LineCall, error) {
	req, err := interpret.ParseRequest(line, nil)
	if err != nil {
		t.peer.replied(line)
		return nil, nil
	}
	if req.ID == "" {
		return nil, nil
	}
	t.peer.describe(&req)
	rec := RecorderIn(ctx)
	if err := rec.refuse(req); err != nil {
		return nil, err
	}
	rec.begin(req, nil, nil)
	t.mu.Lock()
	t.inflight++
	t.mu.Unlock()
	return &LineCall{t: t, request: req, recorder: rec}, nil
}

// ID returns the id under which the answer will come, raw JSON; "" if none will.
func (c *LineCall) ID() string {
	if c == nil {
		return ""
	}
	return c.request.ID
}

// Answer notes the line that came under the request's id.
func (c *LineCall) Answer(line []byte) { c.end(interpret.Exchange{Lines: [][]byte{line}}) }

// Cut notes that the line that came under the request's id is over the limit of who reads it, and returns what that means as an error.
func (c *LineCall) Cut() error {
	if c == nil {
		return nil
	}
	c.end(interpret.Exchange{Truncated: true})
	return interpret.Reply(interpret.Exchange{Request: c.request, Truncated: true}).Err()
}

// Fail notes that no answer will come.
func (c *LineCall) Fail(f interpret.Failure) { c.end(interpret.Exchange{Failure: &f}) }

func (c *LineCall) end(x interpret.Exchange) {
	if c == nil {
		return
	}
	c.over.Do(func() {
		x.Request, x.Replied, x.Received = c.request, c.t.peer.repliedIDs(), time.Now()
		c.t.mu.Lock()
		c.t.inflight--
		x.Request.InFlight = c.t.inflight
		c.t.mu.Unlock()
		o := interpret.Reply(x)
		c.t.peer.learn(&x, &o)
		c.recorder.end(x)
	})
}

// Heard notes a notification of the server's.
func (t *LineTap) Heard(method string) { t.peer.names.stale(method) }
