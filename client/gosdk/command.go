package gosdk

import (
	"context"
	"errors"
	"io"
	"iter"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/interpret"
)

// Command is a server run as a child process, one for each session; command makes what is to be run.
// It is the SDK's CommandTransport in a [Wrap], but that a line which is no message, as a stray print leaves it, does not end the session.
func Command(command func() *exec.Cmd) Dialer {
	return func(context.Context) (mcp.Transport, error) { return Wrap(&child{cmd: command()}), nil }
}

// child is the transport of one process. It is used once, as every transport of the SDK's.
type child struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *messages
}

// Connect starts the process.
func (c *child) Connect(ctx context.Context) (mcp.Connection, error) {
	stdout, err := c.cmd.StdoutPipe()
	if err == nil {
		c.stdin, err = c.cmd.StdinPipe()
	}
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	c.stdout = newMessages(stdout)
	// A process that is to end may still have something to say: its output is closed after it, and not by the SDK before.
	return (&mcp.IOTransport{Reader: io.NopCloser(c.stdout), Writer: c}).Connect(ctx)
}

// Write writes to the process's standard input.
func (c *child) Write(p []byte) (int, error) { return c.stdin.Write(p) }

// grace is how long a process has to end after its input was closed, and again after it was asked to terminate.
const grace = 5 * time.Second

// Close ends the process: its input is closed, then it is asked to terminate, then killed
// (2026-07-28, basic/transports, stdio, shutdown).
func (c *child) Close() error {
	defer c.stdout.Close()
	err := c.stdin.Close()
	ended := make(chan error, 1)
	go func() { ended <- c.cmd.Wait() }()
	for _, step := range []func() error{
		func() error { return c.cmd.Process.Signal(syscall.SIGTERM) },
		c.cmd.Process.Kill,
	} {
		t := time.NewTimer(grace)
		select {
		case <-ended: // with which status is no fault of the closing
			t.Stop()
			return err
		case <-t.C:
			if step() != nil {
				_ = c.cmd.Process.Kill()
			}
		}
	}
	<-ended
	return err
}

// messages are the lines of a server's standard output that are messages.
type messages struct {
	below io.ReadCloser
	mu    sync.Mutex // held while below is read
	next  func() (interpret.Message, error, bool)
	stop  func()
	ready []byte
	err   error
}

func newMessages(r io.ReadCloser) *messages {
	m := &messages{below: r}
	m.next, m.stop = iter.Pull2(interpret.Scan(r, "", interpret.Request{Transport: interpret.Stdio}, interpret.Limits{}))
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
		case err != nil:
			m.err = err
		case !ok:
			m.err = io.EOF
		case !line.Junk:
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
