package adapttest

import (
	"context"
	"time"
)

// Until returns a context whose deadline passes when the next request of a method, or verb, has arrived: not before, however slow the machine is.
// There is one at a time for a method.
func (s *Server) Until(method string) context.Context {
	s.mu.Lock()
	defer s.mu.Unlock()
	passed := make(chan struct{})
	s.until[method] = passed
	return deadline{passed}
}

// deadline is a context that ends as one does whose deadline has passed.
type deadline struct{ passed chan struct{} }

func (d deadline) Deadline() (time.Time, bool) { return time.Time{}, false }
func (d deadline) Done() <-chan struct{}       { return d.passed }
func (d deadline) Value(any) any               { return nil }

func (d deadline) Err() error {
	select {
	case <-d.passed:
		return context.DeadlineExceeded
	default:
		return nil
	}
}
