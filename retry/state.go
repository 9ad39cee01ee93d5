package retry

import (
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// State is what [Policy.Decide] needs to know besides the reply: the clock, chance, and how the call and its server stand.
// The zero value is a first attempt with no deadline, a full budget, a host that can carry out every remedy but
// [interpret.TryHTTPSSE] and vouches for no tool.
type State struct {
	Now       time.Time
	Deadline  time.Time // of the caller or of the time budget, the earlier; zero: none
	Done      error     // why the caller gave up; nil: he has not
	Final     bool      // the sender says that no other attempt makes sense, see [Final]
	Nested    bool      // an outer loop owns this call: it alone decides again
	Attempt   int       // attempts made in this call, the one being judged included; 0 counts as 1
	Sends     int       // everything sent in this call, by remedies too; counts as Attempt if that is more
	NotBefore time.Time // the server is held until then, see [Server.Hold]: a delay of at most HintCap; zero: it is not
	Tokens    *float64  // left in the server's budget; nil: it is full
	Vouched   bool      // the host vouches that this tool may run twice; counts for tools/call only

	Can   func(interpret.Remedy) bool // whether a remedy can be carried out; also asked for [AnswerInput] and [OpenURL]
	Spent map[interpret.Remedy]int    // remedies carried out in this call
	After map[interpret.Kind]int      // resends made in this call, by the kind they answered
	By    map[string]int              // resends made in this call, by [Decision.Rule]

	Rand func() float64 // chance in [0, 1); nil: none, the longest delay of the range and the server's wish to the letter
}

func (s *State) attempt() int { return max(s.Attempt, 1) }
func (s *State) sends() int   { return max(s.Sends, s.attempt()) }

// plain returns how often the request was sent with nothing amended, the first time included.
func (s *State) plain() int {
	n := s.attempt()
	for _, spent := range s.Spent {
		n -= spent
	}
	return max(n, 1)
}

// rounds returns the sends that the server itself asked for, its questions being answered.
func (s *State) rounds() int {
	return s.Spent[interpret.EchoState] + s.Spent[AnswerInput] + s.Spent[OpenURL]
}

func (s *State) can(r interpret.Remedy) bool {
	if s.Can == nil {
		return r != interpret.TryHTTPSSE
	}
	return s.Can(r)
}

func (s *State) chance() float64 {
	if s.Rand == nil {
		return 0
	}
	return s.Rand()
}

// Decision is what happens to a logical call after one reply. The zero value aborts.
type Decision struct {
	Action Action
	Remedy interpret.Remedy // to carry out before the resend; beside any other action, what would mend the next call
	Delay  time.Duration    // wait before the resend; if none is made, how long the server asked to wait or, at the deadline, the wait that does not fit
	Rule   string           // the rule that chose, or "default/" and the kind
	Reason string           // one sentence, without server text
	Stop   Stop             // the gate that ended the call; "" if it goes on (Retry; Ask with a function for it) or has its result (Proceed)
}

// Stop says why a call is not sent again. It is an error, so errors.Is(err, retry.StopUnsafe) reads naturally.
type Stop string

// The reasons, in the order of the gates that give them.
const (
	StopContext  Stop = "the caller gave up"
	StopFinal    Stop = "the sender says that no other attempt makes sense" // by [Final]
	StopAction   Stop = "nothing is sent again for this kind of reply"
	StopUnsafe   Stop = "a resend is not safe"
	StopNested   Stop = "an outer loop decides about a resend"
	StopAttempts Stop = "the attempts are used up"
	StopRemedy   Stop = "the remedy cannot be carried out"
	StopSends    Stop = "the sends are used up"
	StopHint     Stop = "the server asks for a longer wait than allowed"
	StopBudget   Stop = "the server's budget of resends is empty"
	StopDeadline Stop = "a resend would miss the deadline"
	StopLoop     Stop = "the model repeats a call that fails" // by a [Guard], before anything was sent
)

// Error returns the reason as a clause.
func (s Stop) Error() string { return string(s) }
