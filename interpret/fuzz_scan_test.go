package interpret_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mcperr/mcperr/interpret"
)

func FuzzScan(f *testing.F) {
	for i, c := range seeds(f) {
		_, _, _, head, reply := seed(c.x)
		kind := uint8(0)
		if head != "" {
			kind = 1
			if strings.HasPrefix(c.x.Header.Get("Content-Type"), sse) {
				kind = 2
			}
		}
		f.Add(kind, c.x.Request.ID, uint16(0), reply, []byte{byte(i), 1, 200})
		if i%4 == 0 {
			f.Add(kind, c.x.Request.ID, uint16(100), reply, []byte{byte(i)})
			f.Add(kind+1, c.x.Request.ID, uint16(0), reply, []byte{byte(i)})
		}
	}
	f.Fuzz(func(t *testing.T, kind uint8, id string, limit uint16, reply []byte, cuts []byte) {
		x := interpret.Exchange{Request: interpret.Request{Method: "tools/call", Target: "add", ID: id}, Status: 200, Header: jsonBody, Body: reply}
		switch kind % 3 {
		case 0:
			x.Request.Transport, x.Status, x.Header, x.Body = interpret.Stdio, 0, nil, nil
			x.Lines = bytes.Split(reply, []byte("\n"))
		case 2:
			x.Header = eventStream
		}
		most := int64(limit)
		if most > 0 {
			most += 16
		}
		contentType := x.Header.Get("Content-Type")
		at := &counted{rd: iotest.OneByteReader(bytes.NewReader(reply))}
		byByte, byChunk := scan(at, contentType, x.Request, most), scan(&chunks{text: reply, cuts: cuts}, contentType, x.Request, most)
		sameWalk(t, byByte, byChunk)
		for i, m := range byByte.messages {
			if most > 0 && int64(len(m.Raw)) > most+1 {
				t.Errorf("%d bytes held, over the limit of %d", len(m.Raw), most)
			}
			if m.Answer && (i < len(byByte.messages)-1 || id == "" || m.Method != "") {
				t.Errorf("the answer is none, or not the last: %+v", m)
			}
		}
		if most == 0 {
			agrees(t, x, byByte, at.n)
		}
	})
}

// sameWalk: however the bytes came, the messages are the same. What is told of a piece over the limit depends on how much of it was read.
func sameWalk(t *testing.T, a, b scanned) {
	t.Helper()
	if len(a.messages) != len(b.messages) {
		t.Fatalf("by the byte %q %v, in chunks %q %v", a.texts(), a.errs, b.texts(), b.errs)
	}
	for i := range a.messages {
		m, n := a.messages[i], b.messages[i]
		if errors.Is(a.errs[i], interpret.ErrTooLarge) && errors.Is(b.errs[i], interpret.ErrTooLarge) {
			continue
		}
		if !bytes.Equal(m.Raw, n.Raw) || m.Method != n.Method || m.ID != n.ID || !bytes.Equal(m.Params, n.Params) || m.EventID != n.EventID ||
			m.Wait != n.Wait || m.Answer != n.Answer || m.Junk != n.Junk || (a.errs[i] == nil) != (b.errs[i] == nil) {
			t.Fatalf("message %d: by the byte %q %v, in chunks %q %v", i, m.Raw, a.errs[i], n.Raw, b.errs[i])
		}
	}
}

// agrees: Reply takes for the answer what Scan took for it, and all that came after it does not matter.
func agrees(t *testing.T, x interpret.Exchange, s scanned, read int) {
	t.Helper()
	whole := interpret.Reply(x)
	answered := len(s.messages) > 0 && s.messages[len(s.messages)-1].Answer
	wrongType := x.Header.Get("Content-Type") == sse && len(s.messages) == 0 // one JSON body: Reply reads it when all of it has come
	if whole.Answered && !answered && !wrongType {
		t.Errorf("Reply found an answer, Scan none: %s", brief(whole))
	}
	if !answered || x.Request.Transport == interpret.Stdio {
		return
	}
	x.Body = x.Body[:read]
	if cut := interpret.Reply(x); labelledText(cut) != labelledText(whole) {
		t.Errorf("read up to its answer: %s\nread on: %s", brief(cut), brief(whole))
	}
}

// counted counts what was read.
type counted struct {
	rd io.Reader
	n  int
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.rd.Read(p)
	c.n += n
	return n, err
}

// chunks gives its text in pieces as long as the cuts say, in turn.
type chunks struct {
	text, cuts []byte
	turn       int
}

func (c *chunks) Read(p []byte) (int, error) {
	n := len(c.text)
	if n == 0 {
		return 0, io.EOF
	}
	if len(c.cuts) > 0 {
		n = min(n, 1+int(c.cuts[c.turn%len(c.cuts)]))
		c.turn++
	}
	n = copy(p, c.text[:n])
	c.text = c.text[n:]
	return n, nil
}
