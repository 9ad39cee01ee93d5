package main

import "github.com/mcperr/mcperr/fixtures"

// line is what --json prints of one reply: a corpus reading, what it is of, and the rules that fired.
type line struct {
	ID string `json:"id"`
	fixtures.Reading
	Why   []string `json:"why"`
	Model string   `json:"model,omitempty"` // only where it is asked for
}

func (a *analysis) line(id string) line {
	l := line{ID: id, Reading: fixtures.ReadingOf(a.outcome, a.decision.Action.String(), a.decision.Remedy), Why: a.outcome.Why}
	if l.Why == nil {
		l.Why = []string{}
	}
	return l
}
