package probe

import (
	"context"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/mcperr/mcperr/internal/stdio"
	"github.com/mcperr/mcperr/internal/tail"
)

// grace is how long a child may take to end once its input has ended, and again once it was asked to terminate
// (basic/transports/stdio, shutdown).
const grace = time.Second

// child is one run of a stdio server.
type child struct {
	cmd    *exec.Cmd
	stdin  *os.File
	lines  chan []byte   // of standard output; closed at its end
	quit   chan struct{} // closed when nobody takes lines any more
	done   chan struct{} // closed when the process is gone
	stop   func()
	stderr tail.Tail
}

func startChild(command []string, limit int64) (*child, error) {
	c := &child{cmd: exec.Command(command[0], command[1:]...), lines: make(chan []byte), quit: make(chan struct{}), done: make(chan struct{})}
	c.stop = sync.OnceFunc(c.end)
	setGroup(c.cmd)
	c.cmd.Stderr = &c.stderr
	c.cmd.WaitDelay = grace // a grandchild may hold standard error open for ever
	inR, inW, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	outR, outW, err := os.Pipe()
	if err != nil {
		closeAll(inR, inW)
		return nil, err
	}
	c.cmd.Stdin, c.cmd.Stdout, c.stdin = inR, outW, inW
	err = c.cmd.Start()
	closeAll(inR, outW)
	if err != nil {
		closeAll(inW, outR)
		return nil, err
	}
	go func() {
		readLines(&stdio.Output{File: outR}, limit, c.lines, c.quit)
		outR.Close()
	}()
	go func() {
		c.cmd.Wait() // its error says no more than ProcessState
		killGroup(c.cmd)
		closeAll(inW)
		outR.SetReadDeadline(time.Now().Add(grace))
		close(c.done)
	}()
	return c, nil
}

func closeAll(files ...*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// write writes lines. A child that does not read ends the writing with the context.
func (c *child) write(ctx context.Context, b []byte) error {
	c.stdin.SetWriteDeadline(time.Time{})
	stop := context.AfterFunc(ctx, func() { c.stdin.SetWriteDeadline(time.Unix(1, 0)) })
	defer stop()
	_, err := c.stdin.Write(b)
	return err
}

func (c *child) ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// code is the exit code once the process is gone, -1 if a signal ended it.
func (c *child) code() int { return c.cmd.ProcessState.ExitCode() }

// end closes the input, asks to terminate and kills, each when the one before has not helped. It returns when the process is gone.
func (c *child) end() {
	close(c.quit)
	c.stdin.Close()
	for _, step := range []func(*exec.Cmd){terminateGroup, killGroup} {
		select {
		case <-c.done:
			return
		case <-time.After(grace):
			step(c.cmd)
		}
	}
	<-c.done
}
