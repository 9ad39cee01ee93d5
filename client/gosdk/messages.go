package gosdk

import (
	"errors"
	"io"
	"iter"
	"sync"

	"github.com/mcperr/mcperr/internal/proto"
	"github.com/mcperr/mcperr/internal/stdio"
	"github.com/mcperr/mcperr/interpret"
)

// messages are the lines of a server's standard output that are messages, of which none is longer than the limit. They end where a line does not.
type messages struct {
	below   io.ReadCloser
	head    *stdio.Head
	tooLong func(id string, asks bool)
	odd     func(line interpret.Message)

	mu    sync.Mutex // held while below is read
	next  func() (interpret.Message, error, bool)
	stop  func()
	ready []byte
	err   error
}

func newMessages(r io.ReadCloser, limit int64, tooLong func(id string, asks bool), odd func(interpret.Message)) *messages {
	if limit <= 0 {
		limit = interpret.DefaultLimit
	}
	m := &messages{below: r, head: &stdio.Head{Below: &stdio.Bounded{Below: r, Limit: limit}}, tooLong: tooLong, odd: odd}
	m.next, m.stop = iter.Pull2(interpret.Scan(m.head, "", interpret.Request{Transport: interpret.Stdio}, interpret.Limits{Bytes: limit}))
	return m
}

func (m *messages) Read(p []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for len(m.ready) == 0 {
		if m.err != nil {
			return 0, m.err
		}
		line, err, ok := m.next()
		switch {
		case errors.Is(err, interpret.ErrTooLarge): // that line is gone; others follow
			if m.tooLong != nil {
				m.tooLong(m.head.About())
			}
		case err != nil:
			m.err = err
		case !ok:
			m.err = io.EOF
		case line.Junk:
		case !proto.Decodable(line.Raw):
			if m.odd != nil {
				m.odd(line)
			}
		default:
			m.ready = append(append(m.ready, line.Raw...), '\n')
		}
	}
	n := copy(p, m.ready)
	m.ready = m.ready[n:]
	return n, nil
}

// Close ends a Read that waits.
func (m *messages) Close() error {
	err := m.below.Close()
	m.mu.Lock()
	defer m.mu.Unlock()
	m.stop()
	m.err = io.EOF
	return err
}
