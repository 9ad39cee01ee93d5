package retry

import (
	"slices"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// The defaults of a [Policy].
const (
	DefaultAttempts    = 4                      // one and three resends: a fault that outlives some four seconds of backoff is no blip
	DefaultSends       = 8                      // attempts and the handshakes, lists and sign-ins of remedies: twice the attempts
	DefaultScopeRounds = 3                      // read, write, admin: a server that asks for more scopes one by one is not going to stop
	DefaultInputRounds = 8                      // a form in several pages is real, an endless one is an attack on the user's patience
	DefaultResumes     = 3                      // a stream that breaks as often as that will not come to its end
	DefaultFirstDelay  = 500 * time.Millisecond // over a round trip, under what a person notices
	DefaultTopDelay    = 30 * time.Second       // above it a model's turn has been lost anyway
	DefaultHintCap     = 60 * time.Second       // a longer wish is the host's to plan with, not ours to sleep on
	DefaultDeposit     = 0.2                    // at most one resend in five first attempts over time: an outage is not made a fifth worse
	DefaultBurst       = 10                     // resends on credit: a quiet client recovers from a blip at once
)

// Policy says what to do about a fault, and how often and how long.
// The zero value and nil are the default policy, and so is the zero value of each member; a negative member counts as zero.
// A Policy is plain data: it is not changed by use and safe for concurrent use.
// Its JSON form has the members in lower camel case, durations as strings like "1.5s": see [ParsePolicy].
type Policy struct {
	Floor       string        // oldest protocol version that may be negotiated, as "2025-03-26"; "" is any
	Attempts    int           // times one request is sent unamended in one call, the first included; 1 is no plain resend
	Sends       int           // all sends of one call, those of its remedies included, rounds of input beyond; 1 is no resend at all
	ScopeRounds int           // sign-ins for a wider scope in one call
	InputRounds int           // rounds of input, echoed state and visited pages in one call; what one round may ask for, whoever answers it bounds: package client at 16 things
	Resumes     int           // times that a broken stream is taken up again in one call
	FirstDelay  time.Duration // ceiling of the first wait; it doubles with each plain resend
	TopDelay    time.Duration // ceiling of any wait that no server asked for
	HintCap     time.Duration // longest wish of a server that is slept on, and longest that one reply holds its server for all calls
	TimeBudget  time.Duration // attempts, waits and remedies of one call, the time a person is asked excepted; 0 is the caller's deadline alone
	Deposit     float64       // what each first attempt adds to its server's budget, of which a plain resend takes 1; read by NewServer only: a given Server has its own
	Burst       float64       // what a server's budget holds at most, and at first; read by NewServer only: a given Server has its own
	Rules       []Rule        // first match wins; no match: the kind's row of [Defaults]
}

// DefaultPolicy returns a policy with each default filled in, for hosts that want to change some. It has no rules.
func DefaultPolicy() *Policy {
	p := new(Policy).filled()
	return &p
}

// With returns a copy of the policy that tries these rules, in their order, before those it has.
// So that a host can overrule what it was configured with, rules that contradict each other are no error here, as they are in [ParsePolicy]:
// the first that matches wins.
func (p *Policy) With(rules ...Rule) *Policy {
	var c Policy
	if p != nil {
		c = *p
	}
	c.Rules = slices.Concat(rules, c.Rules)
	return &c
}

// AllowsVersion reports whether a protocol version is not below the floor. Versions are dates and are compared as text.
func (p *Policy) AllowsVersion(version string) bool { return p == nil || version >= p.Floor }

// filled returns the policy with a default for every member that has none of its own. Rules are shared, not copied.
func (p *Policy) filled() Policy {
	var c Policy
	if p != nil {
		c = *p
	}
	positive(&c.Attempts, DefaultAttempts)
	positive(&c.Sends, DefaultSends)
	positive(&c.ScopeRounds, DefaultScopeRounds)
	positive(&c.InputRounds, DefaultInputRounds)
	positive(&c.Resumes, DefaultResumes)
	positive(&c.FirstDelay, DefaultFirstDelay)
	positive(&c.TopDelay, DefaultTopDelay)
	positive(&c.HintCap, DefaultHintCap)
	positive(&c.TimeBudget, 0)
	positive(&c.Deposit, DefaultDeposit)
	positive(&c.Burst, DefaultBurst)
	return c
}

func positive[T int | float64 | time.Duration](v *T, otherwise T) {
	if !(*v > 0) { // not a NaN either
		*v = otherwise
	}
}

// rule returns the first rule that matches, nil if none does.
func (p *Policy) rule(req *interpret.Request, o *interpret.Outcome) *Rule {
	for i := range p.Rules {
		if p.Rules[i].matches(req, o) {
			return &p.Rules[i]
		}
	}
	return nil
}
