package retry

import (
	"fmt"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// Decide says what happens after a reply. It is pure: time, chance and the state of the call are in its arguments.
//
// The first rule that matches chooses the action, else the kind's row of [Defaults]. If that is to send again, the gates
// follow, each of which can stop it and none of which a rule can pass by: the caller gave up → the sender did → the action → replay
// safety → attempts, with owner, remedies and sends → a wish over the cap → the budget → the deadline. A stopped Retry is Surface on
// a model call and Abort on any other request, the remedy staying in the decision; a stopped Ask stays Ask, and final.
func (p *Policy) Decide(req interpret.Request, o interpret.Outcome, s State) Decision {
	return p.judge(&req, &o, &s, nil)
}

// Explain returns how [Policy.Decide] comes to its decision, a line a step: the choice, each gate that was asked, the end.
// It is for people: the lines are no stable format. They hold no text of the server.
func (p *Policy) Explain(req interpret.Request, o interpret.Outcome, s State) []string {
	var lines []string
	d := p.judge(&req, &o, &s, func(what, says string) { lines = append(lines, what+": "+says) })
	end := "decision: " + d.Action.String()
	if d.Remedy != "" {
		end += ", remedy " + string(d.Remedy)
	}
	if d.Delay > 0 {
		end += fmt.Sprintf(", delay %v", d.Delay)
	}
	return append(lines, end)
}

// judgement is one run of Decide: what is asked, what was chosen, and what the gates see.
type judgement struct {
	policy  Policy // filled
	request *interpret.Request
	outcome *interpret.Outcome
	state   *State
	rule    *Rule // nil: the default row chose
	name    string

	action Action
	fix    interpret.Remedy // the function to call before a resend, "" for none
	broken string           // why fix cannot be called; "" if it can, or if there is none
	wish   time.Duration    // how long this reply asks to wait; what others asked for is a delay and ends no call
	delay  time.Duration
}

func (p *Policy) judge(req *interpret.Request, o *interpret.Outcome, s *State, say func(what, says string)) Decision {
	if say == nil {
		say = func(string, string) {}
	}
	j := judgement{policy: p.filled(), request: req, outcome: o, state: s}
	d := Decision{Remedy: o.Remedy}
	d.Reason = j.choose()
	d.Action, d.Rule = j.action, j.name
	say("choice", fmt.Sprintf("%s by %s: %s", j.action, j.name, d.Reason))
	if d.Action == Proceed {
		return d
	}

	j.fix = fixFor(d.Action, o)
	j.broken = j.brokenFix()
	j.wish = o.RetryAfter
	j.delay = j.wait()
	for _, g := range gates {
		stop, says := g.ask(&j)
		say("gate "+g.name, says)
		if stop == "" {
			continue
		}
		d.Stop, d.Delay = stop, j.wish
		if stop == StopDeadline {
			d.Delay = j.delay
		}
		if stop != StopAction {
			d.Reason = says
		}
		d.Action = stopped(d.Action, req)
		return d
	}
	d.Delay = j.delay
	if j.fix == "" && d.Action == Retry {
		d.Remedy = "" // it cannot be carried out and is not needed
	}
	return d
}

// choose finds the action and returns its reason.
func (j *judgement) choose() (reason string) {
	row := defaultRow(j.outcome)
	j.name, j.action, reason = "default/"+j.outcome.Kind.String(), row.Action, row.Says
	if row.Action != Proceed { // a result is no fault, and rules are about faults
		if j.rule = j.policy.rule(j.request, j.outcome); j.rule != nil {
			j.name, j.action, reason = j.rule.String(), j.rule.action(), "a rule of the host says so"
		}
	}
	if j.action == Surface && !j.request.ModelCall() {
		j.action = Abort // no model is waiting for it
	}
	return reason
}

// stopped returns what an action comes to when a gate stopped it.
func stopped(a Action, req *interpret.Request) Action {
	switch {
	case a != Retry:
		return a
	case req.ModelCall():
		return Surface
	}
	return Abort
}
