package retry

import (
	"fmt"

	"github.com/mcperr/mcperr/interpret"
)

// gate is one thing that can keep a call from being sent again.
type gate struct {
	name string
	ask  func(*judgement) (stop Stop, says string) // "" lets it pass; says is a sentence either way
}

// gates in their order: what ends the call for good first, what a later moment might change last.
var gates = []gate{
	{"context", contextGate},
	{"sender", finalGate},
	{"action", actionGate},
	{"replay safety", safetyGate},
	{"owner", ownerGate}, // this and the next three: attempts
	{"remedy", remedyGate},
	{"attempts", attemptsGate},
	{"sends", sendsGate},
	{"hint", hintGate},
	{"budget", budgetGate},
	{"deadline", deadlineGate},
}

// lateGates are asked once more after a remedy, which took time and sends.
var lateGates = []gate{{"context", contextGate}, {"sends", sendsGate}, {"deadline", deadlineGate}}

func contextGate(j *judgement) (Stop, string) {
	if j.state.Done != nil {
		return StopContext, "the caller gave up"
	}
	return "", "the caller still waits"
}

func actionGate(j *judgement) (Stop, string) {
	switch {
	case j.action == Retry:
		return "", "a resend was chosen"
	case j.action == Ask && j.fix != "" && j.state.can(j.fix):
		return "", "a person can be asked here, by " + string(j.fix)
	case j.action == Ask:
		return StopAction, "a person has to be asked, and nobody here can do so"
	}
	return StopAction, fmt.Sprintf("%s ends the call", j.action)
}

// safetyGate reads the reply's leave, never whether it ran, save that a remedy's leave without the remedy is that of a
// reply which may have been acted on. README.md, "What a reply means", says when a resend is safe.
func safetyGate(j *judgement) (Stop, string) {
	req, o := j.request, j.outcome
	if req.Method == "" && req.HTTPMethod != "GET" && !(req.HTTPMethod == "DELETE" && o.Leave == interpret.LeaveAlways) {
		return StopUnsafe, "what was sent is no request that could be repeated"
	}
	if req.IsNotification() && !(o.Kind == interpret.SessionLost && j.fix == interpret.Reinitialize) {
		return StopUnsafe, "a notification is not sent again"
	}
	switch o.Leave {
	case interpret.LeaveAlways:
		return "", "it did not run, or the protocol asks for the resend"
	case interpret.LeaveRemedy:
		if j.fix != "" && j.broken == "" && amends(j.fix, o) {
			return "", "the remedy changes the request"
		}
		stop, says := repeatable(j)
		if o.Ran == interpret.RanYes {
			stop, says = StopUnsafe, "it ran"
		}
		if stop != "" && j.broken != "" {
			says = j.broken + "; without that, " + says
		}
		return stop, says
	case interpret.LeaveRepeatable:
		return repeatable(j)
	}
	return StopUnsafe, "the reply gives no leave to send it again"
}

func repeatable(j *judgement) (Stop, string) {
	switch {
	case j.request.Repeatable():
		return "", "it may run twice by the protocol"
	case j.state.Vouched && j.request.Method == "tools/call":
		return "", "the host vouches that the tool may run twice"
	}
	return StopUnsafe, "it may have run, and nobody vouches that it may run twice"
}

func ownerGate(j *judgement) (Stop, string) {
	if j.state.Nested {
		return StopNested, "an outer loop owns this call and decides about a resend"
	}
	return "", "this loop owns the call"
}

func remedyGate(j *judgement) (Stop, string) {
	switch {
	case j.fix == "":
		return "", "no remedy is carried out"
	case j.broken != "":
		return StopRemedy, j.broken
	}
	return "", string(j.fix) + " can be carried out"
}

func attemptsGate(j *judgement) (Stop, string) {
	s, most := j.state, j.policy.Attempts
	if j.fix == "" && s.plain() >= most {
		return StopAttempts, fmt.Sprintf("it was sent %d times, of %d", s.plain(), most)
	}
	if most := j.outcome.Tries; most > 0 && s.After[j.outcome.Kind] >= most {
		return StopAttempts, fmt.Sprintf("resends after a reply of this kind: %d made, of %d", s.After[j.outcome.Kind], most)
	}
	if j.rule != nil && j.rule.Tries > 0 && s.By[j.name] >= j.rule.Tries {
		return StopAttempts, fmt.Sprintf("resends by this rule: %d made, of %d", s.By[j.name], j.rule.Tries)
	}
	return "", fmt.Sprintf("attempt %d of %d", s.plain(), most)
}

// sendsGate leaves the rounds out that the server itself asked for: they have a bound of their own.
func sendsGate(j *judgement) (Stop, string) {
	sent := j.state.sends() - j.state.rounds()
	if sent >= j.policy.Sends {
		return StopSends, fmt.Sprintf("requests sent for this call: %d, of %d", sent, j.policy.Sends)
	}
	return "", fmt.Sprintf("requests sent for this call: %d, of %d", sent, j.policy.Sends)
}

func hintGate(j *judgement) (Stop, string) {
	switch {
	case j.wish <= 0:
		return "", "the server asks for no wait"
	case j.wish > j.policy.HintCap:
		return StopHint, fmt.Sprintf("the server asks for %v, more than the %v that are waited", j.wish, j.policy.HintCap)
	}
	return "", fmt.Sprintf("the server asks for %v", j.wish)
}

func budgetGate(j *judgement) (Stop, string) {
	switch {
	case !budgeted(j.fix):
		return "", "a mended request is not taken from the budget"
	case j.state.Tokens == nil:
		return "", "the budget is full"
	case *j.state.Tokens < 1:
		return StopBudget, "the server has had its share of resends for now"
	}
	return "", fmt.Sprintf("%.1f resends are left", *j.state.Tokens)
}

func deadlineGate(j *judgement) (Stop, string) {
	if j.state.Deadline.IsZero() {
		return "", "there is no deadline"
	}
	left := j.state.Deadline.Sub(j.state.Now)
	if j.delay >= left {
		return StopDeadline, fmt.Sprintf("a wait of %v does not fit into the %v that are left", j.delay, max(left, 0))
	}
	return "", fmt.Sprintf("a wait of %v fits into the %v that are left", j.delay, left)
}
