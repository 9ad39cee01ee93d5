package retry

import (
	"cmp"
	"context"
	"math/rand/v2"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// call is one logical call of a loop. It is used by one goroutine, save for its counters, which loops inside its remedies use too.
type call struct {
	loop   *Loop
	policy Policy // filled
	server *Server
	ctx    context.Context // the caller's
	began  time.Time
	asked  time.Duration // how long people were asked

	nested bool              // an attempt of an outer loop: this is the same attempt
	meta   map[string]string // of that attempt
	owner  *call             // inside a remedy of this call; nil: it is a call of its own
	fixed  bool              // the request is what it is: no remedy can amend it
	can    func(interpret.Remedy) bool

	request  interpret.Request   // of the next attempt
	secrets  *interpret.Scrubber // that it goes out with, beside those of the loop
	sends    atomic.Int64        // with those of remedies
	rounds   atomic.Int64        // that the server asked for
	spent    map[interpret.Remedy]int
	after    map[interpret.Kind]int
	by       map[string]int
	attempts []Attempt

	waited time.Duration    // before the next attempt
	remedy interpret.Remedy // carried out before the next attempt

	exchange interpret.Exchange
	outcome  interpret.Outcome
	decision Decision
	cause    error // of the stop, if it has one
}

func (l *Loop) newCall(ctx context.Context, req interpret.Request) *call {
	c := &call{
		loop: l, policy: l.Policy.filled(), server: l.server(), ctx: ctx, began: time.Now(), request: req,
		spent: make(map[interpret.Remedy]int), after: make(map[interpret.Kind]int), by: make(map[string]int),
	}
	c.can = func(r interpret.Remedy) bool { return l.Remedies[r] != nil }
	switch m, inside := markOf(ctx, c.server); {
	case !inside:
		c.server.Deposit()
	case m.remedy:
		c.owner = m.call
		c.policy.Attempts, c.policy.Sends = remedyAttempts, m.call.policy.Sends
		c.policy.TimeBudget = 0 // the owner's bounds ctx already
		c.can = func(interpret.Remedy) bool { return false }
	default:
		c.nested, c.meta = true, m.meta
		c.can = func(interpret.Remedy) bool { return false }
	}
	return c
}

// remedyAttempts is how often a remedy may send one request: a blip in a handshake should not cost the call.
const remedyAttempts = 2

// count counts one send, into the call that this one is part of too.
func (c *call) count() {
	c.sends.Add(1)
	if c.owner != nil {
		c.owner.count()
	}
}

// counted returns the sends so far without the rounds, of the whole call that this one is part of.
func (c *call) counted() int {
	if c.owner != nil {
		return c.owner.counted()
	}
	return int(c.sends.Load() - c.rounds.Load())
}

// deadline returns the earlier of the caller's deadline and the end of the time budget; zero is none.
func (c *call) deadline() time.Time {
	d, ok := c.ctx.Deadline()
	if end := c.budgetEnd(); !end.IsZero() && (!ok || end.Before(d)) {
		return end
	}
	return d
}

func (c *call) budgetEnd() time.Time {
	if c.policy.TimeBudget <= 0 {
		return time.Time{}
	}
	return c.began.Add(c.policy.TimeBudget + c.asked)
}

// bounded returns a context that ends with the time budget.
func (c *call) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if end := c.budgetEnd(); !end.IsZero() {
		return context.WithDeadline(ctx, end)
	}
	return ctx, func() {}
}

func (c *call) state() State {
	s := State{
		Now: time.Now(), Deadline: c.deadline(), Nested: c.nested, Attempt: len(c.attempts) + 1, Sends: c.counted() + int(c.rounds.Load()),
		NotBefore: c.server.NotBefore(), Tokens: new(c.server.Tokens()), Vouched: c.vouched(),
		Can: c.can, Spent: c.spent, After: c.after, By: c.by, Rand: c.chance,
	}
	if c.ctx.Err() != nil {
		s.Done = context.Cause(c.ctx)
	}
	return s
}

// vouched asks about what was really sent: a sender may have changed the request that it was given, and a remedy that of the next attempt.
func (c *call) vouched() bool { return c.loop.Vouch != nil && c.loop.Vouch(c.exchange.Request) }

func (c *call) chance() float64 {
	if c.loop.Rand != nil {
		return c.loop.Rand()
	}
	return rand.Float64()
}

func (c *call) read(x interpret.Exchange) interpret.Outcome {
	read := c.loop.Read
	if read == nil {
		read = interpret.Reply
	}
	return read(x).ScrubbedBy(c.scrubber())
}

// scrubber is what takes out the credentials that the call goes out with now.
func (c *call) scrubber() *interpret.Scrubber { return c.secrets.With(c.loop.secrets()) }

// begin starts an attempt and returns its context.
func (c *call) begin(ctx context.Context) (context.Context, Attempt) {
	r := &c.request
	a := Attempt{
		Number: len(c.attempts) + 1, Transport: r.Transport, Method: r.Method, Target: target(r, c.scrubber()), Version: r.Version,
		Remedy: c.remedy, Waited: c.waited, Began: time.Now(),
	}
	c.count()
	return c.observeStart(c.marked(ctx, false, c.meta), a), a
}

// end judges what came back for an attempt.
func (c *call) end(ctx context.Context, a Attempt, x interpret.Exchange) {
	a.Took = time.Since(a.Began)
	c.judge(x)
	o := &c.outcome
	a.Kind, a.Origin, a.Ran, a.Code, a.HasCode, a.Status, a.Decision = o.Kind, o.Origin, o.Ran, o.Code, o.HasCode, o.Status, c.decision
	a.Version = cmp.Or(c.settled(), a.Version)
	if f := x.Failure; f != nil && o.Origin == interpret.OriginClient {
		a.Failure = cmp.Or(f.What, interpret.FailedReset)
	}
	c.attempts = append(c.attempts, a)
	c.observeEnd(ctx, a)
}

// settled returns the version that an attempt went out in, or that it has agreed on: who opens a session knows none before. A version that
// we do not speak is a server's word, and none.
func (c *call) settled() string {
	if c.outcome.Kind == interpret.OK && c.outcome.Version != "" {
		return c.outcome.Version
	}
	return c.exchange.Request.Version
}

func (c *call) judge(x interpret.Exchange) {
	if x.Request.Method == "" && x.Request.HTTPMethod == "" {
		x.Request = c.request
	}
	c.exchange, c.outcome = x, c.read(x)
	if forAll(&c.outcome) {
		c.server.Hold(time.Now().Add(min(c.outcome.RetryAfter, c.policy.HintCap)))
	}
	s := c.state()
	s.Final = x.Failure != nil && isFinal(x.Failure.Err)
	c.decision = c.policy.Decide(x.Request, c.outcome, s)
}

// forAll reports whether a reply asks every call to its server to wait. A delay in the data of an error is the word of one
// request, often of one tool, unless the status says that the server as a whole is throttled or down.
func forAll(o *interpret.Outcome) bool {
	if o.RetryAfter <= 0 || o.Kind != interpret.RateLimited && o.Kind != interpret.Unavailable {
		return false
	}
	return !o.HasCode || o.Status == http.StatusTooManyRequests || o.Status == http.StatusServiceUnavailable
}
