package interpret

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"
	"strings"
	"time"
)

// DefaultLimit bounds one body, event or line: 16 MiB, well over any tool result a model could read.
const DefaultLimit = 16 << 20

// ErrTooLarge says that a body, an event or a line is over the limit.
var ErrTooLarge = errors.New("interpret: the reply is over the limit")

// Message is one piece of a reply, as [Scan] meets it. Its bytes are good until the next one.
type Message struct {
	Raw     []byte        // the JSON-RPC message; nil for an event without data
	Method  string        // "" for an answer
	ID      string        // raw JSON, "" if absent
	Params  []byte        // raw JSON of a request or notification
	EventID string        // last event id of a stream, as of this message
	Wait    time.Duration // a stream's retry field: how long to wait before it is resumed. 0: it does not say
	Answer  bool          // it answers the request
	Junk    bool          // Raw is no JSON-RPC message
}

// Limits bound what [Scan] holds in memory at a time. The zero value is the defaults.
type Limits struct {
	Bytes int64 // of one body, event or line; 0 is DefaultLimit
}

func (l Limits) bytes() int64 {
	if l.Bytes <= 0 {
		return DefaultLimit
	}
	return l.Bytes
}

// Scan reads a reply piece by piece, while it is still being sent: a request's answer, and what the server says before it.
// On stdio it reads lines, under the content type text/event-stream events, under any other one JSON body.
// It ends after the answer under the request's id, which need not be the end of rd; with the request's ID empty it ends with rd.
// An error of rd, or [ErrTooLarge], comes last, with the bytes of a cut piece as Junk; a line over the limit is skipped, and the lines go on.
// It tells what arrived, not what it means: for that hand the bytes to [Reply].
func Scan(rd io.Reader, contentType string, req Request, l Limits) iter.Seq2[Message, error] {
	s := scanner{rd: rd, req: &req, limit: int(min(l.bytes(), math.MaxInt-1))}
	media, _, _ := strings.Cut(contentType, ";")
	switch {
	case req.Transport == Stdio:
		return s.lines
	case strings.EqualFold(strings.TrimSpace(media), "text/event-stream"):
		return s.events
	}
	return s.body
}

// scanner holds what has been read and not yet been taken.
type scanner struct {
	rd    io.Reader
	req   *Request
	limit int
	buf   []byte
	err   error // of rd; it comes after what was read with it
}

// fill reads once more. The buffer holds one byte more than the limit, at most, and with that one it returns ErrTooLarge.
func (s *scanner) fill() error {
	room := s.limit + 1 - len(s.buf)
	switch {
	case room <= 0:
		return ErrTooLarge
	case s.err != nil:
		return s.err
	}
	if cap(s.buf)-len(s.buf) < min(room, 4096) {
		s.buf = append(make([]byte, 0, min(len(s.buf)+room, max(8192, 2*len(s.buf)+4096))), s.buf...)
	}
	free := s.buf[len(s.buf):min(cap(s.buf), len(s.buf)+room)]
	for range 100 { // a reader that returns nothing and no error is broken
		n, err := s.rd.Read(free)
		s.buf, s.err = s.buf[:len(s.buf)+n], err
		if n > 0 {
			return nil
		}
		if err != nil {
			return err
		}
	}
	return io.ErrNoProgress
}

// message reads raw.
func (s *scanner) message(raw []byte) (m Message) {
	read := readMessage(raw)
	m = Message{Raw: read.raw, Method: read.method, ID: string(read.id), Params: read.params}
	m.Junk = read.form != isRPC
	m.Answer = read.answer() && s.req.ID != "" && sameID(read.id, []byte(s.req.ID))
	return m
}

func (s *scanner) body(yield func(Message, error) bool) {
	for {
		if err := s.fill(); err != nil {
			if err == io.EOF {
				err = nil
			}
			if len(bytes.TrimSpace(s.buf)) > 0 {
				yield(s.message(s.buf), err)
			} else if err != nil {
				yield(Message{}, err)
			}
			return
		}
	}
}

func (s *scanner) lines(yield func(Message, error) bool) {
	var cut lineCutter
	skipping := false // inside a line that is over the limit
	for {
		line, used, ok := cut.cut(s.buf)
		if ok {
			line = bytes.TrimSpace(line)
		}
		if ok && !skipping && len(line) > 0 {
			if m := s.message(line); !yield(m, nil) || m.Answer {
				return
			}
		}
		if s.buf = s.buf[used:]; ok {
			skipping = false
			continue
		}
		switch err := s.fill(); {
		case err == nil:
		case errors.Is(err, ErrTooLarge):
			if !skipping && !yield(Message{Junk: true}, fmt.Errorf("%w: a line of more than %d bytes", ErrTooLarge, s.limit)) {
				return
			}
			skipping, s.buf, cut.scanned = true, s.buf[:0], 0
		default:
			if rest := bytes.TrimSpace(s.buf); len(rest) > 0 && !skipping {
				m := s.message(rest)
				if err == io.EOF {
					yield(m, nil)
					return
				}
				yield(m, err)
			} else if err != io.EOF {
				yield(Message{}, err)
			}
			return
		}
	}
}

func (s *scanner) events(yield func(Message, error) bool) {
	var cut lineCutter
	var p eventParser
	first, held := true, 0 // held: bytes of the event so far
	for {
		line, used, ok := cut.cut(s.buf)
		if !ok {
			s.buf = s.buf[used:]
			err := ErrTooLarge
			if held+len(s.buf) <= s.limit {
				err = s.fill()
			}
			if err != nil {
				s.lastEvent(&p, first, err, yield)
				return
			}
			continue
		}
		if first {
			line, first = bytes.TrimPrefix(line, bom), false
		}
		s.buf = s.buf[used:]
		if held += len(line); held > s.limit {
			s.lastEvent(&p, first, ErrTooLarge, yield)
			return
		}
		m, tells := s.event(&p, line)
		if tells && (!yield(m, nil) || m.Answer) {
			return
		}
		if len(line) == 0 {
			held = 0
		}
	}
}

// event takes a line. At the end of an event it returns its message, or what an event without one tells: an id to resume at, a wait.
func (s *scanner) event(p *eventParser, line []byte) (m Message, tells bool) {
	id, wait := p.lastID, p.wait
	e, whole := p.line(bytes.Clone(line)) // the buffer moves on while the event grows
	if whole {
		m = s.message(e.data)
	}
	if len(line) == 0 {
		m.EventID, m.Wait = p.lastID, wait
		tells = whole || p.lastID != id || wait > 0
	}
	return m, tells
}

// lastEvent tells of what a stream's end cut: a whole JSON object counts, anything else is junk beside the error.
func (s *scanner) lastEvent(p *eventParser, first bool, err error, yield func(Message, error) bool) {
	rest := s.buf
	if first {
		rest = bytes.TrimPrefix(rest, bom)
	}
	e, whole := p.end(rest)
	switch {
	case err != io.EOF:
		yield(Message{Raw: rest, Junk: true, EventID: p.lastID}, err)
	case whole:
		m := s.message(e.data)
		m.EventID = p.lastID
		yield(m, nil)
	}
}

// retryField reads a stream's retry field: milliseconds, digits only.
func retryField(v []byte) time.Duration {
	n, err := strconv.ParseUint(string(v), 10, 32)
	if err != nil {
		return 0
	}
	return within(time.Duration(n) * time.Millisecond)
}
