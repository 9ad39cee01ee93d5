package interpret_test

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/mcperr/mcperr/interpret"
)

// scanned is a whole walk of Scan: its messages, their bytes kept, and the error that came last.
type scanned struct {
	messages []interpret.Message
	errs     []error
}

func scan(rd io.Reader, contentType string, req interpret.Request, limit int64) (s scanned) {
	for m, err := range interpret.Scan(rd, contentType, req, interpret.Limits{Bytes: limit}) {
		m.Raw, m.Params = bytes.Clone(m.Raw), bytes.Clone(m.Params)
		s.messages = append(s.messages, m)
		s.errs = append(s.errs, err)
	}
	return s
}

// texts are the messages as they came.
func (s scanned) texts() (list []string) {
	for i, m := range s.messages {
		if s.errs[i] == nil {
			list = append(list, string(m.Raw))
		}
	}
	return list
}

func TestLinesOfStandardOutput(t *testing.T) {
	req := interpret.Request{Transport: interpret.Stdio, ID: "7"}
	const stdout = "Server is ready\r\n\n  \n" + `{"jsonrpc":"2.0","method":"notifications/message","params":{"n":1}}` + "\r\n" +
		"\ufeff" + `{"jsonrpc":"2.0","id":"q","method":"ping"}` + "\n" + `{"jsonrpc":"2.0","id":6,"result":{}}` + "\n" +
		`{"jsonrpc":"2.0","id":7,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":8,"result":{}}` + "\n"
	want := []struct {
		method, id, params string
		answer, junk       bool
	}{
		{junk: true}, {method: "notifications/message", params: `{"n":1}`}, {method: "ping", id: `"q"`}, {id: "6"}, {id: "7", answer: true},
	}
	s := scan(strings.NewReader(stdout), "", req, 0)
	if len(s.messages) != len(want) {
		t.Fatalf("got %q", s.texts())
	}
	for i, m := range s.messages {
		if w := want[i]; m.Method != w.method || m.ID != w.id || string(m.Params) != w.params || m.Answer != w.answer || m.Junk != w.junk {
			t.Errorf("got %+v, want %+v", m, w)
		}
	}
	// The last line may lack its end, and without an id of ours nothing is the answer.
	req.ID = ""
	if s := scan(strings.NewReader(strings.TrimSuffix(stdout, "\n")), "", req, 0); len(s.messages) != 6 || s.messages[4].Answer {
		t.Errorf("got %q", s.texts())
	}
}

func TestOneBody(t *testing.T) {
	req := interpret.Request{ID: "1"}
	for _, c := range []struct {
		body         string
		answer, junk bool
	}{
		{`{"jsonrpc":"2.0","id":1,"result":{}}`, true, false},
		{"\ufeff" + `{"jsonrpc":"2.0","id":1,"result":{}}`, true, false},
		{`{"jsonrpc":"2.0","id":2,"result":{}}`, false, false},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, false, false},
		{`{"jsonrpc":"2.0","id":1,"result":{}`, false, true},
		{`<html>`, false, true},
	} {
		s := scan(iotest.HalfReader(strings.NewReader(c.body)), "application/json", req, 0)
		if len(s.messages) != 1 || s.errs[0] != nil || s.messages[0].Answer != c.answer || s.messages[0].Junk != c.junk {
			t.Errorf("%s: got %+v", c.body, s)
		}
	}
	for _, blank := range []string{"", " \r\n\t"} {
		if s := scan(strings.NewReader(blank), "application/json", req, 0); s.messages != nil {
			t.Errorf("%q: got %+v", blank, s)
		}
	}
}

// The answer ends the walk while the server still holds the stream open.
func TestScanEndsAtTheAnswer(t *testing.T) {
	const answer, other = `{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":2,"result":{}}`
	for _, c := range []struct {
		req         interpret.Request
		contentType string
		before      string
	}{
		{interpret.Request{ID: "1"}, sse, "data: " + other + "\n\ndata: " + answer + "\n\n"},
		{interpret.Request{ID: "1", Transport: interpret.Stdio}, "", other + "\n" + answer + "\n"},
	} {
		rd, wr := io.Pipe() // nobody closes it: a walk that read on would never end
		go io.WriteString(wr, c.before)
		if s := scan(rd, c.contentType, c.req, 0); !slices.Equal(s.texts(), []string{other, answer}) || !s.messages[1].Answer {
			t.Errorf("%s: got %+v", c.req.Transport, s)
		}
	}
}

func TestScanCanBeLeft(t *testing.T) {
	for contentType, stream := range map[string]string{sse: "data: 1\n\ndata: 2\n\n", "application/json": "{}"} {
		for range interpret.Scan(strings.NewReader(stream), contentType, interpret.Request{}, interpret.Limits{}) {
			break
		}
	}
	for range interpret.Scan(strings.NewReader("1\n2\n"), "", interpret.Request{Transport: interpret.Stdio}, interpret.Limits{}) {
		break
	}
}

func TestScanTellsHowItBroke(t *testing.T) {
	broke := errors.New("connection reset")
	stdio := interpret.Request{Transport: interpret.Stdio}
	for _, c := range []struct {
		name, contentType, came string
		req                     interpret.Request
		whole                   []string
		junk                    string
	}{
		{"in a body", "application/json", `{"jsonrpc":`, interpret.Request{}, nil, `{"jsonrpc":`},
		{"before a body", "application/json", "", interpret.Request{}, nil, ""},
		{"in an event", sse, "data: a\n\ndata: b", interpret.Request{}, []string{"a"}, "data: b"},
		{"between events", sse, "data: a\n\n", interpret.Request{}, []string{"a"}, ""},
		{"in a line", "", "1\n2", stdio, []string{"1"}, "2"},
		{"between lines", "", "1\n", stdio, []string{"1"}, ""},
	} {
		s := scan(io.MultiReader(strings.NewReader(c.came), iotest.ErrReader(broke)), c.contentType, c.req, 0)
		last := len(s.errs) - 1
		if !slices.Equal(s.texts(), c.whole) || last != len(c.whole) || !errors.Is(s.errs[last], broke) || string(s.messages[last].Raw) != c.junk {
			t.Errorf("%s: got %q, then %+v", c.name, s.texts(), s)
		}
	}
	if s := scan(idle{}, sse, interpret.Request{}, 0); len(s.errs) != 1 || !errors.Is(s.errs[0], io.ErrNoProgress) {
		t.Errorf("a reader that does nothing: %+v", s)
	}
}

// idle is a reader that breaks the contract of one: nothing, and no error.
type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

func TestScanHoldsNoMoreThanTheLimit(t *testing.T) {
	const limit = 64
	stdio := interpret.Request{Transport: interpret.Stdio}
	fits, over := strings.Repeat("a", limit), strings.Repeat("a", limit+1)
	data := strings.Repeat("a", limit-len("data: "))
	for _, c := range []struct {
		name, contentType, came string
		req                     interpret.Request
		whole                   []string
		tooLarge                bool
	}{
		{"a body that fits", "text/plain", fits, interpret.Request{}, []string{fits}, false},
		{"a body over it", "text/plain", over, interpret.Request{}, nil, true},
		{"a body far over it", "text/plain", strings.Repeat(over, 1000), interpret.Request{}, nil, true},
		{"a line that fits", "", fits + "\n" + fits, stdio, []string{fits, fits}, false},
		{"a line over it is skipped", "", fits + "\n" + over + "\n" + "after\n", stdio, []string{fits, "after"}, true},
		{"a line far over it, too", "", strings.Repeat("a", 10_000) + "\n" + "after", stdio, []string{"after"}, true},
		{"an event that fits", sse, "data: " + data + "\n\ndata: b\n\n", interpret.Request{}, []string{data, "b"}, false},
		{"an event over it", sse, "data: b\n\ndata: " + data + "a\n\n", interpret.Request{}, []string{"b"}, true},
		{"an event over it in lines that fit", sse, "data: b\n\ndata: " + data + "\ndata: a\n\n", interpret.Request{}, []string{"b"}, true},
		{"many events over it together", sse, strings.Repeat("data: a\n\n", 100), interpret.Request{}, slices.Repeat([]string{"a"}, 100), false},
	} {
		for name, rd := range map[string]io.Reader{"at once": strings.NewReader(c.came), "by the byte": iotest.OneByteReader(strings.NewReader(c.came))} {
			s := scan(rd, c.contentType, c.req, limit)
			tooLarge := slices.ContainsFunc(s.errs, func(err error) bool { return errors.Is(err, interpret.ErrTooLarge) })
			if !slices.Equal(s.texts(), c.whole) || tooLarge != c.tooLarge {
				t.Errorf("%s, %s: got %q, %v", c.name, name, s.texts(), s.errs)
			}
		}
	}
}

// The default limit holds for each event, not for the stream.
func TestScanReadsAnEndlessStreamInLittleMemory(t *testing.T) {
	line := []byte("data: " + strings.Repeat("x", 1000) + "\n\n")
	rd := io.LimitReader(&endless{line: line}, 64<<20)
	n := 0
	allocated := bytesAllocated(func() {
		for range interpret.Scan(rd, sse, interpret.Request{}, interpret.Limits{Bytes: 4096}) {
			n++
		}
	})
	if want := 64 << 20 / len(line); n < want {
		t.Errorf("%d events of %d", n, want)
	}
	if most := uint64(256 << 20); allocated > most {
		t.Errorf("%d bytes were allocated for 64 MiB of events", allocated)
	}
}

// endless repeats a line.
type endless struct {
	line []byte
	at   int
}

func (e *endless) Read(p []byte) (n int, err error) {
	for n < len(p) {
		c := copy(p[n:], e.line[e.at:])
		n, e.at = n+c, (e.at+c)%len(e.line)
	}
	return n, nil
}
