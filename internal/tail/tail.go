// Package tail keeps the end of what a child process writes to its standard error.
package tail

import (
	"slices"
	"sync"
)

// Size is how much is kept, in bytes.
const Size = 8 << 10

// Tail keeps the last [Size] bytes that were written to it. Its zero value is ready and safe for concurrent use;
// it never blocks and never fails.
type Tail struct {
	mu   sync.Mutex
	kept []byte
}

// Write implements [io.Writer].
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	p = p[max(0, n-Size):]
	t.kept = append(t.kept[max(0, len(t.kept)+len(p)-Size):], p...)
	return n, nil
}

// Bytes returns a copy of what is kept.
func (t *Tail) Bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.kept)
}

// String returns what is kept.
func (t *Tail) String() string { return string(t.Bytes()) }
