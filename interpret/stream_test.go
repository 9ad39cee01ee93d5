package interpret_test

import (
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

const sse = "text/event-stream"

func TestEventStreamsByTheWHATWGRules(t *testing.T) {
	for _, c := range []struct {
		name, stream string
		want         []string
	}{
		{"LF", "data: a\n\ndata: b\n\n", []string{"a", "b"}},
		{"CR", "data: a\r\rdata: b\r\r", []string{"a", "b"}},
		{"CR LF", "data: a\r\n\r\ndata: b\r\n\r\n", []string{"a", "b"}},
		{"line ends of every sort", "data: a\r\ndata: b\rdata: c\n\r\ndata: d\n\r", []string{"a\nb\nc", "d"}},
		{"LF CR is two line ends", "data: a\n\rdata: b\n\n", []string{"a", "b"}},
		{"a byte order mark", "\ufeffdata: a\n\n", []string{"a"}},
		{"a second one is part of a name", "\ufeff\ufeffdata: a\n\ndata: b\n\n", []string{"b"}},
		{"one inside the stream is part of a name", "\n\ufeffdata: a\n\n", nil},
		{"comments", ": hello\ndata: a\n: in between\ndata: b\n:\n\n", []string{"a\nb"}},
		{"a comment keeps no event", ": ping\n\n: ping\n\ndata: a\n\n", []string{"a"}},
		{"one space after the colon goes", "data:a\ndata: b\ndata:  c\n\n", []string{"a\nb\n c"}},
		{"a line without a colon is a name", "data\ndata\n\n", []string{"\n"}},
		{"an empty line of data", "data:\ndata: a\n\n", []string{"\na"}},
		{"names are exact", "Data: a\nDATA: b\n data: c\ndata : d\ndata: e\n\n", []string{"e"}},
		{"other fields", "event: message\nfoo: bar\ndata: a\n\n", []string{"a"}},
		{"a value may hold colons", "data: a:b: c\n\n", []string{"a:b: c"}},
		{"an event that the end cuts is none", "data: a\n\ndata: b\n", []string{"a"}},
		{"nor is one that the end cuts in a line", "data: a\n\ndata: b", []string{"a"}},
		{"unless it is a whole JSON object", "data: a\n\ndata: {\"n\":\ndata: 1}", []string{"a", "{\"n\":\n1}"}},
		{"which an array is not", "data: [1]", nil},
		{"nor half of one", "data: {\"n\":1", nil},
		{"blank lines alone", "\n\n\r\r\n\n", nil},
		{"nothing", "", nil},
	} {
		for _, by := range []struct {
			name string
			rd   io.Reader
		}{
			{"at once", strings.NewReader(c.stream)},
			{"by the byte", iotest.OneByteReader(strings.NewReader(c.stream))},
			{"with the end", iotest.DataErrReader(strings.NewReader(c.stream))},
		} {
			s := scan(by.rd, sse, interpret.Request{}, 0)
			if got := s.texts(); !slices.Equal(got, c.want) || len(s.errs) != len(got) {
				t.Errorf("%s, %s: got %q, %v, want %q", c.name, by.name, got, s.errs, c.want)
			}
		}
	}
}

func TestEventIDs(t *testing.T) {
	for _, c := range []struct {
		name, stream string
		want         []string
	}{
		{"of the event", "id: 1\ndata: a\n\nid: 2\ndata: b\n\n", []string{"a@1", "b@2"}},
		{"stays until the next", "id: 1\ndata: a\n\ndata: b\n\n", []string{"a@1", "b@1"}},
		{"an empty one takes it away", "id: 1\ndata: a\n\nid\ndata: b\n\n", []string{"a@1", "b@"}},
		{"one with NUL is none", "id: 1\ndata: a\n\nid: 2\x00\ndata: b\n\n", []string{"a@1", "b@1"}},
		{"the last of an event counts", "id: 1\nid: 2\ndata: a\n\n", []string{"a@2"}},
		{"of an event without data", "id: 1\n\ndata: a\n\n", []string{"@1", "a@1"}},
		{"of an event with empty data", "id: 1\ndata:\n\n", []string{"@1"}},
		{"of an event that the end cuts is none", "id: 1\ndata: a\n\nid: 2\ndata: {}\n", []string{"a@1", "{}@1"}},
	} {
		var got []string
		for _, m := range scan(strings.NewReader(c.stream), sse, interpret.Request{}, 0).messages {
			got = append(got, string(m.Raw)+"@"+m.EventID)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestRetryField(t *testing.T) {
	for value, want := range map[string]time.Duration{
		"1500": 1500 * time.Millisecond, "0": 0, "-1": 0, "1.5": 0, "1e3": 0, "": 0, "x": 0, "+5": 0,
		"4294967295": 4294967295 * time.Millisecond, "99999999999999999999": 0,
	} {
		s := scan(strings.NewReader("retry: "+value+"\ndata: a\n\ndata: b\n\n"), sse, interpret.Request{}, 0)
		if len(s.messages) != 2 || s.messages[0].Wait != want || s.messages[1].Wait != 0 {
			t.Errorf("retry: %s: got %+v, want %v, then none", value, s.messages, want)
		}
	}
	if s := scan(strings.NewReader("retry: 20\n\n"), sse, interpret.Request{}, 0); len(s.messages) != 1 || s.messages[0].Wait != 20*time.Millisecond || s.messages[0].Raw != nil {
		t.Errorf("without data: %+v", s)
	}
}

func TestContentTypesOfEventStreams(t *testing.T) {
	for contentType, events := range map[string]bool{
		"text/event-stream": true, "Text/Event-Stream; charset=utf-8": true, " text/event-stream ;x": true,
		"text/event-streams": false, "application/json": false, "": false, "application/json; a=text/event-stream": false,
	} {
		s := scan(strings.NewReader("data: {}\n\n"), contentType, interpret.Request{}, 0)
		if got := slices.Equal(s.texts(), []string{"{}"}); got != events {
			t.Errorf("%q: read as events: %t, want %t", contentType, got, events)
		}
	}
}
