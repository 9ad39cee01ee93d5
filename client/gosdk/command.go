package gosdk

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/internal/stdio"
	"github.com/mcperr/mcperr/interpret"
)

// Command is a [Stdio] with nothing but its command.
func Command(command func() *exec.Cmd) Dialer { return Stdio{Command: command}.Dialer() }

// Stdio is a server run as a child process, one for each session, that speaks over its standard input and output.
// The process ends with its session, and with it what it has started, where there are process groups and unless it has left the process's own:
// its input is closed, then it is asked to terminate, then killed. It does not get our terminal's interrupt.
// A line that is no message, as a stray print leaves it, does not end the session; one that has no end does.
type Stdio struct {
	// Command makes what is to be run, each time anew. Standard input and output are the session's; standard error is the host's, and if it is
	// no file it is given up 200 ms after the process has ended, unless the command has a WaitDelay: somebody else may hold it open.
	Command func() *exec.Cmd

	MaxReply int64         // bytes of one line; zero or less is 16 MiB. The call whose answer is longer ends, the session goes on
	Grace    time.Duration // how long the process has to end after its input was closed, and again after it was asked to; zero or less is 2 s
}

// Dialer returns a [Dialer] of this server, in a [Wrap].
func (s Stdio) Dialer() Dialer {
	return func(context.Context) (mcp.Transport, error) {
		if s.Command == nil {
			return nil, errors.New("gosdk: no command")
		}
		c := &child{cmd: s.Command(), limit: s.MaxReply, grace: s.Grace, done: make(chan struct{})}
		if c.grace <= 0 {
			c.grace = stdio.Grace
		}
		return Wrap(c), nil
	}
}

// child is the transport of one process. It is used once, as every transport of the SDK's.
type child struct {
	cmd     *exec.Cmd
	limit   int64
	grace   time.Duration
	tooLong func(id string, asks bool) // is told what is known of a line over the limit; nil: nobody is
	odd     func(interpret.Message)    // is told of a message that the SDK cannot take; nil: nobody is

	stdin  *os.File
	stdout *messages
	done   chan struct{} // closed when the process has ended
}

var errTaken = errors.New("gosdk: standard input and output of the command are the session's")

// Connect starts the process.
func (c *child) Connect(ctx context.Context) (mcp.Connection, error) {
	if c.cmd.Stdin != nil || c.cmd.Stdout != nil {
		return nil, errTaken
	}
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		closeAll(inR, inW)
		return nil, err
	}
	c.cmd.Stdin, c.cmd.Stdout = inR, outW
	if c.cmd.WaitDelay == 0 {
		c.cmd.WaitDelay = stdio.Drain
	}
	stdio.Group(c.cmd)
	err = c.cmd.Start()
	closeAll(inR, outW)
	if err != nil {
		closeAll(inW, outR)
		return nil, err
	}
	c.stdin, c.stdout = inW, newMessages(&stdio.Output{File: outR}, c.limit, c.tooLong, c.odd)
	go func() {
		_ = c.cmd.Wait() // with which status is no fault of the session's
		stdio.Kill(c.cmd)
		_ = outR.SetReadDeadline(time.Now().Add(stdio.Drain))
		inW.Close() // ends a Write that waits
		close(c.done)
	}()
	// A process that is to end may still have something to say: its output is closed after it, and not by the SDK before.
	// How long a line may be is seen to here: the SDK would end the session for it.
	return (&mcp.IOTransport{Reader: io.NopCloser(c.stdout), Writer: c, MaxLineLength: -1}).Connect(ctx)
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// Write writes to the process's standard input.
func (c *child) Write(p []byte) (int, error) { return c.stdin.Write(p) }

// Close ends the process (2026-07-28, basic/transports, stdio, shutdown).
func (c *child) Close() error {
	defer c.stdout.Close()
	err := c.stdin.Close()
	stdio.End(c.cmd, c.done, c.grace)
	if errors.Is(err, os.ErrClosed) { // the process was over
		return nil
	}
	return err
}
