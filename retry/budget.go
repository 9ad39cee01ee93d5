package retry

import (
	"cmp"
	"math"
	"sync"
	"time"
)

// Server is what all calls to one server share: the budget of resends, and the time before which the server asked for no request.
// The zero value has a full budget of the default size. It is safe for concurrent use and must not be copied after first use.
//
// The budget is a bucket that holds the burst and starts full: a first attempt puts the deposit in, a plain resend takes 1
// out, and without a whole 1 none is made. So an outage adds at most deposit × first attempts + burst requests.
type Server struct {
	mu        sync.Mutex
	deposit   millionths // 0: DefaultDeposit
	burst     millionths // 0: DefaultBurst
	missing   millionths // from the burst
	notBefore time.Time
	held      time.Duration // how long that was, when it was asked
	waiting   int           // first attempts that are held until then
}

// millionths of a token: five fifths are a whole one.
type millionths int64

const token millionths = 1_000_000

func tokens(f float64) millionths { return millionths(math.Round(min(f, 1e9) * float64(token))) }

// NewServer returns a server with a full budget of the policy's size; nil is the default policy.
func (p *Policy) NewServer() *Server {
	f := p.filled()
	return &Server{deposit: max(tokens(f.Deposit), 1), burst: max(tokens(f.Burst), 1)}
}

// size returns the burst.
func (s *Server) size() millionths { return cmp.Or(s.burst, tokens(DefaultBurst)) }

// Tokens returns the resends that are left, in parts too.
func (s *Server) Tokens() float64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return float64(s.size()-s.missing) / float64(token)
}

// Deposit puts in what one first attempt is worth. A [Loop] does so by itself.
func (s *Server) Deposit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.missing = max(s.missing-cmp.Or(s.deposit, tokens(DefaultDeposit)), 0)
}

// Withdraw takes 1 out for a plain resend, and reports whether it was there. A [Loop] does so by itself.
func (s *Server) Withdraw() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.missing+token > s.size() {
		return false
	}
	s.missing += token
	return true
}

// NotBefore returns the time before which the server wants no request; it may be past, and is zero if it never asked.
// A call waits for it no longer than its policy's HintCap, and is never ended by it.
func (s *Server) NotBefore() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.notBefore
}

// Hold keeps every call to the server back until then, if that is later than what was asked before. A [Loop] does so where a
// 429 or a 503 names a delay, for at most its policy's HintCap; a delay in the data of any other error is left to its own call.
func (s *Server) Hold(until time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if until.After(s.notBefore) {
		s.notBefore, s.held = until, time.Until(until)
	}
}

// crowd is over how long each first attempt that waits stretches their return: a hundred that were held together come back
// over five seconds, not in the one moment that the server named.
const crowd = 50 * time.Millisecond

// join counts a first attempt that waits, and returns over how long those that wait should come back: never longer than
// they were held.
func (s *Server) join() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting++
	return min(time.Duration(s.waiting)*crowd, s.held)
}

func (s *Server) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting--
}
