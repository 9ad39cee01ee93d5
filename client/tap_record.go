package client

import (
	"bytes"
	"context"
	"errors"
	"sync"

	"github.com/mcperr/mcperr/internal/wire"
	"github.com/mcperr/mcperr/interpret"
)

// Recorder keeps what was said in the last request that was made with its context, whatever an SDK makes of it.
// Make it with [Record]; a nil Recorder keeps nothing. It is safe for concurrent use.
type Recorder struct {
	mu      sync.Mutex
	request interpret.Request
	started bool
	over    bool // nothing more is coming
	x       interpret.Exchange
	body    bytes.Buffer // of a stream that is being read
	trace   *wire.Trace
	secrets *interpret.Scrubber
}

type recorderKey struct{}

// Record returns a context whose requests the recorder follows, through a [Tap] or a [LineTap].
// A recorder is for one call at a time: of several requests it keeps the last.
func Record(ctx context.Context) (context.Context, *Recorder) {
	r := new(Recorder)
	return r.In(ctx), r
}

// In returns a context whose requests this recorder follows, as those of [Record].
func (r *Recorder) In(ctx context.Context) context.Context {
	return context.WithValue(ctx, recorderKey{}, r)
}

// RecorderIn returns the recorder that follows the requests of this context, nil if none does.
func RecorderIn(ctx context.Context) *Recorder {
	r, _ := ctx.Value(recorderKey{}).(*Recorder)
	return r
}

// Exchange returns what was recorded. ok is false if no request came by.
// err is what the SDK says became of the call: a request whose reply is not whole by then has failed with it, or with the end of ctx.
func (r *Recorder) Exchange(ctx context.Context, err error) (x interpret.Exchange, ok bool) {
	if r == nil {
		return interpret.Exchange{}, false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.started {
		return interpret.Exchange{}, false
	}
	x = r.x
	x.Request = r.request
	if x.Body == nil && r.body.Len() > 0 {
		x.Body = bytes.Clone(r.body.Bytes())
	}
	if end := ctx.Err(); !r.over && x.Failure == nil && (err != nil || end != nil) {
		f := &interpret.Failure{What: interpret.FailedReset, Delivery: r.delivery(), Err: err}
		switch {
		case errors.Is(end, context.Canceled):
			f.What, f.Err = interpret.FailedCancelled, context.Cause(ctx)
		case end != nil:
			f.What, f.Err = interpret.FailedTimeout, context.Cause(ctx)
		}
		x.Failure = f
	}
	return x, true
}

// Scrubber returns what takes the credentials that the last request went out with out of a text, as far as a [Tap] saw them; nil if none did.
func (r *Recorder) Scrubber() *interpret.Scrubber {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.secrets
}

func (r *Recorder) delivery() interpret.Delivery {
	if r.trace == nil {
		return interpret.DeliveryUnknown
	}
	return r.trace.Delivery()
}

// begin starts with another request.
func (r *Recorder) begin(req interpret.Request, t *wire.Trace, secrets *interpret.Scrubber) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.request, r.x, r.started, r.over, r.trace, r.secrets = req, interpret.Exchange{}, true, false, t, secrets
	r.body.Reset()
}

// stream notes that an event stream has begun. What came of one before it, which broke, held no answer.
func (r *Recorder) stream(x interpret.Exchange, t *wire.Trace) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.x, r.over, r.trace = x, false, t
	r.body.Reset()
}

// bytes returns what came of the stream so far.
func (r *Recorder) bytes() []byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return bytes.Clone(r.body.Bytes())
}

// recording takes in bytes of a stream as they are read. It is no method of the recorder: a resend is decided on these bytes, and a host has none to add.
type recording struct{ to *Recorder }

func (w recording) Write(p []byte) (int, error) {
	w.to.mu.Lock()
	defer w.to.mu.Unlock()
	return w.to.body.Write(p)
}

// end notes all that came.
func (r *Recorder) end(x interpret.Exchange) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.started {
		return
	}
	r.request, r.x, r.over = x.Request, x, true
}
