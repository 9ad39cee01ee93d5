package client

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"github.com/mcperr/mcperr/internal/wire"
	"github.com/mcperr/mcperr/interpret"
)

// get opens an event stream for the SDK: the rest of one that broke, or the listening stream of a session.
func (t *Tap) get(r *http.Request) (*http.Response, error) {
	p := t.peers.of(r, r.Header.Get(headerSession))
	if event := r.Header.Get(headerLastEvent); event != "" {
		if e := p.taken(event); e != nil {
			return e.resume(r)
		}
	}
	ctx, trace := wire.WithTrace(r.Context())
	e := &exchange{t: t, r: r, ctx: ctx, trace: trace, peer: p,
		request: interpret.Request{HTTPMethod: http.MethodGet, Version: r.Header.Get(headerVersion)}}
	resp, err := t.send(r.WithContext(ctx))
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, err
	case err != nil:
		return quieted(r, nil, t.Relisten), nil
	case t.OAuth && (resp.StatusCode == http.StatusUnauthorized || resp.StatusCode == http.StatusForbidden):
		return resp, nil
	case resp.StatusCode == http.StatusOK && wire.IsEventStream(resp.Header):
		out := e.stream(r, resp)
		return quieted(r, out, t.Relisten), nil
	}
	resp.Body.Close()
	if resp.StatusCode < 500 && resp.StatusCode != http.StatusTooManyRequests {
		return quieted(r, nil, 0), nil // it has no such stream
	}
	return quieted(r, nil, t.Relisten), nil
}

// resume asks for the rest of a stream that broke. Nothing is sent a second time. If the rest is not to be had, the request ends with
// that: to the SDK as an error under its id, for a failure here would end the session in go-sdk.
func (e *exchange) resume(r *http.Request) (*http.Response, error) {
	if e.resumed++; e.resumed > resumesMost {
		return e.unresumed(r), nil
	}
	e.r = r
	e.ctx, e.trace = wire.WithTrace(r.Context())
	resp, err := e.t.send(r.WithContext(e.ctx))
	switch {
	case err != nil && r.Context().Err() != nil:
		return nil, err
	case err != nil:
		return e.unresumed(r), nil
	case resp.StatusCode == http.StatusOK && wire.IsEventStream(resp.Header):
		return e.stream(r, resp), nil
	}
	resp.Body.Close()
	return e.unresumed(r), nil
}

// resumesMost is how often the stream of one request is taken up again: one that breaks as often will not come to its end.
const resumesMost = 3

// noCode is what an SDK is told as the code of a failure that has none: one of those without a meaning.
var noCode = json.RawMessage("-32000")

func (e *exchange) unresumed(r *http.Request) *http.Response {
	x := unresumed(e.request)
	e.recorder.end(x)
	o := interpret.Reply(x)
	fault := object{{"code", noCode}, {"message", text(o.Err().Error())}}
	message := object{jsonrpc, {"id", json.RawMessage(e.request.ID)}, {"error", fault.encode()}}
	body := bytes.Join([][]byte{[]byte("data: "), message.encode(), []byte("\n\n")}, nil)
	return eventStream(r, io.NopCloser(bytes.NewReader(body)))
}

func eventStream(r *http.Request, body io.ReadCloser) *http.Response {
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, ContentLength: -1, Request: r,
		Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: body,
	}
}

// quieted makes the end of a listening stream one that the SDK does not see, or not at once; nil is a stream that did not even begin.
func quieted(r *http.Request, stream *http.Response, again time.Duration) *http.Response {
	ctx, cancel := context.WithCancel(r.Context())
	q := &quiet{ctx: ctx, cancel: cancel, again: again}
	if stream == nil {
		return eventStream(r, q)
	}
	q.below, stream.Body = stream.Body, q
	return stream
}

// quiet reads what is below, and then nothing for as long as the session lasts or until it is time to ask again.
type quiet struct {
	ctx    context.Context
	cancel context.CancelFunc
	again  time.Duration // zero: never
	below  io.ReadCloser // nil: there is no stream
}

func (q *quiet) Read(p []byte) (int, error) {
	if q.below != nil {
		if n, err := q.below.Read(p); n > 0 || err == nil {
			return n, nil
		}
	}
	var timer <-chan time.Time
	if q.again > 0 {
		t := time.NewTimer(q.again)
		defer t.Stop()
		timer = t.C
	}
	select {
	case <-timer:
		return 0, io.EOF
	case <-q.ctx.Done():
		return 0, q.ctx.Err()
	}
}

// Close may be called while Read waits, which it ends.
func (q *quiet) Close() error {
	q.cancel()
	if q.below != nil {
		return q.below.Close()
	}
	return nil
}
