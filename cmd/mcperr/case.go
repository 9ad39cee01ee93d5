package main

import (
	"fmt"

	"github.com/mcperr/mcperr/cmd/mcperr/internal/input"
	"github.com/mcperr/mcperr/fixtures"
)

// caseOf makes a case of a reply. Its want is what was read: people check it, or else the case would prove nothing.
// What a case is about, and where it comes from, is theirs to say, too; the corpus's own tests insist on it.
func (a *analysis) caseOf(r *input.Reply, id string) fixtures.Case {
	if h := r.Exchange.Header; h != nil {
		h = h.Clone()
		h.Del("Set-Cookie")
		r.Exchange.Header = h
	}
	c := fixtures.CaseOf(r.Exchange)
	c.ID, c.Source.Kind, c.Want = id, "report", a.line(id).Reading
	return c
}

// numbered is the id of one case of several.
func numbered(id string, i, of int) string {
	if of == 1 {
		return id
	}
	return fmt.Sprintf("%s-%d", id, i+1)
}

// assumptions tells people, beside the output, what was read into an input.
func (e *env) assumptions(r *input.Reply) {
	for _, s := range r.Assumed {
		fmt.Fprintln(e.err, "mcperr: assumed", clean(s, assumedShown))
	}
}

func (e *env) cases(cases []fixtures.Case) int {
	if err := e.json(cases, "  "); err != nil {
		return e.unwritten(err)
	}
	return exitOK
}
