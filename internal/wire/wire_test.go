package wire

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

const ping = `{"jsonrpc":"2.0","id":1,"method":"ping"}`

func post(t *testing.T, url string) *http.Request {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url, strings.NewReader(ping))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// client returns a client with connections of its own, closed at the end of the test.
func client(t *testing.T) *http.Client {
	tr := &http.Transport{DisableCompression: true}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

// raw serves each accepted connection with f, then closes it.
func raw(t *testing.T, f func(net.Conn)) (address string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			f(c)
			c.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return "http://" + l.Addr().String()
}

// readRequest reads a request's head and body from a raw connection.
func readRequest(c net.Conn) {
	b, all := make([]byte, 4096), ""
	for !strings.HasSuffix(all, ping) {
		n, err := c.Read(b)
		if err != nil {
			return
		}
		all += string(b[:n])
	}
}

func TestFailures(t *testing.T) {
	tls := httptest.NewUnstartedServer(http.NotFoundHandler())
	tls.Config.ErrorLog = log.New(io.Discard, "", 0) // it is told that its certificate is not known
	tls.StartTLS()
	defer tls.Close()
	plain := httptest.NewServer(http.NotFoundHandler())
	defer plain.Close()
	noName := &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Err: &net.DNSError{Err: "no such host", Name: "nowhere.invalid", IsNotFound: true}}
	}}}
	gone, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("the user closed the window"))
	late, cancelLate := context.WithDeadline(context.Background(), time.Now().Add(-time.Second))
	defer cancelLate()

	for _, c := range []struct {
		name     string
		client   *http.Client
		ctx      context.Context
		url      string
		what     interpret.FailureWhat
		delivery interpret.Delivery
	}{
		{"closed port", nil, nil, "http://127.0.0.1:1", interpret.FailedRefused, interpret.DeliveryNotSent},
		{"no name", noName, nil, "http://nowhere.invalid", interpret.FailedDNS, interpret.DeliveryNotSent},
		{"unknown authority", nil, nil, tls.URL, interpret.FailedTLS, interpret.DeliveryNotSent},
		{"no TLS there", nil, nil, strings.Replace(plain.URL, "http:", "https:", 1), interpret.FailedTLS, interpret.DeliveryNotSent},
		{"cancelled before", nil, gone, plain.URL, interpret.FailedCancelled, interpret.DeliveryNotSent},
		{"deadline before", nil, late, plain.URL, interpret.FailedTimeout, interpret.DeliveryNotSent},
		{"closed after the request", nil, nil, raw(t, readRequest), interpret.FailedEOF, interpret.DeliveryWritten},
		{"reset after the request", nil, nil, raw(t, func(c net.Conn) {
			readRequest(c)
			c.(*net.TCPConn).SetLinger(0)
		}), interpret.FailedReset, interpret.DeliveryWritten},
		{"no HTTP", nil, nil, raw(t, func(c net.Conn) { readRequest(c); io.WriteString(c, "220 mail.example ESMTP\r\n") }), interpret.FailedProtocol, interpret.DeliveryAnswering},
		{"cut in the head", nil, nil, raw(t, func(c net.Conn) { readRequest(c); io.WriteString(c, "HTTP/1.1 200 OK\r\nServer: x\r\n") }), interpret.FailedEOF, interpret.DeliveryAnswering},
		{"cut in the body", nil, nil, raw(t, func(c net.Conn) {
			readRequest(c)
			io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{\"jsonrpc\"")
		}), interpret.FailedEOF, interpret.DeliveryAnswering},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := post(t, c.url)
			if c.ctx != nil {
				r = r.WithContext(c.ctx)
			}
			if c.client == nil {
				c.client = client(t)
			}
			x := Do(c.client, r, interpret.Request{Method: "ping", ID: "1"}, Options{})
			if x.Failure == nil {
				t.Fatalf("no failure, status %d", x.Status)
			}
			if x.Failure.What != c.what || x.Failure.Delivery != c.delivery {
				t.Errorf("%s, %s (%v); want %s, %s", x.Failure.What, x.Failure.Delivery, x.Failure.Err, c.what, c.delivery)
			}
			if x.Request.Method != "ping" {
				t.Error("the exchange lost its request")
			}
			if c.name == "cut in the body" && (x.Status != 200 || string(x.Body) != `{"jsonrpc"`) {
				t.Errorf("status %d, body %q; want what had arrived", x.Status, x.Body)
			}
		})
	}
}

func TestDeadlineAndCancelWhileWaiting(t *testing.T) {
	got := make(chan context.CancelFunc, 1)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if r.URL.Path == "/cancel" {
			(<-got)()
		}
		<-r.Context().Done()
	}))
	defer s.Close()
	ctx, cancel := context.WithCancel(context.Background())
	got <- cancel
	x := Do(client(t), post(t, s.URL+"/cancel").WithContext(ctx), interpret.Request{}, Options{})
	if x.Failure == nil || x.Failure.What != interpret.FailedCancelled || x.Failure.Delivery != interpret.DeliveryWritten {
		t.Errorf("cancel: %+v", x.Failure)
	}
	hc := client(t)
	for d := 30 * time.Millisecond; d < 10*time.Second; d *= 2 {
		hc.Timeout = d
		x = Do(hc, post(t, s.URL), interpret.Request{}, Options{})
		if x.Failure == nil || x.Failure.Delivery != interpret.DeliveryNotSent { // else a busy machine
			break
		}
	}
	if x.Failure == nil || x.Failure.What != interpret.FailedTimeout || x.Failure.Delivery != interpret.DeliveryWritten {
		t.Errorf("the client's own timeout: %+v", x.Failure)
	}
}

// frame is one HTTP/2 frame, RFC 9113, section 4.1.
func frame(kind byte, stream uint32, payload ...byte) []byte {
	b := []byte{0, 0, byte(len(payload)), kind, 0}
	return append(binary.BigEndian.AppendUint32(b, stream), payload...)
}

func TestRefusedStreamIsNotResentBelow(t *testing.T) {
	for _, c := range []struct {
		name string
		code byte
		what interpret.FailureWhat
	}{
		{"REFUSED_STREAM", 7, interpret.FailedRefused},
		{"PROTOCOL_ERROR", 1, interpret.FailedReset},
		{"INTERNAL_ERROR", 2, interpret.FailedReset},
	} {
		t.Run(c.name, func(t *testing.T) {
			var requests atomic.Int32
			url := raw(t, func(conn net.Conn) {
				io.CopyN(io.Discard, conn, int64(len("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")))
				conn.Write(frame(4, 0)) // SETTINGS
				for head := make([]byte, 9); ; {
					if _, err := io.ReadFull(conn, head); err != nil {
						return
					}
					size := int64(head[0])<<16 | int64(head[1])<<8 | int64(head[2])
					io.CopyN(io.Discard, conn, size)
					stream := binary.BigEndian.Uint32(head[5:])
					if head[3] == 0 && head[4]&1 != 0 { // the last of DATA
						requests.Add(1)
						conn.Write(frame(3, stream, 0, 0, 0, c.code)) // RST_STREAM
					}
				}
			})
			tr := &http.Transport{Protocols: new(http.Protocols)}
			tr.Protocols.SetUnencryptedHTTP2(true)
			t.Cleanup(tr.CloseIdleConnections)
			x := Do(&http.Client{Transport: tr}, post(t, url), interpret.Request{}, Options{})
			tr.CloseIdleConnections()
			if x.Failure == nil || x.Failure.What != c.what || x.Failure.Delivery != interpret.DeliveryWritten {
				t.Errorf("%+v; want %s", x.Failure, c.what)
			}
			if n := requests.Load(); n != 1 {
				t.Errorf("sent %d times", n)
			}
		})
	}
}

// net/http resends a request with an Idempotency-Key on a kept connection that breaks, and counts it nowhere.
func TestIdempotencyKeyIsNotResentBelow(t *testing.T) {
	var requests atomic.Int32
	url := raw(t, func(c net.Conn) {
		readRequest(c)
		requests.Add(1)
		io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")
		readRequest(c)
		requests.Add(1)
	})
	hc := client(t)
	for i := range 2 {
		r := post(t, url)
		r.Header.Set("Idempotency-Key", "k1")
		x := Do(hc, r, interpret.Request{}, Options{})
		if failed := x.Failure != nil; failed != (i == 1) {
			t.Errorf("request %d: failure %+v", i+1, x.Failure)
		}
	}
	if n := requests.Load(); n != 2 {
		t.Errorf("%d requests arrived; want 2", n)
	}
}

// deaf is a connection that takes nothing.
type deaf struct{ net.Conn }

func (deaf) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestNothingWrittenIsNotSent(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	tr := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, address)
		return deaf{c}, err
	}}
	defer tr.CloseIdleConnections()
	x := Do(&http.Client{Transport: tr}, post(t, s.URL), interpret.Request{}, Options{})
	if x.Failure == nil || x.Failure.Delivery != interpret.DeliveryNotSent {
		t.Errorf("%+v", x.Failure)
	}
}

func TestRedirects(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		t.Errorf("a request crossed the origin, with %q", r.Header.Get("Authorization"))
	}))
	defer other.Close()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		if string(b) != ping || r.Method != http.MethodPost {
			t.Errorf("%s %s: %s", r.Method, r.URL.Path, b)
		}
		to, status := "", http.StatusTemporaryRedirect
		switch r.URL.Path {
		case "/mcp":
			to = "/mcp/"
		case "/mcp/":
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, "{}")
			return
		case "/permanent":
			to, status = "mcp/", http.StatusPermanentRedirect
		case "/twice":
			to = "/mcp"
		case "/found":
			to, status = "/mcp/", http.StatusFound
		case "/away":
			to = other.URL
		case "/user":
			to = strings.Replace("http://"+r.Host+"/mcp/", "http://", "http://me:pw@", 1)
		case "/unreadable":
			to = "http://[::1"
		}
		w.Header().Set("Location", to)
		w.WriteHeader(status)
		io.WriteString(w, "moved")
	}))
	defer s.Close()
	for _, c := range []struct {
		path   string
		status int
	}{
		{"/mcp", 200}, {"/permanent", 200}, {"/mcp/", 200},
		{"/twice", 307}, {"/found", 302}, {"/away", 307}, {"/user", 307}, {"/unreadable", 307},
	} {
		r := post(t, s.URL+c.path)
		r.Header.Set("Authorization", "Bearer x")
		x := Do(client(t), r, interpret.Request{}, Options{})
		if x.Status != c.status || x.Failure != nil {
			t.Errorf("%s: status %d, failure %+v; want %d", c.path, x.Status, x.Failure, c.status)
		}
	}
}

func TestFailureBehindARedirectIsNotTheFirstRequests(t *testing.T) {
	first := true
	hc := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		if !first {
			return nil, &net.OpError{Op: "dial", Err: errors.New("refused")}
		}
		first = false
		trace := r.Context().Value(traceKey{}).(*Trace)
		trace.wrote.Store(true)
		trace.answering.Store(true)
		return &http.Response{StatusCode: 307, Header: http.Header{"Location": {"/mcp/"}}, Body: http.NoBody, Request: r}, nil
	})}
	x := Do(hc, post(t, "http://127.0.0.1/mcp"), interpret.Request{}, Options{})
	if x.Failure == nil || x.Failure.Delivery != interpret.DeliveryNotSent || x.Failure.What != interpret.FailedRefused {
		t.Errorf("%+v", x.Failure)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestBodyIsBounded(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, "0123456789")
	}))
	defer s.Close()
	for _, c := range []struct {
		max  int64
		body string
		cut  bool
	}{{0, "0123456789", false}, {10, "0123456789", false}, {9, "012345678", true}} {
		x := Do(client(t), post(t, s.URL), interpret.Request{}, Options{MaxBody: c.max})
		if string(x.Body) != c.body || x.Truncated != c.cut || x.Failure != nil {
			t.Errorf("at most %d: %q, cut %v, failure %+v", c.max, x.Body, x.Truncated, x.Failure)
		}
		if x.Received.IsZero() || x.Header.Get("Content-Type") != "application/json" || x.Status != 200 {
			t.Errorf("%+v", x)
		}
	}
}

func TestClientIsWrappedOnce(t *testing.T) {
	hc := Client(nil)
	if Client(hc) != hc || http.DefaultClient.Transport != nil || http.DefaultClient.CheckRedirect != nil {
		t.Error("wrapped twice, or the default client was changed")
	}
}

func TestSameOrigin(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{"http://h/a", "http://H:80/b", true},
		{"https://h/a", "https://h:443/", true},
		{"https://h/a", "http://h/a", false},
		{"http://h/a", "http://h:8080/a", false},
		{"http://h/a", "http://h.example/a", false},
	} {
		a, b := post(t, c.a).URL, post(t, c.b).URL
		if SameOrigin(a, b) != c.same {
			t.Errorf("%s, %s: want %v", c.a, c.b, c.same)
		}
	}
}
