package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// Behind 101 the connection is nobody's: net/http reads it beyond any deadline.
func TestSwitchedProtocolHasNoBody(t *testing.T) {
	end := make(chan error, 1)
	url := raw(t, func(c net.Conn) {
		readRequest(c)
		io.WriteString(c, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\nContent-Type: application/json\r\n\r\n{")
		c.SetReadDeadline(time.Now().Add(10 * time.Second))
		_, err := c.Read(make([]byte, 1))
		end <- err
	})
	x := Do(client(t), post(t, url), interpret.Request{Method: "ping", ID: "1"}, Options{})
	if x.Status != http.StatusSwitchingProtocols || len(x.Body) != 0 || x.Failure != nil {
		t.Errorf("status %d, body %q, failure %+v", x.Status, x.Body, x.Failure)
	}
	if err := <-end; errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the connection was kept")
	}
}

// open is a reply whose body does not end, of a transport that does not look at the request's context.
func open(r *http.Request, status int, h http.Header) *http.Response {
	body, _ := io.Pipe()
	return &http.Response{StatusCode: status, ProtoMajor: 1, Header: h, ContentLength: -1, Body: body, Request: r}
}

func TestBodyEndsWithItsContext(t *testing.T) {
	for _, media := range []string{"application/json", "text/event-stream"} {
		synctest.Test(t, func(t *testing.T) {
			hc := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
				return open(r, 200, http.Header{"Content-Type": {media}}), nil
			})}
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			x := Do(hc, post(t, "http://127.0.0.1/").WithContext(ctx), interpret.Request{Method: "ping", ID: "1"}, Options{})
			if x.Failure == nil || x.Failure.What != interpret.FailedTimeout || x.Status != 200 {
				t.Errorf("%s: status %d, failure %+v", media, x.Status, x.Failure)
			}
			gone, leave := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Minute, func() { leave(errors.New("the user closed the window")) })
			x = Do(hc, post(t, "http://127.0.0.1/").WithContext(gone), interpret.Request{Method: "ping", ID: "1"}, Options{})
			if x.Failure == nil || x.Failure.What != interpret.FailedCancelled {
				t.Errorf("%s: failure %+v", media, x.Failure)
			}
			hc.Timeout = time.Minute
			x = Do(hc, post(t, "http://127.0.0.1/"), interpret.Request{Method: "ping", ID: "1"}, Options{})
			if x.Failure == nil || x.Failure.What != interpret.FailedTimeout {
				t.Errorf("%s: the client's own timeout: %+v", media, x.Failure)
			}
		})
	}
}

// closings counts how often a body is closed.
type closings struct {
	io.Reader
	n int
}

func (c *closings) Close() error { c.n++; return nil }

func TestBodyIsClosedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		body := new(closings)
		resp := &http.Response{StatusCode: 200, Body: body}
		hold(ctx, resp)
		resp.Body.Close()
		cancel()
		synctest.Wait()
		resp.Body.Close()
		if body.n != 1 {
			t.Errorf("closed %d times", body.n)
		}
	})
}

func TestRedirectIsFollowedBeforeItsBodyEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hc := &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			if r.URL.Path == "/mcp" {
				return open(r, 307, http.Header{"Location": {"/mcp/"}}), nil
			}
			return &http.Response{StatusCode: 202, Header: http.Header{}, Body: http.NoBody, Request: r}, nil
		})}
		began := time.Now()
		x := Do(hc, post(t, "http://127.0.0.1/mcp"), interpret.Request{Method: "ping", ID: "1"}, Options{})
		if took := time.Since(began); x.Status != 202 || x.Failure != nil || took != linger {
			t.Errorf("status %d, failure %+v, after %v", x.Status, x.Failure, took)
		}
	})
}
