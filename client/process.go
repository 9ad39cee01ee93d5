package client

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/mcperr/mcperr/internal/stdio"
	"github.com/mcperr/mcperr/internal/tail"
	"github.com/mcperr/mcperr/interpret"
)

// drain is how long the output of a process that has ended is still read, and how long one that has closed its output may take to end of itself.
const drain = stdio.Drain

// ExitError says how a server process ended. Its text leaves the process's own words out.
type ExitError struct {
	Code   int    // exit code; -1 if a signal ended it
	Stderr []byte // the last 8 KiB of standard error: for the operator, never for a model
}

// Error returns one line without anything that the process wrote.
func (e *ExitError) Error() string {
	if e.Code < 0 {
		return "the server process was ended by a signal"
	}
	return fmt.Sprintf("the server process ended with exit code %d", e.Code)
}

// process is one run of a stdio server.
type process struct {
	cmd     *exec.Cmd
	stdin   *os.File
	writing chan struct{} // holds a token while a line is written, to its end
	limit   int64         // of one line
	started time.Time
	lived   time.Duration // set before done is closed
	stderr  tail.Tail
	receive func(interpret.Message) // server requests and notifications; must not block

	restQuiet, restMost time.Duration // the constants of these names

	mu       sync.Mutex
	inflight map[string]*waiter
	owed     map[string]time.Time // when ids were given up that may still be answered, mostOwed at the most
	highest  int64                // id that was sent
	spoke    bool                 // a message has arrived
	spoken   int                  // lines that have
	junk     int                  // lines that were no message
	asked    bool                 // it is being ended by us

	eof  chan struct{} // closed when standard output has ended: nothing will be answered any more
	done chan struct{} // closed when the process has ended and its output is read
	exit *ExitError    // set before done is closed
}

// start runs the command of a stdio server, whose Stderr must not block.
func start(s Stdio, limit int64, receive func(interpret.Message)) (*process, error) {
	p := &process{
		cmd: exec.Command(s.Command, s.Args...), limit: limit, receive: receive,
		restQuiet: restQuiet, restMost: restMost,
		writing: make(chan struct{}, 1), inflight: make(map[string]*waiter), owed: make(map[string]time.Time),
		eof: make(chan struct{}), done: make(chan struct{}),
	}
	p.cmd.Env, p.cmd.Dir = s.Env, s.Dir
	stdio.Group(p.cmd)
	var files []*os.File // all six ends
	pipe := func() (r, w *os.File, err error) {
		if r, w, err = os.Pipe(); err == nil {
			files = append(files, r, w)
		}
		return
	}
	inR, inW, err1 := pipe()
	outR, outW, err2 := pipe()
	errR, errW, err3 := pipe()
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = inR, outW, errW
	if err := errors.Join(err1, err2, err3); err != nil {
		closeAll(files)
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		closeAll(files)
		return nil, err
	}
	closeAll([]*os.File{inR, outW, errW})
	p.stdin, p.started = inW, time.Now()

	var stderr io.Writer = &p.stderr
	if s.Stderr != nil {
		stderr = io.MultiWriter(stderr, s.Stderr)
	}
	var readers sync.WaitGroup
	readers.Go(func() { p.read(&stdio.Output{File: outR}); close(p.eof); go p.wind() })
	readers.Go(func() { io.Copy(stderr, &stdio.Output{File: errR}) })
	go func() {
		p.cmd.Wait() // its error says no more than ProcessState
		deadline := time.Now().Add(drain)
		outR.SetReadDeadline(deadline)
		errR.SetReadDeadline(deadline)
		readers.Wait()
		stdio.Kill(p.cmd) // whoever it left behind
		closeAll([]*os.File{inW, outR, errR})
		p.lived = time.Since(p.started)
		p.exit = &ExitError{Code: p.cmd.ProcessState.ExitCode(), Stderr: p.stderr.Bytes()}
		close(p.done)
	}()
	return p, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		f.Close()
	}
}

// read hands every line of standard output on, to its end. A line over the limit is skipped; one that does not end is the end of the output, and so of
// the process.
func (p *process) read(out io.Reader) {
	from := &stdio.Head{Below: &stdio.Bounded{Below: out, Limit: p.limit}}
	for m, err := range interpret.Scan(from, "", interpret.Request{Transport: interpret.Stdio}, interpret.Limits{Bytes: p.limit}) {
		if errors.Is(err, interpret.ErrTooLarge) {
			p.tooLong(from.About())
		} else if m.Raw != nil {
			p.line(m)
		}
	}
}
