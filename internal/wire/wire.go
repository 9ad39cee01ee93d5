// Package wire turns one net/http exchange into an [interpret.Exchange]: sent exactly once, its delivery state known, its body bounded.
//
// It is shared by the drivers of package retry and by package client, and decides nothing.
package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// linger is how long the end of a stream is waited for once its answer is here, or where none is to come: a server that
// ends the stream with the answer does so at once, and then the connection can be used again.
const linger = 20 * time.Millisecond

// Options say how a reply is read. The zero value reads up to [interpret.DefaultLimit] bytes.
type Options struct {
	MaxBody int64                   // bytes of the body that are kept; what is over it is reported as cut. 0: interpret.DefaultLimit
	Each    func(interpret.Message) // told of every message of an event stream as it comes, the answer too; nil: nobody is
}

// Do sends r once and returns all that came back for it. It never fails: a local error becomes [interpret.Exchange.Failure].
// req says what r holds and stands in the exchange. hc is used through [Client]; nil is [http.DefaultClient].
// An event stream is read to its first answer, and not beyond; one to what expects no answer for a moment only.
func Do(hc *http.Client, r *http.Request, req interpret.Request, opt Options) interpret.Exchange {
	ctx, trace := WithTrace(r.Context())
	resp, err := Client(hc).Do(r.WithContext(ctx))
	if err != nil {
		return interpret.Exchange{Request: req, Failure: trace.Failure(ctx, err)}
	}
	return Read(ctx, resp, trace, req, opt)
}

// Read reads and closes the body of a reply to a request that trace followed; ctx is that request's.
func Read(ctx context.Context, resp *http.Response, trace *Trace, req interpret.Request, opt Options) interpret.Exchange {
	x := interpret.Exchange{Request: req, Status: resp.StatusCode, Header: resp.Header, Received: time.Now()}
	if opt.MaxBody <= 0 {
		opt.MaxBody = interpret.DefaultLimit
	}
	body := &bounded{r: resp.Body, left: opt.MaxBody}
	if accepts(resp, req) {
		glance(body, resp, req, opt)
		x.Body = body.kept.Bytes()
		return x
	}
	var err error
	if IsEventStream(resp.Header) {
		err = readStream(body, resp, req, opt)
	} else {
		_, err = io.Copy(io.Discard, body)
		resp.Body.Close()
	}
	x.Body, x.Truncated = body.kept.Bytes(), body.cut || errors.Is(err, interpret.ErrTooLarge)
	if err != nil && !x.Truncated {
		x.Failure = trace.Failure(ctx, err)
	}
	return x
}

func readStream(body *bounded, resp *http.Response, req interpret.Request, opt Options) error {
	defer resp.Body.Close()
	for m, err := range interpret.Scan(body, resp.Header.Get("Content-Type"), req, interpret.Limits{Bytes: opt.MaxBody}) {
		if err != nil {
			return err
		}
		if opt.Each != nil {
			opt.Each(m)
		}
		if m.Answer {
			Drain(resp)
			return nil
		}
	}
	return body.err
}

// Drain gives a body that says nothing more of use a moment to end by itself, so that its connection can be used again.
func Drain(resp *http.Response) {
	if resp.ProtoMajor > 1 {
		return // ending one stream costs no connection
	}
	stop := time.AfterFunc(linger, func() { resp.Body.Close() })
	defer stop.Stop()
	io.CopyN(io.Discard, resp.Body, 4<<10)
}

// IsEventStream reports whether a reply calls itself an event stream.
func IsEventStream(h http.Header) bool {
	media, _, _ := strings.Cut(h.Get("Content-Type"), ";")
	return strings.EqualFold(strings.TrimSpace(media), "text/event-stream")
}

// bounded keeps what is read, up to a number of bytes.
type bounded struct {
	r    io.Reader
	left int64
	kept bytes.Buffer
	cut  bool  // there was more
	err  error // what ended the reading, if it was not the end
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left == 0 { // one byte more tells whether there is more
		var one [1]byte
		n, err := io.ReadFull(b.r, one[:])
		if b.cut = n > 0; b.cut {
			return 0, io.EOF
		}
		return 0, b.ended(err)
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.kept.Write(p[:n])
	b.left -= int64(n)
	return n, b.ended(err)
}

func (b *bounded) ended(err error) error {
	if err != nil && err != io.EOF {
		b.err = err
	}
	return err
}
