package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/mcperr/mcperr/internal/stdio"
	"github.com/mcperr/mcperr/interpret"
)

// Stdio is a server run as a child process that speaks over its standard input and output.
// The process starts with the first session and ends with it: its input is closed, then it is asked to terminate, then killed,
// and with it what it has started, where there are process groups and unless it has left the process's own, as a daemon does with setsid. It does not
// get our terminal's interrupt.
//
// What stands in Env and Args under the name of a secret, as GITHUB_TOKEN and --api-key, is taken out of all that is shown of a reply.
type Stdio struct {
	Command string
	Args    []string
	Env     []string // nil: this process's own
	Dir     string   // "": this process's own

	// Grace is how long the process has to end after its input was closed, and again after it was asked to terminate.
	// Zero or less is 2 s.
	Grace time.Duration
	// Probe is how long server/discover may stay unanswered before the server counts as one of the older protocol.
	// Zero or less is 5 s.
	Probe time.Duration

	// Stderr is given what the process writes to its standard error, as it comes and as it was written, secrets and control characters included: for
	// the operator, never for a model. Nil: only the end of it is kept, see [Process]. It is called from one goroutine at a time, for all
	// processes of a client, and holds nothing up: what it is too slow for is left out beyond 256 KiB, and after an error it is not called again.
	// A process's last words have been given to it when [Client.Close] returns, unless it takes more than 200 ms for them.
	Stderr io.Writer
}

// Name returns the last element of the command's path with a digest of command and arguments, of which one may be a key.
func (t Stdio) Name() string {
	return digested(filepath.Base(t.Command), append([]string{t.Command}, t.Args...)...)
}

func (t Stdio) link(c *Client) (link, error) {
	if t.Command == "" {
		return nil, errors.New("client: no command")
	}
	if t.Grace <= 0 {
		t.Grace = stdio.Grace
	}
	if t.Probe <= 0 {
		t.Probe = 5 * time.Second
	}
	c.secrets.know(ofCommand(t))
	l := &stdioLink{c: c, t: t, young: stillborn, words: drain}
	if t.Stderr != nil {
		l.stderr = &relay{to: t.Stderr}
		l.t.Stderr = l.stderr
	}
	return l, nil
}

// stdioLink runs a process a session.
type stdioLink struct {
	c      *Client
	t      Stdio         // its Stderr never blocks
	stderr *relay        // nil: the host wants none
	young  time.Duration // how old a process is at most that counts as stillborn
	words  time.Duration // how long the host's writer may take for the last words of a process

	mu   sync.Mutex
	last *session // whose process was started last
}

// stillborn is how young a process is that is not started again if it ends without a message: it would end so for ever.
const stillborn = time.Second

func (l *stdioLink) transport() interpret.Transport { return interpret.Stdio }
func (l *stdioLink) patience() time.Duration        { return l.t.Probe }

func (l *stdioLink) open(ctx context.Context, s *session) (*interpret.Failure, error) {
	if err := l.awaitEnd(ctx); err != nil {
		return gaveUp(err).Failure, nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last != nil && l.last.plan.handshake && l.last.process.diedAtBirth(l.young) {
		return l.failed(l.last.process.exit), l.last.process.exit
	}
	p, err := start(l.t, l.c.opts.maxReply(), func(m interpret.Message) { l.c.incoming(s, m) })
	if err != nil {
		return l.failed(err), err
	}
	s.process, l.last = p, s
	return nil, nil
}

// awaitEnd lets a process that nothing is asked of any more end before the next one starts, for both may want the same port or file. It waits no
// longer than such a process has before it is asked to terminate, and not beyond ctx, of which it returns the error.
func (l *stdioLink) awaitEnd(ctx context.Context) error {
	l.mu.Lock()
	last := l.last
	l.mu.Unlock()
	if last == nil || !l.c.vacated(last) {
		return nil
	}
	t := time.NewTimer(l.t.Grace)
	defer t.Stop()
	select {
	case <-last.process.done:
	case <-t.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

func (l *stdioLink) failed(err error) *interpret.Failure {
	f := &interpret.Failure{What: interpret.FailedExited, Delivery: interpret.DeliveryNotSent, Err: err}
	if exit, ok := errors.AsType[*ExitError](err); ok {
		f.ExitCode = &exit.Code
	}
	return f
}

func (l *stdioLink) listen(*session) {} // there is but one stream

func (l *stdioLink) exchange(ctx context.Context, s *session, req interpret.Request, _ http.Header, body []byte) interpret.Exchange {
	x := s.process.exchange(ctx, req, oneLine(body))
	if x.Failure != nil && ctx.Err() != nil && x.Failure.Delivery != interpret.DeliveryNotSent {
		l.c.background(func() { s.process.takeBack(l.c.ctx, req) }) // a full pipe must not hold up who gave up
	}
	return x
}

func (l *stdioLink) post(ctx context.Context, s *session, req interpret.Request, _ http.Header, body []byte) interpret.Exchange {
	return s.process.notify(ctx, req, oneLine(body))
}

// oneLine returns the message without line ends: what a host formatted must not break the framing.
func oneLine(body []byte) []byte {
	var b bytes.Buffer
	if !bytes.ContainsAny(body, "\r\n") || json.Compact(&b, body) != nil {
		return body
	}
	return b.Bytes()
}

// leave ends the process.
func (l *stdioLink) leave(s *session) {
	s.process.end(l.t.Grace)
	if l.stderr != nil {
		l.stderr.settle(l.words)
	}
}

// Process is what is known of a stdio server's process, for its operator.
type Process struct {
	PID     int
	Started time.Time
	Junk    int    // lines of its standard output that were no message
	Stderr  []byte // the last 8 KiB of its standard error: never for a model
}

// Process returns the process of the session, or the last one there was; ok is false over HTTP, and before the first was started.
func (c *Client) Process() (p Process, ok bool) {
	l, stdio := c.link.(*stdioLink)
	if !stdio {
		return p, false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.last == nil {
		return p, false
	}
	run := l.last.process
	run.mu.Lock()
	defer run.mu.Unlock()
	return Process{run.cmd.Process.Pid, run.started, run.junk, run.stderr.Bytes()}, true
}
