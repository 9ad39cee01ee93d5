package probe

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// quiet is how long an answer is still waited for when a later question has been answered: servers answer out of order.
const quiet = 500 * time.Millisecond

// pipe carries questions to a child process, a line each.
type pipe struct {
	command []string
	max     int64
	child   *child          // nil: none was started
	late    map[string]bool // ids of questions whose answers are not waited for any more
}

func newPipe(o Options) wire { return &pipe{command: o.Command, max: o.MaxBody} }

func (p *pipe) restart() (err error) {
	p.close()
	p.late = make(map[string]bool)
	p.child, err = startChild(p.command, p.max)
	return err
}

func (p *pipe) give() { p.close() }

func (p *pipe) ended() bool { return p.child == nil || p.child.ended() }

func (p *pipe) close() {
	if p.child != nil {
		p.child.stop()
	}
}

func (p *pipe) diagnosis() string {
	if p.child == nil {
		return ""
	}
	return p.child.stderr.String()
}

func (p *pipe) exchange(ctx context.Context, q *question, req interpret.Request) interpret.Exchange {
	x := interpret.Exchange{Request: req, Received: time.Now()}
	if p.ended() {
		x.Failure = p.gone(interpret.DeliveryNotSent)
		return x
	}
	c := p.child
	out := append(bytes.Clone(q.body), '\n')
	if q.after != nil {
		out = append(append(out, q.after.body...), '\n')
		p.late[q.after.id] = true
	}
	if err := c.write(ctx, out); err != nil {
		x.Failure = p.gone(interpret.DeliveryWritten)
		return x
	}
	if req.IsNotification() {
		return x
	}
	p.read(ctx, q, &x)
	return x
}

// read takes lines until the question is answered, or no answer can be hoped for.
func (p *pipe) read(ctx context.Context, q *question, x *interpret.Exchange) {
	var over <-chan time.Time // runs once the question behind this one is answered
	size := int64(0)
	for {
		select {
		case line, more := <-p.child.lines:
			if !more {
				x.Failure = p.gone(interpret.DeliveryWritten)
				return
			}
			m := parseLine(line)
			if m.isAnswer() && p.late[string(m.ID)] {
				delete(p.late, string(m.ID))
				if q.after != nil && string(m.ID) == q.after.id {
					over = time.After(quiet)
				}
				continue
			}
			if size += int64(len(line)); size > p.max {
				x.Truncated = true
				return
			}
			x.Lines = append(x.Lines, line)
			switch {
			case m.Method != "" && len(m.ID) > 0:
				p.decline(ctx, m)
				x.Replied = append(x.Replied, string(m.ID))
			case m.isAnswer() && (q.id == "" || string(m.ID) == q.id || m.anonymous()):
				return
			}
		case <-over:
			return
		case <-ctx.Done():
			what := interpret.FailedTimeout
			if errors.Is(ctx.Err(), context.Canceled) {
				what = interpret.FailedCancelled
			}
			x.Failure = &interpret.Failure{What: what, Delivery: interpret.DeliveryWritten, Err: ctx.Err()}
			return
		}
	}
}

// gone is the failure of a question to a process that has ended.
func (p *pipe) gone(d interpret.Delivery) *interpret.Failure {
	f := &interpret.Failure{What: interpret.FailedExited, Delivery: d}
	if p.child != nil {
		p.child.stop()
		code := p.child.code()
		f.ExitCode = &code
	}
	return f
}

// decline answers what the server asks of us: a ping, and nothing else.
func (p *pipe) decline(ctx context.Context, m line) {
	answer := `,"error":{"code":-32601,"message":"Method not found"}}`
	if m.Method == "ping" {
		answer = `,"result":{}}`
	}
	p.child.write(ctx, []byte(`{"jsonrpc":"2.0","id":`+string(m.ID)+answer+"\n"))
}

// line is what has to be known of a line of output to know whose it is.
type line struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
}

func parseLine(raw []byte) (m line) {
	if json.Unmarshal(raw, &m) != nil {
		return line{}
	}
	return m
}

func (m *line) isAnswer() bool  { return m.Method == "" && (m.Result != nil || m.Error != nil) }
func (m *line) anonymous() bool { return len(m.ID) == 0 || string(m.ID) == "null" }

// readLines hands on every line, cut at a limit, and closes the channel at the end.
func readLines(out io.Reader, limit int64, lines chan<- []byte, quit <-chan struct{}) {
	defer close(lines)
	r := bufio.NewReader(out)
	var kept []byte
	for {
		part, err := r.ReadSlice('\n')
		if room := max(limit, limit+1) - int64(len(kept)); room > 0 {
			kept = append(kept, part[:min(int64(len(part)), room)]...)
		}
		if err == bufio.ErrBufferFull {
			continue
		}
		if text := bytes.TrimSpace(kept); len(text) > 0 {
			select {
			case lines <- bytes.Clone(text):
			case <-quit:
				return
			}
		}
		if kept = kept[:0]; err != nil {
			return
		}
	}
}
