package client

import (
	"io"
	"slices"
	"sync"
)

// stderrTail is how much of a child's standard error is kept, in bytes.
const stderrTail = 8 << 10

// tail keeps the last bytes that were written to it. Its zero value is ready; it never blocks and never fails.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	p = p[max(0, n-stderrTail):]
	t.kept = append(t.kept[max(0, min(len(t.kept), len(t.kept)+len(p)-stderrTail)):], p...)
	return n, nil
}

func (t *tail) bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.kept)
}

var _ io.Writer = (*tail)(nil)
