// Package stdio is what servers behind standard input and output have in common, whoever speaks with them: how such a process ends, and what is
// known of a line that is too long to be read.
package stdio

import (
	"os/exec"
	"time"
)

// Drain is how long the output of a process that has ended is still waited for: a grandchild may hold the pipe open for ever.
const Drain = 200 * time.Millisecond

// Grace is how long a process has to end, by default, after its input was closed, and again after it was asked to terminate.
const Grace = 2 * time.Second

// End ends a process whose input was closed, and returns when done is closed, which says that it is gone: after grace it is asked to terminate,
// after grace again it is killed (2026-07-28, basic/transports, stdio, shutdown), each with what it has started and has not left its process group.
// Zero or less is no grace.
func End(cmd *exec.Cmd, done <-chan struct{}, grace time.Duration) {
	for _, step := range []func(*exec.Cmd){Terminate, Kill} {
		if !within(done, grace) {
			step(cmd)
		}
	}
	<-done
}

// within reports whether done is closed by then.
func within(done <-chan struct{}, d time.Duration) bool {
	if d > 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-done:
			return true
		case <-t.C:
		}
	}
	select {
	case <-done:
		return true
	default:
		return false
	}
}
