package client

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// Bounds of what a request keeps of the lines that came before its answer and were not its answer.
const (
	strayLines = 16
	strayBytes = 4 << 10 // of each
)

// Bounds of the answers that may still come to requests that were given up. Most never do: what was cancelled is not to be answered.
const (
	mostOwed = 1024
	owedFor  = 30 * time.Second
)

// waiter is one request in flight on a process.
type waiter struct {
	sent     bool // its line is out
	heard    bool // a line arrived while it waited
	lines    [][]byte
	cut      bool
	others   int // requests in flight beside it when its answer came
	answered chan struct{}
}

func (w *waiter) stray(line []byte) {
	w.heard = true
	if len(w.lines) < strayLines {
		w.lines = append(w.lines, slices.Clone(line[:min(len(line), strayBytes)]))
	}
}

// exchange sends one request, waits for its answer and says what came. On the end of ctx it is for the caller to take the request back.
func (p *process) exchange(ctx context.Context, req interpret.Request, body []byte) interpret.Exchange {
	w := &waiter{answered: make(chan struct{})}
	p.mu.Lock()
	p.inflight[req.ID] = w
	if n, err := strconv.ParseInt(req.ID, 10, 64); err == nil {
		p.highest = max(p.highest, n)
	}
	p.mu.Unlock()

	x := interpret.Exchange{Request: req}
	delivery, err := p.send(ctx, body)
	if err != nil {
		x.Failure = p.failure(err, delivery)
	} else {
		p.mu.Lock()
		w.sent = true
		p.mu.Unlock()
		select {
		case <-w.answered:
		case <-ctx.Done():
			x.Failure = p.failure(ctx.Err(), delivery)
		case <-p.eof:
			p.wind()
			x.Failure = p.failure(p.exit, delivery)
		}
	}

	p.mu.Lock()
	select {
	case <-w.answered: // whatever ended the wait, an answer is the answer
		if x.Failure != nil && x.Failure.What != interpret.FailedCancelled {
			x.Failure = nil
		}
	default:
		delete(p.inflight, req.ID)
		w.others = len(p.inflight)
		if w.sent && len(p.owed) < mostOwed {
			p.owed[req.ID] = time.Now()
		}
	}
	if x.Failure != nil && w.heard {
		x.Failure.Delivery = interpret.DeliveryAnswering
	}
	x.Lines, x.Truncated, x.Request.InFlight, x.Received = w.lines, w.cut, w.others, time.Now()
	p.mu.Unlock()
	return x
}

// notify sends one message that gets no answer.
func (p *process) notify(ctx context.Context, req interpret.Request, body []byte) interpret.Exchange {
	x := interpret.Exchange{Request: req}
	if delivery, err := p.send(ctx, body); err != nil {
		x.Failure = p.failure(err, delivery)
	}
	return x
}

func (p *process) failure(err error, delivery interpret.Delivery) *interpret.Failure {
	f := &interpret.Failure{What: interpret.FailedEOF, Delivery: delivery, Err: err}
	var exit *ExitError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		f.What = interpret.FailedTimeout
	case errors.Is(err, context.Canceled):
		f.What = interpret.FailedCancelled
	case errors.As(err, &exit):
		f.What, f.ExitCode = interpret.FailedExited, &exit.Code
	}
	return f
}

// line finds whose line it is. The message's bytes are good until it returns.
func (p *process) line(m interpret.Message) {
	p.mu.Lock()
	p.spoken++
	switch {
	case m.Junk:
		p.junk++
		p.stray(m.Raw)
	case m.Method == "":
		p.spoke = true
		p.answer(m)
	default:
		p.spoke = true
		if m.ID != "" { // an answer that does not come may have been waiting for ours
			p.stray(m.Raw)
		}
		for _, w := range p.inflight {
			w.heard = true
		}
		defer p.receive(m)
	}
	p.mu.Unlock()
}

// answer ends the wait of the request that an answer names, or that [process.nameless] finds if it names none.
// An answer that comes late, to a request given up, is dropped. p.mu is held.
func (p *process) answer(m interpret.Message) {
	if w := p.inflight[m.ID]; w != nil {
		p.finish(m.ID, bytes.Clone(m.Raw), false)
		return
	}
	if m.ID == "" || m.ID == "null" {
		if id, alone := p.nameless(); alone {
			p.finish(id, bytes.Clone(m.Raw), false)
			return
		}
	}
	delete(p.owed, m.ID)
	if n, err := strconv.ParseInt(m.ID, 10, 64); err == nil && 0 < n && n <= p.highest {
		return
	}
	p.stray(m.Raw)
}

// tooLong ends the wait of the request whose answer is over the limit, as far as the head of the line tells. A request of the server's that is
// over it is refused, for our own may be waiting for it.
func (p *process) tooLong(id string, asks bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.spoken++
	if asks {
		p.spoke = true
		for _, w := range p.inflight {
			w.heard = true
		}
		if id != "" {
			defer p.receive(interpret.Message{ID: id, Junk: true})
		}
		return
	}
	if id == "" {
		id, _ = p.nameless()
	}
	delete(p.owed, id)
	if p.inflight[id] == nil { // such as the late answer to a call that was given up
		p.junk++
		return
	}
	p.finish(id, nil, true)
}

// nameless returns the id of the request that an answer without an id is for: the only one in flight. While a request that was given up may
// still be answered, such an answer is taken for that one's, each for one of them. p.mu is held.
func (p *process) nameless() (id string, ok bool) {
	for late, since := range p.owed {
		if delete(p.owed, late); time.Since(since) < owedFor {
			return "", false
		}
	}
	for only := range p.inflight {
		if len(p.inflight) == 1 {
			return only, true
		}
	}
	return "", false
}

// stray gives every request in flight a line that is no answer to any.
func (p *process) stray(line []byte) {
	for _, w := range p.inflight {
		w.stray(line)
	}
}

func (p *process) finish(id string, line []byte, cut bool) {
	w := p.inflight[id]
	w.heard, w.cut = true, cut
	if line != nil {
		w.lines = append(w.lines, line)
	}
	delete(p.inflight, id)
	w.others = len(p.inflight)
	close(w.answered)
}
