package retry

import "github.com/mcperr/mcperr/interpret"

// Names for what the host does in answer to a reply that calls for none of [interpret.Remedies].
// They name functions, in [Loop.Remedies] and [State.Spent]; no [interpret.Outcome] carries them.
const (
	AnswerInput interpret.Remedy = "answer_input" // answer the inputRequests of input_required
	OpenURL     interpret.Remedy = "open_url"     // have a person visit the pages of url_elicitation
)

// fixFor returns the function to call before a resend, "" if none is called for.
func fixFor(a Action, o *interpret.Outcome) interpret.Remedy {
	if a != Retry && a != Ask {
		return ""
	}
	if o.Remedy == "" && a == Ask {
		switch o.Kind {
		case interpret.InputRequired:
			return AnswerInput
		case interpret.URLElicitation:
			return OpenURL
		}
	}
	return o.Remedy
}

// asksPerson reports whether carrying it out waits for a person, so that the call's clock stands still.
func asksPerson(r interpret.Remedy) bool {
	return r == interpret.Authorize || r == AnswerInput || r == OpenURL
}

// paced reports whether a resend with this remedy is spread out like a plain one, for nothing was mended that would
// make an immediate one succeed.
func paced(r interpret.Remedy) bool {
	return r == "" || r == interpret.Resume || r == interpret.EchoState
}

// budgeted reports whether a resend with this remedy is taken from the server's budget. Those that send a mended
// request are not: each remedy is bounded by itself, and a lost session must not starve the calls that wait for the new one.
func budgeted(r interpret.Remedy) bool { return r == "" || r == interpret.Resume }

// amends reports whether the remedy changes the request. New tools change the headers that were made from the old ones;
// a call of a tool that is not there stays what it was.
func amends(r interpret.Remedy, o *interpret.Outcome) bool {
	return r != interpret.RefreshTools || o.Kind == interpret.HeaderMismatch
}

// needed reports whether the resend is pointless without the remedy: what only the host or a person can mend does not pass with time.
func needed(o *interpret.Outcome) bool {
	f := o.Fixer()
	return f == interpret.FixedByHost || f == interpret.FixedByPerson
}

// brokenFix returns why the remedy cannot be carried out, "" if it can or if there is none to carry out.
// A remedy that cannot be carried out and is not needed is dropped; its resend counts as a plain one.
func (j *judgement) brokenFix() (why string) {
	switch {
	case j.fix == "":
		return ""
	case !j.state.can(j.fix):
		why = "nobody here can carry out " + string(j.fix)
	case j.belowFloor():
		why = "the server speaks no version that the policy allows"
	case j.spent():
		why = string(j.fix) + " was carried out in this call already"
	default:
		return ""
	}
	if j.action == Retry && !needed(j.outcome) {
		j.fix = ""
	}
	return why
}

// spent reports whether the remedy was carried out as often as one call allows: once, but for these.
func (j *judgement) spent() bool {
	s := j.state
	switch j.fix {
	case interpret.EchoState, AnswerInput, OpenURL:
		return s.rounds() >= j.policy.InputRounds
	case interpret.Resume:
		return s.Spent[j.fix] >= j.policy.Resumes
	case interpret.Authorize:
		if j.outcome.Kind == interpret.InsufficientScope {
			return s.Spent[j.fix] >= j.policy.ScopeRounds+s.After[interpret.Unauthorized] // a first sign-in is no wider scope
		}
	}
	return s.Spent[j.fix] >= 1
}

// belowFloor reports whether the remedy is an agreement on a version, and none that the policy allows is to be had.
func (j *judgement) belowFloor() bool {
	switch j.fix {
	case interpret.Initialize:
		return !j.policy.AllowsVersion(lastHandshake)
	case interpret.Renegotiate:
		for _, v := range j.outcome.Supported {
			if j.policy.AllowsVersion(v) {
				return false
			}
		}
		return len(j.outcome.Supported) > 0
	}
	return false
}

// lastHandshake is the newest version that a handshake settles on.
const lastHandshake = interpret.Version20251125
