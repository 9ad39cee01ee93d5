package client

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/mcperr/mcperr/internal/proto"
	"github.com/mcperr/mcperr/internal/secrets"
	"github.com/mcperr/mcperr/internal/wire"
	"github.com/mcperr/mcperr/interpret"
)

// Tap goes below an MCP SDK, as the Transport of its [http.Client]: it sees what the SDK throws away.
// The zero value works. It may be shared by clients, sessions and servers, and is safe for concurrent use; its members must not be changed then.
//
// What is said in each exchange stands in the [Recorder] of the request's context. A reply that is no answer to its request is returned
// as the transport's error, an [*interpret.Error]: status, Retry-After and the body would be lost otherwise, and many a session with them.
// A JSON-RPC answer that counts is handed on as 200 with JSON, whatever it wore; refusals of a handshake are handed on as they came,
// for the SDK falls back by them. An event stream is handed on event by event, those left out that answer another request or are no
// message at all; the listening stream, which must not end a session, goes silent where it would end.
//
// A Tap sends each request once and keeps net/http from resending it. A 307 or 308 within the origin is followed, no other redirect is.
// Requests that are not of this protocol pass untouched: a POST is of it if its body is JSON-RPC, a GET if it asks for an event stream
// with a session or a protocol version in its headers, or where messages were posted before.
type Tap struct {
	Base    http.RoundTripper // nil: [http.DefaultTransport]
	MaxBody int64             // bytes of one reply; zero or less is 16 MiB

	// OAuth says that the SDK has a handler for 401 and 403, which are then handed on to it.
	OAuth bool
	// Relisten is how long a listening stream that ended or failed is silent before the SDK is told, so that it asks anew.
	// Zero is for as long as the session lasts: go-sdk ends a session whose stream ended a few times.
	Relisten time.Duration

	peers peers
}

// RoundTrip implements [http.RoundTripper].
func (t *Tap) RoundTrip(r *http.Request) (*http.Response, error) {
	switch {
	case r.Method == http.MethodPost && isJSON(r.Header):
		body, err := wire.TakeBody(r)
		if err != nil {
			return nil, err
		}
		r = wire.WithBody(r, body)
		req, err := interpret.ParseRequest(body, r.Header)
		if err == nil {
			return t.post(r, req)
		}
		if isMessage(body) {
			req.ID = "" // an answer of the SDK's: the id is that of the server's request, and no call is waiting for what comes of it
			return t.post(r, req)
		}
	case r.Method == http.MethodGet && acceptsEvents(r.Header) && t.peers.concerned(r):
		return t.get(r)
	}
	return t.base().RoundTrip(r)
}

func (t *Tap) base() http.RoundTripper {
	if t.Base != nil {
		return t.Base
	}
	return http.DefaultTransport
}

func (t *Tap) maxBody() int64 {
	if t.MaxBody > 0 {
		return t.MaxBody
	}
	return interpret.DefaultLimit
}

// send sends r once.
func (t *Tap) send(r *http.Request) (*http.Response, error) {
	return wire.Client(&http.Client{Transport: t.base()}).Transport.RoundTrip(r)
}

// post sends one message of the SDK's.
func (t *Tap) post(r *http.Request, req interpret.Request) (*http.Response, error) {
	ctx, trace := wire.WithTrace(r.Context())
	p := t.peers.of(r, r.Header.Get(headerSession))
	p.describe(&req)
	e := &exchange{t: t, r: r, ctx: ctx, trace: trace, peer: p, request: req, secrets: interpret.NewScrubber(secrets.Header(r.Header)...)}
	switch {
	case req.ID != "":
		e.recorder = RecorderIn(ctx)
		if err := e.recorder.refuse(req); err != nil {
			return nil, err
		}
		e.recorder.begin(req, trace, e.secrets)
	case req.Method == "":
		p.replied(req.Body)
	}
	resp, err := t.send(r.WithContext(ctx))
	if err != nil {
		return nil, e.failed(err)
	}
	return e.reply(r, resp)
}

// exchange is one request of the SDK's and what comes back for it.
type exchange struct {
	t        *Tap
	r        *http.Request
	ctx      context.Context
	trace    *wire.Trace
	peer     *peer
	request  interpret.Request
	secrets  *interpret.Scrubber // that the request goes out with
	recorder *Recorder           // nil: nobody listens
	session  string              // that the reply gave out
	resumed  int                 // times its stream was taken up again
}

// failed records a request that drew no reply, and returns the typed error.
func (e *exchange) failed(err error) error {
	return e.fault(interpret.Exchange{Request: e.request, Failure: e.trace.Failure(e.ctx, err)})
}

// fault records an exchange that is over and returns what it means as an error, typed even where nothing is wrong with it.
func (e *exchange) fault(x interpret.Exchange) error {
	e.recorder.end(x)
	o := interpret.Reply(x)
	var cause error
	if x.Failure != nil {
		cause = x.Failure.Err
	}
	return &interpret.Error{Outcome: o.ScrubbedBy(e.secrets), Cause: cause}
}

// reply decides what of a reply is handed on.
func (e *exchange) reply(r *http.Request, resp *http.Response) (*http.Response, error) {
	good := resp.StatusCode >= 200 && resp.StatusCode < 300
	e.session = resp.Header.Get(headerSession)
	switch {
	case e.request.ID == "" && good:
		return resp, nil
	case e.request.ID != "" && resp.StatusCode == http.StatusOK && wire.IsEventStream(resp.Header):
		return e.stream(r, resp), nil
	}
	x := wire.Read(e.ctx, resp, e.trace, e.request, wire.Options{MaxBody: e.t.maxBody()})
	x.Header, x.Replied = telling(x.Header), e.peer.repliedIDs()
	o := interpret.Reply(x)
	e.learn(&x, &o)
	answer := e.answer(&x, &o)
	switch {
	case answer != nil:
		e.recorder.end(x)
		return respond(r, resp, answer, e.request.Method), nil
	case x.Failure != nil || x.Truncated:
	case e.t.OAuth && (x.Status == http.StatusUnauthorized || x.Status == http.StatusForbidden), !good && isHandshake(e.request.Method):
		e.recorder.end(x)
		resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(x.Body)), int64(len(x.Body))
		return resp, nil
	}
	return nil, e.fault(x)
}

// learn takes in what the exchange says about the server, of a session that it opens too.
func (e *exchange) learn(x *interpret.Exchange, o *interpret.Outcome) {
	e.peer.learn(x, o)
	if e.request.Method == "initialize" && e.session != "" {
		e.t.peers.of(e.r, e.session).learn(x, o)
	}
}

// answer returns the message that answers the request under its id, nil if none counts.
func (e *exchange) answer(x *interpret.Exchange, o *interpret.Outcome) []byte {
	if !o.Answered || e.request.ID == "" {
		return nil
	}
	if !wire.IsEventStream(x.Header) {
		return e.decodable(bytes.TrimPrefix(x.Body, []byte("\xef\xbb\xbf")), o)
	}
	for m := range interpret.Scan(bytes.NewReader(x.Body), x.Header.Get("Content-Type"), e.request, interpret.Limits{}) {
		if m.Answer {
			return e.decodable(slices.Clone(m.Raw), o)
		}
	}
	return e.decodable(bytes.TrimSpace(x.Body), o) // a JSON body under the wrong type
}

// decodable returns an answer as it came if an SDK can take it, else with the same in it as one can: a member that is missing or of another
// type would end a session.
func (e *exchange) decodable(answer []byte, o *interpret.Outcome) []byte {
	if proto.Decodable(answer) {
		return answer
	}
	m := struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  json.RawMessage `json:"result,omitempty"`
		Error   any             `json:"error,omitempty"`
	}{Version: "2.0", ID: json.RawMessage(e.request.ID), Result: o.Result}
	if o.Result == nil {
		m.Error = struct {
			Code    int64           `json:"code"`
			Message string          `json:"message"`
			Data    json.RawMessage `json:"data,omitempty"`
		}{o.Code, o.Message, o.Data}
	}
	if again, err := json.Marshal(m); err == nil {
		return again
	}
	return answer
}

// respond is a reply as the SDKs read it: 200, one JSON message, and a session id only where one is given out.
func respond(r *http.Request, like *http.Response, message []byte, method string) *http.Response {
	resp := &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: like.Proto, ProtoMajor: like.ProtoMajor, ProtoMinor: like.ProtoMinor,
		Header: like.Header.Clone(), Body: io.NopCloser(bytes.NewReader(message)), ContentLength: int64(len(message)), Request: r, TLS: like.TLS,
	}
	resp.Header.Set("Content-Type", "application/json")
	resp.Header.Del("Content-Length")
	resp.Header.Del("Content-Encoding")
	if method != "initialize" {
		resp.Header.Del(headerSession) // another one than the session's would end it in go-sdk
	}
	return resp
}

func isHandshake(method string) bool { return method == "initialize" || method == "server/discover" }

func isJSON(h http.Header) bool {
	media, _, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return media == "application/json"
}

func acceptsEvents(h http.Header) bool {
	return strings.Contains(strings.ToLower(h.Get("Accept")), "text/event-stream")
}

// isMessage reports whether what was sent is of JSON-RPC at all, an answer of ours for one.
func isMessage(body []byte) bool {
	var m struct {
		Version string `json:"jsonrpc"`
	}
	return json.Unmarshal(body, &m) == nil && m.Version == "2.0"
}

// telling returns the headers that say something about the meaning of a reply. Cookies and session ids are not among them.
func telling(h http.Header) http.Header {
	kept := make(http.Header)
	for name, values := range h {
		switch n := strings.ToLower(name); n {
		case "content-type", "date", "retry-after", "www-authenticate", "proxy-authenticate", "location", "via", "server", "x-cache", "allow":
			kept[name] = values
		default:
			if strings.HasPrefix(n, "cf-") || strings.HasPrefix(n, "ratelimit") || strings.HasPrefix(n, "x-ratelimit-") {
				kept[name] = values
			}
		}
	}
	return kept
}
