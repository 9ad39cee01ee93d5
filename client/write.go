package client

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// Bounds of a line whose sender has given up, once a part of it is out.
const (
	restQuiet = 2 * time.Second // how long a process that owes no answer may take none of it and say nothing
	restMost  = 5 * time.Minute // how long it may take, whatever the process is busy with
)

// send writes one line. The delivery state says whether any byte of it can have arrived.
func (p *process) send(ctx context.Context, body []byte) (interpret.Delivery, error) {
	select {
	case p.writing <- struct{}{}:
		return p.write(ctx, body)
	case <-p.done:
		return interpret.DeliveryNotSent, p.exit
	case <-ctx.Done():
		return interpret.DeliveryNotSent, ctx.Err()
	}
}

// write is send for who holds the token of p.writing, and gives it back. Once a byte is out, the end of ctx frees the sender but not the pipe: the
// line is brought to its end first, for nothing readable could follow a half.
func (p *process) write(ctx context.Context, body []byte) (interpret.Delivery, error) {
	line := append(body[:len(body):len(body)], '\n')
	n, err := p.writeUntil(ctx, line)
	delivery := interpret.DeliveryWritten
	if n == 0 {
		delivery = interpret.DeliveryNotSent
	}
	if n > 0 && errors.Is(err, os.ErrDeadlineExceeded) {
		go p.complete(line[n:])
		return delivery, ctx.Err()
	}
	defer func() { <-p.writing }()
	switch {
	case err == nil:
		return delivery, nil
	case ctx.Err() != nil:
		return delivery, ctx.Err()
	}
	p.wind() // nobody reads on the other side
	return delivery, p.exit
}

// writeUntil writes what it can until ctx ends.
func (p *process) writeUntil(ctx context.Context, line []byte) (int, error) {
	switch {
	case p.ended():
		return 0, p.exit
	case ctx.Err() != nil:
		return 0, ctx.Err()
	}
	p.stdin.SetWriteDeadline(time.Time{})
	cut := make(chan struct{})
	stop := context.AfterFunc(ctx, func() { defer close(cut); p.stdin.SetWriteDeadline(time.Unix(1, 0)) })
	n, err := p.stdin.Write(line)
	if !stop() {
		<-cut // it must not cut the next line
	}
	return n, err
}

// complete writes the rest of a line whose sender has given up, and gives the token of p.writing back. A server that does one thing at a time reads on
// once it has answered what it is at, so it is given the time. One that owes no answer, says nothing and takes nothing will not read on: it is ended.
func (p *process) complete(rest []byte) {
	defer func() { <-p.writing }()
	for end := time.Now().Add(p.restMost); ; {
		said := p.said()
		p.stdin.SetWriteDeadline(time.Now().Add(p.restQuiet))
		n, err := p.stdin.Write(rest)
		rest = rest[n:]
		switch {
		case err == nil, errors.Is(err, os.ErrClosed): // it is being ended
			return
		case !errors.Is(err, os.ErrDeadlineExceeded):
			p.wind()
			return
		case time.Now().After(end), n == 0 && p.said() == said && !p.owes():
			p.end(0)
			return
		}
	}
}

// said is how many lines the process has written so far.
func (p *process) said() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.spoken
}

// owes reports whether a request that has gone out whole waits for its answer.
func (p *process) owes() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, w := range p.inflight {
		if w.sent {
			return true
		}
	}
	return false
}

// takeBack sends notifications/cancelled as soon as the line before it is out; ctx ends the waiting for that. A handshake must not be cancelled, and a
// probe that is given up ends the process anyway.
func (p *process) takeBack(ctx context.Context, req interpret.Request) {
	if req.Method == "initialize" || req.Method == "server/discover" {
		return
	}
	select {
	case p.writing <- struct{}{}:
	case <-p.done:
		return
	case <-ctx.Done():
		select {
		case p.writing <- struct{}{}: // nothing holds it up
		default:
			return
		}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), takeBackTime)
	defer cancel()
	p.write(ctx, cancelled(req.ID))
}
