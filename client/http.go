package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/mcperr/mcperr/internal/secrets"
	"github.com/mcperr/mcperr/internal/wire"
	"github.com/mcperr/mcperr/interpret"
)

// HTTP is a server behind the Streamable HTTP transport. The credentials in URL and Header, told by a name or by how they look, are taken out of all
// that is shown of a reply, should the server say them back.
type HTTP struct {
	URL    string
	Client *http.Client // nil: [http.DefaultClient]. Its redirect policy is not asked: only 307 and 308 within the origin are followed, once
	Header http.Header  // goes with every request, credentials for one; never to another origin. [New] refuses one that cannot be sent

	// Listen asks for what the server sends of itself: the GET stream of 2025-03-26 to 2025-11-25, opened with a session and
	// opened again when it ends. A server without one is no fault.
	Listen bool
}

// Name returns the scheme and the host of the URL with a digest of all but its user and fragment: path and query may hold a key.
func (t HTTP) Name() string {
	u, err := url.Parse(t.URL)
	if err != nil {
		return digested("", t.URL)
	}
	u.User, u.Fragment, u.RawFragment = nil, "", ""
	return digested(u.Scheme+"://"+u.Host, u.String())
}

func (t HTTP) link(c *Client) (link, error) {
	u, err := url.Parse(t.URL)
	switch { // no part of an address is quoted that may hold a key
	case err != nil:
		why := err
		if e, ok := errors.AsType[*url.Error](err); ok {
			why = e.Err
		}
		said, _, _ := strings.Cut(why.Error(), ` "`)
		return nil, errors.New("client: the address cannot be read: " + said)
	case u.Host == "":
		return nil, errors.New("client: the address has no host; it begins with https://, or with http://")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, fmt.Errorf("client: the address has the scheme %q and the host %q, and is no http or https address", u.Scheme, u.Host)
	}
	if err := sendable(t.Header); err != nil {
		return nil, err
	}
	c.secrets.know(secrets.Header(t.Header), secrets.URL(u))
	return &httpLink{c: c, t: t, hc: wire.Client(t.Client), first: u, url: u}, nil
}

// httpLink sends each message as a POST of its own.
type httpLink struct {
	c     *Client
	t     HTTP
	hc    *http.Client
	first *url.URL // as the host gave it

	mu  sync.Mutex
	url *url.URL // where the server redirected to, for the session
}

func (l *httpLink) transport() interpret.Transport { return interpret.HTTP }
func (l *httpLink) patience() time.Duration        { return 0 }

// open goes back to the address that the host gave: a redirect is remembered for one session.
func (l *httpLink) open(context.Context, *session) (*interpret.Failure, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.url = l.first
	return nil, nil
}

func (l *httpLink) exchange(ctx context.Context, s *session, req interpret.Request, h http.Header, body []byte) interpret.Exchange {
	x := l.do(ctx, s, http.MethodPost, req, h, body)
	if s.plan.handshake && x.Failure != nil && ctx.Err() != nil && x.Failure.Delivery != interpret.DeliveryNotSent && req.Method != "initialize" {
		l.takeBack(s, req.ID) // in 2026-07-28 the end of the stream says so
	}
	return x
}

func (l *httpLink) post(ctx context.Context, s *session, req interpret.Request, h http.Header, body []byte) interpret.Exchange {
	return l.do(ctx, s, http.MethodPost, req, h, body)
}

// do sends one HTTP request and reads what comes back, handing on what the server says before it answers.
func (l *httpLink) do(ctx context.Context, s *session, verb string, req interpret.Request, h http.Header, body []byte) interpret.Exchange {
	l.mu.Lock()
	to := l.url
	l.mu.Unlock()
	ctx, trace := wire.WithTrace(ctx)
	r, err := http.NewRequestWithContext(ctx, verb, to.String(), bytes.NewReader(body))
	if err != nil { // the address was parsed before, the verb is ours
		return interpret.Exchange{Request: req, Failure: &interpret.Failure{What: interpret.FailedProtocol, Delivery: interpret.DeliveryNotSent, Err: err}}
	}
	l.setHeaders(r, h)
	resp, err := l.hc.Do(r)
	if err != nil {
		return interpret.Exchange{Request: req, Failure: trace.Failure(ctx, err)}
	}
	if resp.Request != nil && resp.Request.URL != nil && wire.SameOrigin(resp.Request.URL, to) {
		l.mu.Lock()
		if l.url == to {
			l.url = resp.Request.URL
		}
		l.mu.Unlock()
	}
	silent := verb == http.MethodPost && req.ID != ""
	x := wire.Read(ctx, resp, trace, req, wire.Options{MaxBody: l.c.opts.maxReply(), Each: func(m interpret.Message) {
		silent = false
		if m.Wait > 0 {
			s.again.Store(int64(m.Wait))
		}
		if m.Method != "" {
			l.c.incoming(s, m)
		}
	}})
	if x.Failure == nil && req.ID != "" {
		l.c.heard(s, !silent || !streamed(x))
	}
	return x
}

// setHeaders puts the host's headers first, what an authorization gave over them, and the protocol's over all.
func (l *httpLink) setHeaders(r *http.Request, h http.Header) {
	for _, layer := range []http.Header{l.t.Header, l.c.authorization(), h} {
		for name, values := range layer {
			r.Header[http.CanonicalHeaderKey(name)] = values
		}
	}
	if r.Method == http.MethodPost {
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
	}
	if r.Method == http.MethodGet {
		r.Header.Set("Accept", "text/event-stream")
	}
}

// takeBackTime bounds the sending of a cancellation.
const takeBackTime = time.Second

// takeBack sends notifications/cancelled; nobody waits for it but Close.
func (l *httpLink) takeBack(s *session, id string) {
	l.c.background(func() {
		ctx, cancel := context.WithTimeout(context.Background(), takeBackTime)
		defer cancel()
		l.do(ctx, s, http.MethodPost, interpret.Request{Method: "notifications/cancelled"}, s.headers(), cancelled(id))
	})
}

// leave ends a session of the handshake era with DELETE; a server that does not take it is right, too.
func (l *httpLink) leave(s *session) {
	if s.id == "" || s.gone.Load() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	l.do(ctx, s, http.MethodDelete, interpret.Request{HTTPMethod: http.MethodDelete}, s.headers(), nil)
}
