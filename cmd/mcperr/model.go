package main

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/mcperr/mcperr/cmd/mcperr/internal/input"
	"github.com/mcperr/mcperr/retry"
)

// forModel returns what a model reads of a reply if nothing more is sent. A name that was assumed is none of the model's.
func (a *analysis) forModel(r *input.Reply) string {
	answer := retry.Answer{Outcome: a.outcome, Decision: a.decision, Exchange: r.Exchange, Vouched: a.vouched}
	if !a.named {
		answer.Exchange.Request.Target = ""
	}
	return answer.ForModel()
}

// model prints what a model reads, and nothing else on the output. What does not print is shown as an escape: the text of a fault has
// none of it, a result may.
func (e *env) model(r *input.Reply, a *analysis, i, of int) {
	if of > 1 {
		if i > 0 {
			fmt.Fprintln(e.out)
		}
		fmt.Fprintln(e.out, e.style(dim, "--- "+clean(r.ID, e.width)))
	}
	if a.decision.Action == retry.Retry {
		fmt.Fprintln(e.err, "mcperr: a model reads nothing yet, for it is sent again; if every attempt ends so, it reads this:")
	}
	var b strings.Builder
	for _, c := range a.forModel(r) {
		if c == '\n' || unicode.IsPrint(c) {
			b.WriteRune(c)
		} else {
			fmt.Fprintf(&b, `\u%04x`, c)
		}
	}
	fmt.Fprintln(e.out, b.String())
}
