package client

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// session is one opened session, or with 2026-07-28 the agreement on a version. It does not change once it is open.
type session struct {
	plan     plan
	server   Server
	identity identity           // as declared when it was opened
	afterAll bool               // it replaces one that was lost
	opened   interpret.Exchange // by which it was opened

	id       string   // Mcp-Session-Id, "" if the server gave none
	declared []string // capabilities of the handshake, dotted leaves
	process  *process // of a stdio server

	used    atomic.Bool  // something succeeded in it
	gone    atomic.Bool  // the server does not know it any more
	again   atomic.Int64 // reconnection time that its streams ask for
	empty   atomic.Int32 // streams in a row that ended without an event
	quit    context.CancelFunc
	quitCtx context.Context // ends with the session

	// Guarded by the client's mu.
	uses int           // calls in flight in it
	idle chan struct{} // made when no call to come goes out in it; closed when the last one in it has ended
}

// version returns the version in force, "" while the session is being opened by a handshake.
func (s *session) version() string { return s.server.Version }

func (s *session) era() interpret.Era { return s.server.Era }

// headers returns the headers by which every message of the session is known.
func (s *session) headers() http.Header {
	h := make(http.Header)
	if s.version() != "" {
		h.Set(headerVersion, s.version())
	}
	if s.id != "" {
		h.Set(headerSession, s.id)
	}
	return h
}

// reconnection is how long to wait before a stream is taken up again, zero if the server did not say.
func (s *session) reconnection() time.Duration { return time.Duration(s.again.Load()) }

// stop ends what listens for the session.
func (s *session) stop() {
	if s.quit != nil {
		s.quit()
	}
}

// ended reports whether the session can carry nothing any more.
func (s *session) ended() bool { return s.process != nil && s.process.silent() }

// retire has no call to come go out in the session. The client's mu is held.
func (s *session) retire() {
	s.idle = make(chan struct{})
	if s.uses == 0 {
		close(s.idle)
	}
}

// release ends the use of the session by one call. The client's mu is held.
func (s *session) release() {
	if s.uses--; s.uses == 0 && s.idle != nil {
		close(s.idle)
	}
}

// opening is one attempt to open a session, which every caller that needs one waits for.
type opening struct {
	plan    plan          // by which it was begun; it does not change
	grants  int           // authorizations that there had been by then; it does not change
	waiting int           // callers, who each use the session from its first moment; guarded by the client's mu
	done    chan struct{} // closed when what follows is set, under the client's mu

	session *session           // nil if it failed
	x       interpret.Exchange // what failed
	tried   plan               // last
	err     error              // why no other attempt makes sense
	gone    bool               // its caller gave up, which says nothing to the others
}

// ready returns the session, and opens one if there is none. All callers share one attempt, and go on to another if it went out without
// the credentials that they have. The session is not left before each of them has released it.
// If the attempt failed, the session is nil, and x is what came of it; err is set where another attempt makes no sense.
func (c *Client) ready(ctx context.Context) (s *session, tried plan, x interpret.Exchange, err error) {
	for {
		c.mu.Lock()
		if c.closed {
			c.mu.Unlock()
			return nil, plan{}, gaveUp(ErrClosed), ErrClosed
		}
		if old := c.session; old != nil && old.ended() {
			c.session = nil
			c.dismiss(old)
		}
		if s := c.session; s != nil {
			s.uses++
			c.mu.Unlock()
			return s, s.plan, s.opened, nil
		}
		o := c.opening
		mine := o == nil
		if mine {
			o = &opening{done: make(chan struct{}), plan: c.plan, grants: c.grants}
			c.opening = o
		}
		o.waiting++
		outdated := o.grants != c.grants // it went out with credentials that have been replaced since: that it is refused says nothing
		c.mu.Unlock()
		if mine {
			c.openFor(ctx, o)
		}
		select {
		case <-o.done:
		case <-ctx.Done():
			c.forgo(o)
			return nil, o.plan, gaveUp(ctx.Err()), nil
		}
		if mine || !o.gone && (o.session != nil || !outdated) {
			return o.session, o.tried, o.x, o.err
		}
	}
}

// openFor carries an attempt out and publishes what came of it.
func (c *Client) openFor(ctx context.Context, o *opening) {
	s, tried, x, err := c.open(ctx, o.plan)
	c.mu.Lock()
	defer c.mu.Unlock()
	o.gone = s == nil && ctx.Err() != nil
	if s != nil && c.closed {
		c.dismiss(s)
		s, x, err = nil, gaveUp(ErrClosed), ErrClosed
	}
	if s != nil {
		s.uses = o.waiting
		c.session, c.era, c.lost = s, s.era(), false
	}
	o.session, o.tried, o.x, o.err = s, tried, x, err
	c.plan, c.opening = tried, nil
	close(o.done)
}

// forgo ends a caller's wait for an opening, whatever has come of it.
func (c *Client) forgo(o *opening) {
	c.mu.Lock()
	defer c.mu.Unlock()
	o.waiting--
	if o.session != nil {
		o.session.release()
	}
}

// replace makes the next call open another session by the given plan, unless that has been seen to already:
// old and tried are what the refused request went out with.
func (c *Client) replace(old *session, tried, next plan, lost bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session != old || c.plan != tried {
		return
	}
	c.plan, c.session = next, nil
	if old == nil {
		return
	}
	c.lost = lost
	old.gone.Store(lost)
	c.dismiss(old)
}

// dismiss leaves a session that no call to come goes out in. Nobody waits for that but Close, so it is not called after Close has seen
// the session or the opening. c.mu is held.
func (c *Client) dismiss(old *session) {
	old.retire()
	c.work.Go(func() { c.part(old) })
}

// part leaves a retired session when the last call in it has ended. Those of a closed client end at once; only the host can hold one up, in a
// function of its own, and it is not waited for longer than a farewell takes.
func (c *Client) part(s *session) {
	select {
	case <-s.idle:
	case <-c.ctx.Done():
		await(s.idle, farewell)
	}
	s.stop()
	c.link.leave(s)
}

// vacated reports whether a session is left or about to be: nothing goes out in it any more.
func (c *Client) vacated(s *session) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return s.idle != nil && s.uses == 0
}

// gaveUp is the exchange of a request that was never sent because of err.
func gaveUp(err error) interpret.Exchange {
	what := interpret.FailedCancelled
	if err == context.DeadlineExceeded {
		what = interpret.FailedTimeout
	}
	return interpret.Exchange{Failure: &interpret.Failure{What: what, Delivery: interpret.DeliveryNotSent, Err: err}}
}
