package wire

import (
	"io"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/mcperr/mcperr/interpret"
)

const (
	progress = "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{}}\n\n"
	answer   = "id: 7\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"
)

func stream(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	io.WriteString(w, text)
	w.(http.Flusher).Flush()
}

// A server that never ends its stream must not keep the answer back.
func TestStreamIsReadToItsAnswer(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		stream(w, progress+answer)
		<-r.Context().Done()
	}))
	defer s.Close()
	var methods []string
	x := Do(client(t), post(t, s.URL), interpret.Request{Method: "ping", ID: "1"}, Options{Each: func(m interpret.Message) {
		methods = append(methods, m.Method)
	}})
	if x.Failure != nil || string(x.Body) != progress+answer {
		t.Errorf("failure %+v, body %q", x.Failure, x.Body)
	}
	if got := strings.Join(methods, ","); got != "notifications/progress," {
		t.Errorf("told of %q", got)
	}
	if o := interpret.Reply(x); o.Kind != interpret.OK {
		t.Errorf("read as %v", o.Kind)
	}
}

func TestConnectionIsKeptWhenTheStreamEndsWithItsAnswer(t *testing.T) {
	var connections atomic.Int32
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		w.Header().Set("Transfer-Encoding", "chunked")
		io.WriteString(w, answer) // goes out with the end, which a busy machine may bring too late if it follows
	}))
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			connections.Add(1)
		}
	}
	s.Start()
	defer s.Close()
	hc := client(t)
	for range 5 {
		if x := Do(hc, post(t, s.URL), interpret.Request{Method: "ping", ID: "1"}, Options{}); x.Failure != nil {
			t.Fatalf("%+v", x.Failure)
		}
	}
	if n := connections.Load(); n != 1 {
		t.Errorf("%d connections for 5 requests", n)
	}
}

func TestCutStreams(t *testing.T) {
	const whole = 100*int64(len(progress)) + int64(len(answer))
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		switch r.URL.Path {
		case "/clean":
			stream(w, progress)
		case "/broken":
			stream(w, progress)
			panic(http.ErrAbortHandler)
		case "/long":
			stream(w, strings.Repeat(progress, 100)+answer)
		case "/event": // over the default
			stream(w, "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"pad\":\""+strings.Repeat("x", interpret.DefaultLimit)+"\"}}\n\n")
		}
	}))
	defer s.Close()
	for _, c := range []struct {
		path string
		max  int64
		cut  bool
		what interpret.FailureWhat // "" for none
		kind interpret.Kind
	}{
		{"/clean", 0, false, "", interpret.ConnectionLost},
		{"/broken", 0, false, interpret.FailedEOF, interpret.ConnectionLost},
		{"/long", 1000, true, "", interpret.ReplyTooLarge},
		{"/long", 0, false, "", interpret.OK},
		{"/long", whole - 3, true, "", interpret.ReplyTooLarge}, // its last byte but the line ends is missing
		{"/long", whole, false, "", interpret.OK},
		{"/event", 0, true, "", interpret.ReplyTooLarge},
		{"/event", math.MaxInt64, false, "", interpret.OK},
	} {
		x := Do(client(t), post(t, s.URL+c.path), interpret.Request{Method: "ping", ID: "1"}, Options{MaxBody: c.max})
		var what interpret.FailureWhat
		if x.Failure != nil {
			what = x.Failure.What
		}
		if o := interpret.Reply(x); what != c.what || x.Truncated != c.cut || o.Kind != c.kind {
			t.Errorf("%s: failure %+v, cut %v, kind %v", c.path, x.Failure, x.Truncated, o.Kind)
		}
	}
}

// lazyEnd is a body whose end comes only when it is asked for once more.
type lazyEnd struct {
	io.Reader
	ended, endedBeforeClose bool
}

func (b *lazyEnd) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	b.ended = err == io.EOF
	return n, err
}

func (b *lazyEnd) Close() error {
	b.endedBeforeClose = b.ended
	return nil
}

func TestStreamIsGivenAMomentToEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // whose moment lasts as long as anything happens
		body := &lazyEnd{Reader: strings.NewReader(answer)}
		hc := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, ProtoMajor: 1, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body, Request: r}, nil
		})}
		x := Do(hc, post(t, "http://127.0.0.1/"), interpret.Request{Method: "ping", ID: "1"}, Options{})
		if !body.endedBeforeClose || x.Failure != nil {
			t.Errorf("closed before its end, so that the connection is lost; failure %+v", x.Failure)
		}
	})
}
