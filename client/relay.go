package client

import (
	"io"
	"sync"
	"time"
)

// relayed bounds what waits for a host's writer, in bytes.
const relayed = 256 << 10

// relay hands on to a host's writer what is written to it, in order and from one goroutine at a time, and never waits for it: what the writer is too
// slow for is left out, and a writer that has failed is not called again. The zero value is ready for use once it has a writer.
type relay struct {
	to io.Writer

	mu      sync.Mutex
	waiting []byte
	idle    chan struct{} // closed when all is handed on; nil: it is
	failed  bool
}

// Write implements [io.Writer]; it takes everything, or says that it has.
func (r *relay) Write(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.failed {
		return len(p), nil
	}
	r.waiting = append(r.waiting, p[:min(len(p), relayed-len(r.waiting))]...)
	if r.idle == nil {
		r.idle = make(chan struct{})
		go r.run()
	}
	return len(p), nil
}

func (r *relay) run() {
	var batch []byte
	for {
		r.mu.Lock()
		if len(r.waiting) == 0 {
			close(r.idle)
			r.idle = nil
			r.mu.Unlock()
			return
		}
		batch, r.waiting = r.waiting, batch[:0]
		r.mu.Unlock()
		if _, err := r.to.Write(batch); err != nil {
			r.mu.Lock()
			r.failed, r.waiting = true, nil
			r.mu.Unlock()
		}
	}
}

// settle waits until all is handed on, but no longer than that.
func (r *relay) settle(most time.Duration) {
	r.mu.Lock()
	idle := r.idle
	r.mu.Unlock()
	if idle == nil {
		return
	}
	t := time.NewTimer(most)
	defer t.Stop()
	select {
	case <-idle:
	case <-t.C:
	}
}
