package probe

import (
	"bytes"
	"context"
	"errors"
	"net/http"

	internalwire "github.com/mcperr/mcperr/internal/wire"
	"github.com/mcperr/mcperr/interpret"
)

// wire carries questions to a server, each exactly once.
type wire interface {
	exchange(context.Context, *question, interpret.Request) interpret.Exchange
	restart() error // begins anew, where there is something that can begin: a process
	give()          // gives up a process that does not answer
	ended() bool    // nothing more will be answered
	close()         // leaves nothing behind
	diagnosis() string
}

var errSpent = errors.New("probe: all requests that were announced have been sent")

// send sends a question and looks at what comes, for the checks over all replies too. A reply that bears a session id is
// remembered, so that the session can be closed.
func (p *Probe) send(ctx context.Context, q *question) *reply {
	req := p.facts(q)
	if p.sent >= p.most {
		failure := &interpret.Failure{What: interpret.FailedCancelled, Delivery: interpret.DeliveryNotSent, Err: errSpent}
		return newReply(interpret.Exchange{Request: req, Failure: failure})
	}
	p.sent++
	if q.after != nil && !p.server.http() {
		p.sent++
	}
	ctx, cancel := context.WithTimeout(ctx, p.opts.Timeout)
	defer cancel()
	r := newReply(p.wire.exchange(ctx, q, req))
	r.own, r.behind = p.own, q.after != nil
	if f := r.x.Failure; f != nil && f.What == interpret.FailedTimeout {
		p.wire.give() // what comes now would be taken for the answer to another question
	}
	p.hold(r.x.Header.Get(headerSession))
	p.look(r)
	return r
}

// send sends a check's question.
func (a *asking) send(ctx context.Context, q *question) *reply {
	a.last = a.Probe.send(ctx, q)
	return a.last
}

// httpWire sends each message as an HTTP request of its own.
type httpWire struct {
	url string
	max int64
	hc  *http.Client
	own *http.Transport
}

func newHTTP(o Options) wire {
	t := http.DefaultTransport.(*http.Transport).Clone()
	return &httpWire{url: o.URL, max: o.MaxBody, hc: internalwire.Client(&http.Client{Transport: t}), own: t}
}

func (w *httpWire) exchange(ctx context.Context, q *question, req interpret.Request) interpret.Exchange {
	verb, to := q.verb, q.to
	if verb == "" {
		verb = http.MethodPost
	}
	if to == "" {
		to = w.url
	}
	r, err := http.NewRequestWithContext(ctx, verb, to, bytes.NewReader(q.body))
	if err != nil {
		return interpret.Exchange{Request: req, Failure: &interpret.Failure{What: interpret.FailedProtocol, Delivery: interpret.DeliveryNotSent, Err: err}}
	}
	r.Header = q.header
	return internalwire.Do(w.hc, r, req, internalwire.Options{MaxBody: w.max})
}

func (w *httpWire) restart() error { return nil }
func (w *httpWire) give()          {}
func (w *httpWire) ended() bool    { return false }
func (w *httpWire) close()         { w.own.CloseIdleConnections() }

func (w *httpWire) diagnosis() string { return "" }
