package retry

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

const (
	listBody = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	callBody = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"pay","arguments":{}}}`
	listed   = `{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}`
	called   = `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`
	internal = `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"Internal error"}}`
	own      = `{"jsonrpc":"2.0","id":1,"error":{"code":-32050,"message":"busy"}}`
)

// wireScript is a server without a network: a RoundTripper that answers from a script, the last step for ever.
type wireScript struct {
	t      *testing.T
	steps  []wireReply
	bodies []string
	at     []time.Time
	closed bool
	last   context.Context // of the last request
}

type wireReply struct {
	status int
	body   string
	header string // "Name: value", or nothing
	err    error
	takes  time.Duration
}

func (w *wireScript) CloseIdleConnections() { w.closed = true }

func (w *wireScript) RoundTrip(r *http.Request) (*http.Response, error) {
	var b []byte
	if r.Body != nil {
		var err error
		if b, err = io.ReadAll(r.Body); err != nil {
			w.t.Errorf("the body cannot be read: %v", err)
		}
	}
	w.last = r.Context()
	w.bodies, w.at = append(w.bodies, string(b)), append(w.at, time.Now())
	step := w.steps[min(len(w.bodies), len(w.steps))-1]
	select {
	case <-time.After(step.takes):
	case <-r.Context().Done():
		return nil, context.Cause(r.Context())
	}
	if step.err != nil {
		return nil, step.err
	}
	header := http.Header{"Content-Type": {"application/json"}}
	if name, value, ok := strings.Cut(step.header, ": "); ok {
		header.Set(name, value)
	}
	return &http.Response{StatusCode: step.status, Header: header, Body: io.NopCloser(strings.NewReader(step.body)), Request: r, ProtoMajor: 1}, nil
}

func post(ctx context.Context, url, body string) *http.Request {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.Header.Set("Content-Type", "application/json")
	return r
}

func TestHTTP(t *testing.T) {
	s, ms := time.Second, time.Millisecond
	for _, c := range []struct {
		name  string
		body  string
		steps []wireReply
		loop  *Loop
		want  Action
		stop  Stop
		waits []time.Duration
	}{
		{"a result", callBody, []wireReply{{status: 200, body: called}}, &Loop{}, Proceed, "", nil},
		{"back after two", listBody, []wireReply{{status: 503}, {status: 502}, {status: 200, body: listed}}, &Loop{}, Proceed, "", []time.Duration{250 * ms, 500 * ms}},
		{"no POST is sent again for its status alone", callBody, []wireReply{{status: 503, header: "Retry-After: 1"}}, &Loop{}, Surface, StopUnsafe, nil},
		{"a throttled one is", callBody, []wireReply{{status: 429, header: "Retry-After: 2"}, {status: 200, body: called}}, &Loop{}, Proceed, "", []time.Duration{2250 * ms}},
		{"an absurd wait is not slept on", callBody, []wireReply{{status: 429, header: "Retry-After: 9999999"}}, &Loop{}, Surface, StopHint, nil},
		{"an error inside a 200", listBody, []wireReply{{status: 200, body: internal}, {status: 200, body: listed}}, &Loop{}, Proceed, "", []time.Duration{250 * ms}},
		{"once", listBody, []wireReply{{status: 200, body: internal}}, &Loop{}, Abort, StopAttempts, []time.Duration{250 * ms}},
		{"a rule by code", listBody, []wireReply{{status: 200, body: own}, {status: 200, body: listed}},
			&Loop{Policy: new(Policy).With(Rule{Codes: []int64{-32050}, Action: Retry, MinDelay: s})}, Proceed, "", []time.Duration{s}},
		{"never written", callBody, []wireReply{{err: errors.New("no route")}, {status: 200, body: called}}, &Loop{}, Proceed, "", []time.Duration{250 * ms}},
		{"down for good", listBody, []wireReply{{status: 503, body: "down"}}, &Loop{}, Abort, StopAttempts, []time.Duration{250 * ms, 500 * ms, s}},
		{"no amending remedy", callBody, []wireReply{{status: 400, body: `{"jsonrpc":"2.0","id":1,"error":{"code":-32022,"message":"no","data":{"supported":["2025-06-18"]}}}`}},
			&Loop{Remedies: having(interpret.Renegotiate)}, Surface, StopRemedy, nil},
		{"credentials of the transport", callBody, []wireReply{{status: 401, header: "WWW-Authenticate: Bearer"}, {status: 200, body: called}},
			&Loop{Remedies: having(interpret.Authorize)}, Proceed, "", []time.Duration{0}},
		{"no credentials", callBody, []wireReply{{status: 401}}, &Loop{}, Ask, StopAction, nil},
		{"a redirect that is not followed", callBody, []wireReply{{status: 302, header: "Location: /there"}}, &Loop{}, Abort, StopAction, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &wireScript{t: t, steps: c.steps}
				c.loop.Rand = half
				a := c.loop.HTTP(&http.Client{Transport: w}, post(t.Context(), "http://127.0.0.1/mcp", c.body), interpret.Request{})
				if a.Decision.Action != c.want || a.Decision.Stop != c.stop {
					t.Errorf("%v, stop %q, %v; want %v, %q", a.Decision.Action, a.Decision.Stop, a.Err(), c.want, c.stop)
				}
				var waits []time.Duration
				for i := 1; i < len(w.at); i++ {
					waits = append(waits, w.at[i].Sub(w.at[i-1]))
				}
				if !slices.Equal(waits, c.waits) || len(a.Attempts) != len(w.at) {
					t.Errorf("waits %v, %d attempts; want %v", waits, len(a.Attempts), c.waits)
				}
				for _, b := range w.bodies {
					if b != c.body {
						t.Errorf("sent %s", b)
					}
				}
				if last := c.steps[min(len(w.bodies), len(c.steps))-1]; a.Exchange.Status != last.status || string(a.Exchange.Body) != last.body {
					t.Errorf("the last reply is %d %q", a.Exchange.Status, a.Exchange.Body)
				}
				if w.closed {
					t.Error("the host's idle connections were closed")
				}
			})
		})
	}
}

func TestHTTPEndsWithItsCaller(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &wireScript{t: t, steps: []wireReply{{status: 503}}}
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		defer cancel()
		began := time.Now()
		a := (&Loop{Rand: half}).HTTP(&http.Client{Transport: w}, post(ctx, "http://127.0.0.1/", listBody), interpret.Request{})
		if a.Decision.Stop != StopDeadline || time.Since(began) != 250*time.Millisecond || len(w.at) != 2 || !errors.Is(a.Err(), interpret.Unavailable) {
			t.Errorf("the deadline: %v after %v", a.Err(), time.Since(began))
		}

		why := errors.New("closed")
		ctx, stop := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { stop(why) })
		w = &wireScript{t: t, steps: []wireReply{{status: 429, header: "Retry-After: 30"}}}
		began = time.Now()
		a = (&Loop{}).HTTP(&http.Client{Transport: w}, post(ctx, "http://127.0.0.1/", callBody), interpret.Request{})
		if a.Decision.Stop != StopContext || time.Since(began) != time.Second || !errors.Is(a.Err(), why) || w.closed {
			t.Errorf("a cancel while waiting: %v after %v", a.Err(), time.Since(began))
		}

		w = &wireScript{t: t, steps: []wireReply{{takes: time.Hour}}}
		began = time.Now()
		a = (&Loop{Policy: &Policy{TimeBudget: 5 * time.Second}}).HTTP(&http.Client{Transport: w}, post(t.Context(), "http://127.0.0.1/", listBody), interpret.Request{})
		if a.Outcome.Kind != interpret.Timeout || time.Since(began) != 5*time.Second || len(w.at) != 1 {
			t.Errorf("the time budget: %v after %v", a.Err(), time.Since(began))
		}

		w = &wireScript{t: t, steps: []wireReply{{status: 200, body: listed}}}
		a = (&Loop{Policy: &Policy{TimeBudget: 5 * time.Second}}).HTTP(&http.Client{Transport: w}, post(t.Context(), "http://127.0.0.1/", listBody), interpret.Request{})
		if a.Err() != nil || w.last.Err() == nil {
			t.Errorf("%v, and the attempt's context lives on", a.Err())
		}
	})
}

type badBody struct{ io.Reader }

func (badBody) Read([]byte) (int, error) { return 0, io.ErrClosedPipe }
func (badBody) Close() error             { return nil }

func TestHTTPRequestsThatCannotBeSent(t *testing.T) {
	r := post(t.Context(), "http://127.0.0.1/", "")
	r.Body = badBody{}
	a := new(Loop).HTTP(nil, r, interpret.Request{})
	if !errors.Is(a.Err(), io.ErrClosedPipe) || !errors.Is(a.Err(), StopUnsafe) || len(a.Attempts) != 0 {
		t.Errorf("a body that cannot be read: %v", a.Err())
	}
	req := interpret.Request{Method: "tools/call", ID: "1", Target: "search"}
	r.Body = badBody{}
	if text := new(Loop).HTTP(nil, r, req).ForModel(); !strings.HasPrefix(text, "The call of tool \"search\" was not made.\n") {
		t.Errorf("the model reads %q", text)
	}
	synctest.Test(t, func(t *testing.T) {
		a := new(Loop).HTTP(nil, post(t.Context(), "gopher://127.0.0.1/", listBody), interpret.Request{})
		if a.Err() == nil || a.Outcome.Ran != interpret.RanNo || len(a.Attempts) != DefaultAttempts {
			t.Errorf("an unknown scheme: %v after %d attempts", a.Err(), len(a.Attempts))
		}
	})
	r = post(t.Context(), "http://127.0.0.1/", listBody)
	r.URL = nil
	if a := new(Loop).HTTP(nil, r.WithContext(cancelled(t)), interpret.Request{}); a.Decision.Stop != StopContext {
		t.Errorf("no address, cancelled: %v", a.Err())
	}
}

func cancelled(t *testing.T) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}

// Over a real connection: an SDK-like driver inside a loop, and a server that fails. One loop decides, so four executions are made, not sixteen.
func TestDriversDoNotMultiply(t *testing.T) {
	runs := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		runs++
		w.WriteHeader(http.StatusBadGateway)
	}))
	defer s.Close()
	server := new(Server)
	p := &Policy{FirstDelay: time.Millisecond}
	inner := &Loop{Policy: p, Server: server}
	outer := &Loop{Policy: p, Server: server}
	req, err := interpret.ParseRequest([]byte(listBody), http.Header{})
	if err != nil {
		t.Fatal(err)
	}
	a := outer.Do(t.Context(), req, func(ctx context.Context, r interpret.Request) interpret.Exchange {
		return inner.HTTP(s.Client(), post(ctx, s.URL, listBody), r).Exchange
	})
	if runs != DefaultAttempts || len(a.Attempts) != DefaultAttempts || a.Outcome.Kind != interpret.Unavailable {
		t.Errorf("%d runs, %d attempts, %v", runs, len(a.Attempts), a.Err())
	}
}

func TestHTTPReadsAStreamToItsAnswer(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: "+listed+"\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	}))
	defer s.Close()
	a := new(Loop).HTTP(s.Client(), post(t.Context(), s.URL, listBody), interpret.Request{})
	if a.Err() != nil || string(a.Outcome.Result) != `{"tools":[]}` {
		t.Errorf("%v, %s", a.Err(), a.Outcome.Result)
	}
	a = (&Loop{MaxBody: 10}).HTTP(s.Client(), post(t.Context(), s.URL, listBody), interpret.Request{})
	if a.Outcome.Kind != interpret.ReplyTooLarge {
		t.Errorf("over the limit: %v", a.Err())
	}
}

func TestHTTPGet(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &wireScript{t: t, steps: []wireReply{{status: 500}}}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1/", nil)
		if err != nil {
			t.Fatal(err)
		}
		a := (&Loop{Rand: half}).HTTP(&http.Client{Transport: w}, r, interpret.Request{})
		if len(w.at) < 2 || a.Exchange.Request.HTTPMethod != http.MethodGet || a.Outcome.Ran != interpret.RanNo {
			t.Errorf("%d sends of a GET, %v", len(w.at), a.Err())
		}
	})
}

// The bytes stay what they are, so what is known of them does too.
func TestHTTPRemedyAmendsNothing(t *testing.T) {
	w := &wireScript{t: t, steps: []wireReply{{status: 401}, {status: 200, body: called}}}
	l := &Loop{Remedies: map[interpret.Remedy]RemedyFunc{interpret.Authorize: func(_ context.Context, c *Call) error {
		c.Request.Target = "another"
		return nil
	}}}
	a := l.HTTP(&http.Client{Transport: w}, post(t.Context(), "http://127.0.0.1/", callBody), interpret.Request{})
	if a.Err() != nil || a.Exchange.Request.Target != "pay" || a.Attempts[1].Target != "pay" {
		t.Errorf("%v, %+v", a.Err(), a.Attempts)
	}
}
