package gosdk

import (
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// lost is the end of what a connection has to read. A nil one never comes.
type lost struct {
	mu   sync.Mutex
	over bool
	tell func()
}

// then has f called when it comes, at once if it has come.
func (l *lost) then(f func()) {
	if l == nil {
		return
	}
	l.mu.Lock()
	l.tell = f
	over := l.over
	l.mu.Unlock()
	if over {
		f()
	}
}

// come says that it has, and returns when that was told.
func (l *lost) come() {
	l.mu.Lock()
	l.over = true
	tell := l.tell
	l.mu.Unlock()
	if tell != nil {
		tell()
	}
}

// lostOf returns that of a transport, nil if it does not tell.
func lostOf(t mcp.Transport) *lost {
	switch t := t.(type) {
	case *lineTransport:
		return &t.lost
	case *mcp.LoggingTransport:
		return lostOf(t.Transport)
	}
	return nil
}
