package client

import (
	"time"

	"github.com/mcperr/mcperr/internal/stdio"
)

// end stops the process and returns when it is gone: its input ends, after grace it is asked to terminate, after grace again it is killed
// (2026-07-28, basic/transports, stdio, shutdown).
func (p *process) end(grace time.Duration) {
	p.mu.Lock()
	p.asked = p.asked || !p.ended()
	p.mu.Unlock()
	p.stdin.Close()
	stdio.End(p.cmd, p.done, grace)
}

// wind returns when the process is gone: of itself, or ended by us if it takes longer than a moment.
func (p *process) wind() {
	t := time.NewTimer(drain)
	defer t.Stop()
	select {
	case <-p.done:
	case <-t.C:
		p.end(drain)
	}
}

// ended reports whether the process is over.
func (p *process) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// silent reports whether the process will not answer any more.
func (p *process) silent() bool {
	select {
	case <-p.eof:
		return true
	default:
		return p.ended()
	}
}

// diedAtBirth reports whether the process ended of itself, without a message and younger than that.
func (p *process) diedAtBirth(young time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ended() && !p.spoke && !p.asked && p.lived < young
}
