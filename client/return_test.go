package client

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// What no header can carry, or no server would take, is not sent back.
func TestReturnable(t *testing.T) {
	long := strings.Repeat("x", returnedMost)
	for v, want := range map[string]string{
		"": "", "e-1": "e-1", "a b\tc": "a b\tc", "ä": "ä", long: long,
		long + "x": "", "a\x01b": "", "a\nb": "", "a\rb": "", "a\x00": "", "a\x7f": "",
	} {
		if got := returnable(v); got != want {
			t.Errorf("%.20q (%d bytes) is sent back as %.20q", v, len(v), got)
		}
	}
}

// An event id that cannot be sent back is passed over: the stream is taken up from the one before.
func TestListeningGoesOnPastBadEventIDs(t *testing.T) {
	ids := []string{"first", "a\x01b", strings.Repeat("x", returnedMost+1), "last"}
	after := make(chan string, len(ids))
	s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, n int) bool {
		if q.verb != http.MethodGet {
			return false
		}
		after <- q.header.Get("Last-Event-ID")
		w.Header().Set("Content-Type", "text/event-stream")
		if n > len(ids) {
			stream(w)
			<-r.Context().Done()
			return true
		}
		fmt.Fprintf(w, "id: %s\nretry: 1\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/x\"}\n\n", ids[n-1])
		return true
	})
	c := s.dialAs(t, HTTP{URL: s.URL, Listen: true}, Options{})
	proceeds(t, c.Connect(within(t)))
	for i, want := range []string{"", "first", "first", "first", "last"} {
		select {
		case got := <-after:
			if got != want {
				t.Errorf("stream %d is taken up from %.20q, want %q", i+1, got, want)
			}
		case <-within(t).Done():
			t.Fatalf("no stream %d", i+1)
		}
	}
}

// streams is a server that has nothing but streams to listen to, which end at once and ask for the next in no time.
type streams struct{ at []time.Time }

func (s *streams) RoundTrip(r *http.Request) (*http.Response, error) {
	s.at = append(s.at, time.Now())
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"text/event-stream"}}, Request: r,
		Body: http.NoBody,
	}, nil
}

// A server cannot ask to be listened to in a storm.
func TestListeningHasAFloor(t *testing.T) {
	for asked, want := range map[time.Duration]time.Duration{time.Millisecond: listenFloor, 3 * time.Second: 3 * time.Second} {
		synctest.Test(t, func(t *testing.T) {
			server := new(streams)
			c, err := New(HTTP{URL: "http://127.0.0.1", Client: &http.Client{Transport: server}}, Options{})
			if err != nil {
				t.Fatal(err)
			}
			s := &session{quitCtx: t.Context()}
			s.again.Store(int64(asked))
			l := c.link.(*httpLink)
			if _, err := l.open(t.Context(), s); err != nil {
				t.Fatal(err)
			}
			go l.stream(s)
			time.Sleep(10*want + 1)
			synctest.Wait()
			if n := len(server.at); n != 11 {
				t.Errorf("asked for %v: %d streams in %v, want one each %v", asked, n, 10*want, want)
			}
			c.Close()
		})
	}
}

// A session id of any length is answered with a session that works: without the id if it cannot be sent back.
func TestSessionIDsAreBounded(t *testing.T) {
	for n, sent := range map[int]bool{1: true, returnedMost: true, returnedMost + 1: false, 900_000: false} {
		id := strings.Repeat("s", n)
		s := newScript(t, false, func(w http.ResponseWriter, r *http.Request, q seen, _ int) bool {
			if q.Method != "initialize" {
				return false
			}
			w.Header().Set("Mcp-Session-Id", id)
			q.reply(w, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)
			return true
		})
		a := s.dial(t, Options{}).CallTool(within(t), "act", nil)
		if a.Outcome.Kind != interpret.OK {
			t.Errorf("an id of %d bytes: %v", n, a.Err())
		}
		for _, q := range s.got("tools/call") {
			if got := q.header.Get("Mcp-Session-Id"); (got == id) != sent || !sent && got != "" {
				t.Errorf("an id of %d bytes goes back as one of %d", n, len(got))
			}
		}
	}
}
