package retry

import (
	"bytes"
	"context"
	"math"
	"net/http"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/mcperr/mcperr/internal/secrets"
	"github.com/mcperr/mcperr/internal/wire"
	"github.com/mcperr/mcperr/interpret"
)

// HTTP makes one logical call with an HTTP request that the host has made itself, sending the same bytes each time.
// r's context is the call's; hc is used for each attempt and may be nil for [http.DefaultClient].
//
// Nothing amends the request, so of the remedies only those are carried out that work beside it: [interpret.Authorize],
// for hosts whose transport adds the credentials, and [OpenURL]. The rest is as in [Loop.Do]. req is what the bytes are;
// its zero value has them read, and is enough unless the host knows more (era, names of tools).
// An event stream is read to its answer, other bodies to their end, both up to [Loop.MaxBody].
// A 307 or 308 within the origin is followed, once an attempt, and no other redirect.
func (l *Loop) HTTP(hc *http.Client, r *http.Request, req interpret.Request) *Answer {
	body, err := wire.TakeBody(r)
	if wire.Undescribed(req) {
		req = wire.Describe(r, body)
	}
	c := l.newCall(r.Context(), req)
	c.secrets = interpret.NewScrubber(append(secrets.Header(r.Header), secrets.URL(r.URL)...)...)
	can := c.can
	c.fixed, c.can = true, func(r interpret.Remedy) bool { return (r == interpret.Authorize || r == OpenURL) && can(r) }
	if err != nil {
		c.unmade(err)
		c.stop(StopUnsafe, "the body of the request cannot be read", err)
		return c.answer()
	}
	if c.start() {
		newHTTPCall(c, hc).do(r, body)
	}
	return c.answer()
}

// httpCall is a call as retryablehttp drives it.
type httpCall struct {
	*call
	client  *http.Client
	below   http.RoundTripper
	current *httpAttempt // nil between attempts
}

type httpAttempt struct {
	Attempt
	ctx    context.Context // the observer's
	traced context.Context // the request's
	trace  *wire.Trace
	cancel context.CancelFunc
}

func newHTTPCall(c *call, hc *http.Client) *httpCall {
	client := *wire.Client(hc)
	h := &httpCall{call: c, client: &client, below: client.Transport}
	client.Transport = h
	return h
}

// do drives the call with a client of its own, whose every question the call answers. It logs nothing (it would log
// addresses), and closes no connections that are not its own: a RoundTripper hides them.
func (h *httpCall) do(r *http.Request, body []byte) {
	driven := &retryablehttp.Request{Request: r.Clone(r.Context())}
	if driven.Body = nil; body != nil {
		_ = driven.SetBody(bytes.NewReader(body)) // fails for other types only
	}
	driven.SetResponseHandler(h.reply)
	driver := &retryablehttp.Client{
		HTTPClient:   h.client,
		RetryMax:     math.MaxInt,
		CheckRetry:   h.again,
		Backoff:      func(time.Duration, time.Duration, int, *http.Response) time.Duration { return h.waited },
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	_, _ = driver.Do(driven) // reply and failure stand in the call, and the body is closed
}

// RoundTrip starts an attempt: this is the one place that net/http passes once each time.
func (h *httpCall) RoundTrip(r *http.Request) (*http.Response, error) {
	h.begin(r.Context())
	return h.below.RoundTrip(r.WithContext(h.current.traced))
}

func (h *httpCall) begin(ctx context.Context) {
	a := new(httpAttempt)
	ctx, a.cancel = h.bounded(ctx)
	a.ctx, a.Attempt = h.call.begin(ctx)
	a.traced, a.trace = wire.WithTrace(a.ctx)
	h.current = a
}

// reply judges what was answered, a JSON-RPC error under status 200 too.
func (h *httpCall) reply(resp *http.Response) error {
	a := h.current
	h.end(wire.Read(a.traced, resp, a.trace, h.request, wire.Options{MaxBody: h.loop.MaxBody}))
	if h.goesOn() {
		return errAgain
	}
	return nil
}

func (h *httpCall) end(x interpret.Exchange) {
	a := h.current
	h.current = nil
	a.cancel()
	h.call.end(a.ctx, a.Attempt, x)
}

// again is asked after each request, and after each reply that was judged.
func (h *httpCall) again(ctx context.Context, _ *http.Response, err error) (bool, error) {
	if err == nil {
		return false, nil // reply judges it, or has found it good
	}
	if err != errAgain {
		if h.current == nil { // net/http refused the request itself
			h.begin(ctx)
		}
		a := h.current
		h.end(interpret.Exchange{Request: h.request, Failure: a.trace.Failure(a.traced, err)})
	}
	_, again := h.next()
	return again, nil
}
