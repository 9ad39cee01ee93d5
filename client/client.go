package client

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// errUnmade is why a call on the zero [Client] is not sent.
var errUnmade = errors.New("client: this client was not made by New")

// ErrClosed is why a call on a closed [Client] was not sent.
var ErrClosed = errors.New("client: closed")

// Transport is a way to reach a server: [HTTP] or [Stdio].
type Transport interface {
	// Name is what [Verdicts] know the server by. It holds no secret in clear.
	Name() string
	link(*Client) (link, error)
}

// link carries messages to one server. Its methods are safe for concurrent use.
type link interface {
	transport() interpret.Transport
	// patience is how long a probe may stay unanswered; zero: as long as any request.
	patience() time.Duration
	// open readies the wire for a session that is about to be opened. It returns what failed, or nil; an error beside it
	// says that no other attempt makes sense.
	open(ctx context.Context, s *session) (*interpret.Failure, error)
	// listen starts to take in what the server sends of itself, if the host wants that and the wire does not do so anyway.
	listen(s *session)
	// exchange sends a request and returns what came. The headers are those of the protocol.
	exchange(ctx context.Context, s *session, req interpret.Request, h http.Header, body []byte) interpret.Exchange
	// post sends a notification or an answer of ours.
	post(ctx context.Context, s *session, req interpret.Request, h http.Header, body []byte) interpret.Exchange
	// leave ends a session, and with it what is in flight in it. It takes no longer than farewell, the stopping of a process excepted.
	leave(s *session)
}

// Client is a connection to one server: it opens a session when it needs one, and a new one when that is lost.
// Make it with [New]; it is safe for concurrent use. Close ends what it has started. The zero value reaches no server: its calls are not sent.
type Client struct {
	opts     Options
	server   string
	link     link
	versions []string // newest first
	ids      atomic.Int64
	budget   *retry.Server

	ctx       context.Context // ends with Close
	cancel    context.CancelFunc
	work      sync.WaitGroup // goroutines that Close waits for
	handling  sync.WaitGroup // goroutines in which the host answers the server, for which Close waits as long as a farewell takes
	busy      chan struct{}  // bounds the host's answers to the server's requests
	refusing  chan struct{}  // bounds our own answers to them
	asking    chan struct{}  // held while the host authorizes
	listing   chan struct{}  // held while a remedy lists the tools
	declaring chan struct{}  // held while the host says what to declare

	mu       sync.Mutex
	closed   bool
	session  *session      // nil: none
	opening  *opening      // nil: nobody opens one
	plan     plan          // by which the next one is opened
	era      interpret.Era // learned in this client's life
	lost     bool          // the session before was lost: the next one must prove itself
	hollow   bool          // a session was given up for its empty streams, and nothing has succeeded since
	identity identity      // as declared from now on
	granted  http.Header   // what an authorization gave
	grants   int           // how often
	scopes   []string      // asked for so far

	known   catalog
	secrets credentials
}

// New returns a client of the server that the transport reaches. Nothing is sent before [Client.Connect] or the first call.
// An error is a transport or options that cannot be used.
func New(t Transport, opts Options) (*Client, error) {
	if missing(t) {
		return nil, errors.New("client: no transport")
	}
	versions, err := spokenVersions(opts.Protocol, opts.Policy.AllowsVersion)
	if err != nil {
		return nil, err
	}
	if err := opts.checkRemedies(); err != nil {
		return nil, err
	}
	if opts.Verdicts == nil {
		opts.Verdicts = new(Verdicts)
	}
	who, err := opts.identity()
	if err != nil {
		return nil, err
	}
	c := &Client{opts: opts, budget: opts.Budget, server: t.Name(), versions: versions,
		busy: make(chan struct{}, answersAtOnce), refusing: make(chan struct{}, refusalsAtOnce),
		asking: make(chan struct{}, 1), listing: make(chan struct{}, 1), declaring: make(chan struct{}, 1)}
	if c.budget == nil {
		c.budget = opts.Policy.NewServer()
	}
	if c.link, err = t.link(c); err != nil {
		return nil, err
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	c.identity, c.plan = who, c.probing()
	if v, ok := opts.Verdicts.Get(c.server); ok && c.heeds(v) {
		c.plan = plan{handshake: v.Era == interpret.EraLegacy, version: v.Version, cached: true}
	}
	return c, nil
}

// missing reports whether there is no transport, or a pointer to none.
func missing(t Transport) bool {
	switch t := t.(type) {
	case nil:
		return true
	case *HTTP:
		return t == nil
	case *Stdio:
		return t == nil
	}
	return false
}

// farewell bounds the ending of a session, the stopping of a process excepted.
const farewell = 2 * time.Second

// Close ends the session, and the process of a stdio server, and waits for both. Calls in flight end as cancelled.
// A session that is being opened is ended too, and one that was replaced while calls ran in it. A [Handler] that is still at work is waited
// for, but no longer than 2 s.
// Close returns nil always and may be called more than once.
func (c *Client) Close() error {
	c.mu.Lock()
	s, o := c.session, c.opening
	c.session, c.closed = nil, true
	if s != nil {
		s.retire()
	}
	c.mu.Unlock()
	if c.cancel != nil {
		c.cancel()
	}
	if o != nil {
		<-o.done
	}
	c.work.Wait()
	c.awaitHandlers()
	if s != nil {
		c.part(s)
	}
	return nil
}

// awaitHandlers waits for the host's functions, and not for ever: one of them may be who closes the client, or may not heed its context.
func (c *Client) awaitHandlers() {
	done := make(chan struct{})
	go func() { c.handling.Wait(); close(done) }()
	await(done, farewell)
}

// await waits until a channel is closed, but no longer than that.
func await(done <-chan struct{}, most time.Duration) {
	t := time.NewTimer(most)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
	}
}

// background runs f, which must end soon after c.ctx does; Close waits for it.
// After Close it does nothing and returns false.
func (c *Client) background(f func()) bool { return c.goIn(&c.work, f) }

// goIn runs f as one of the goroutines that Close waits for. After Close it does nothing and returns false.
func (c *Client) goIn(group *sync.WaitGroup, f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		group.Go(f)
	}
	return !c.closed
}

// Server says what the server told of itself when the session was opened.
type Server struct {
	Era          interpret.Era
	Version      string // of the protocol, in force
	Info         json.RawMessage
	Capabilities json.RawMessage
	Instructions string
}

// Server returns what is known of the server; the zero value before a session is open.
func (c *Client) Server() Server {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session == nil {
		return Server{}
	}
	return c.session.server
}
