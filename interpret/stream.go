package interpret

import (
	"bytes"
	"time"
)

// An event stream is read by the WHATWG rules (HTML, "Server-sent events"), with one addition: an event that the end of the stream cuts
// counts if it is a whole JSON object, for some servers forget the last blank line.

// lineCutter takes lines out of a growing buffer. A line ends with LF, CR LF or CR; a CR ends it at once, whatever follows.
type lineCutter struct {
	skipLF  bool // the last line ended with CR: a LF that follows belongs to it
	scanned int  // bytes at the front of the rest that hold no line end, so that nothing is searched twice
}

// cut returns the first line of b, without its end; ok is false if b holds no whole line. The caller drops the used bytes in either case.
func (c *lineCutter) cut(b []byte) (line []byte, used int, ok bool) {
	if c.skipLF && len(b) > 0 {
		c.skipLF = false
		if b[0] == '\n' {
			b, used = b[1:], 1
		}
	}
	i := lineEnd(b, c.scanned)
	if i < 0 {
		c.scanned = len(b)
		return nil, used, false
	}
	c.scanned = 0
	c.skipLF = b[i] == '\r'
	return b[:i], used + i + 1, true
}

// lineEnd returns the index of the first CR or LF of b at or after from, -1 if there is none.
// It looks through windows that grow, so that neither byte is searched for far beyond the other.
func lineEnd(b []byte, from int) int {
	for size := 256; from < len(b); size *= 2 {
		w := b[from:min(from+size, len(b))]
		if i := bytes.IndexByte(w, '\n'); i >= 0 {
			w = w[:i+1]
		}
		if i := bytes.IndexByte(w, '\r'); i >= 0 {
			return from + i
		}
		if n := len(w); n > 0 && w[n-1] == '\n' {
			return from + n - 1
		}
		from += len(w)
	}
	return -1
}

// event is one dispatched event.
type event struct {
	data []byte
	id   string // last event id, as of this event
}

// eventParser puts lines together to events.
type eventParser struct {
	data   []byte
	lines  int    // data lines so far
	nextID string // becomes lastID when the event is dispatched
	lastID string
	seen   int           // events dispatched with data
	wait   time.Duration // of the retry field, as of this event
}

// line takes one line; at the blank line that ends an event with data it returns that event.
// The event's data is the line's own memory as long as it has one data line.
func (p *eventParser) line(line []byte) (event, bool) {
	if len(line) == 0 {
		return p.dispatch()
	}
	field, value, _ := bytes.Cut(line, []byte(":"))
	value = bytes.TrimPrefix(value, []byte(" "))
	switch string(field) {
	case "data":
		switch p.lines {
		case 0:
			p.data = value
		case 1:
			p.data = append(append(bytes.Clone(p.data), '\n'), value...)
		default:
			p.data = append(append(p.data, '\n'), value...)
		}
		p.lines++
	case "retry":
		p.wait = retryField(value)
	case "id":
		if bytes.IndexByte(value, 0) < 0 {
			p.nextID = string(value)
		}
	}
	return event{}, false
}

func (p *eventParser) dispatch() (event, bool) {
	e := event{data: p.data, id: p.nextID}
	had := p.lines > 0
	p.lastID = p.nextID
	p.data, p.lines, p.wait = nil, 0, 0
	if had {
		p.seen++
	}
	return e, had && len(e.data) > 0
}

// end returns the event that the end of the stream cut, if it is a whole JSON object. rest is what came after the last line end.
func (p *eventParser) end(rest []byte) (event, bool) {
	if len(rest) > 0 {
		p.line(rest)
	}
	if !isObject(bytes.TrimLeft(p.data, " \t\r\n")) || !valid(p.data) {
		return event{}, false
	}
	p.nextID = p.lastID // an id counts only once its event is whole
	return p.dispatch()
}

// events walks a whole stream.
func events(b []byte, visit func(event) (more bool)) (p eventParser) {
	b = bytes.TrimPrefix(b, bom)
	var c lineCutter
	for {
		line, used, ok := c.cut(b)
		b = b[used:]
		if !ok {
			break
		}
		if e, ok := p.line(line); ok && !visit(e) {
			return p
		}
	}
	if e, ok := p.end(b); ok {
		visit(e)
	}
	return p
}
