// Package agent is what the example hosts have in common: a scripted model, a server whose every tool goes wrong in a way of its own,
// and what must come of that.
package agent

import (
	"fmt"
	"io"
	"strings"

	"github.com/mcperr/mcperr/retry"
)

// Call is one call that the model wants made.
type Call struct {
	ID        string
	Tool      string
	Arguments map[string]any
}

// Model stands for a model's API.
type Model struct {
	Out  io.Writer // the conversation, for people
	read string
}

// Calls is the conversation: what the model calls, given what it has read.
func (m *Model) Calls(yield func(Call) bool) {
	n := 0
	say := func(tool string, arguments map[string]any) bool {
		n++
		fmt.Fprintf(m.Out, "the model calls %s %v\n", tool, arguments)
		return yield(Call{fmt.Sprint("call_", n), tool, arguments})
	}
	date := "tomorrow"
	for range 2 {
		if !say("book", map[string]any{"date": date}) {
			return
		}
		if strings.Contains(m.read, "YYYY-MM-DD") { // a model can act on what it reads
			date = "2026-12-01"
		}
	}
	for _, tool := range []string{"quote", "weather", "pay", "report"} {
		if !say(tool, map[string]any{}) {
			return
		}
	}
}

// Result hands the model the result of a call.
func (m *Model) Result(id, text string, failed bool) {
	m.read = text
	first, _, _ := strings.Cut(text, "\n")
	fmt.Fprintf(m.Out, "  the model reads as the result of %s, failed %t: %s\n", id, failed, first)
}

// Show is the operator's view of a call: what each attempt came to, and by which rule of the policy what was done about it.
func Show(out io.Writer, a *retry.Answer) {
	for _, t := range a.Attempts {
		fmt.Fprintf(out, "  attempt %d", t.Number)
		if t.Remedy != "" {
			fmt.Fprintf(out, ", after %s", t.Remedy)
		}
		fmt.Fprintf(out, ": %s, %s by %s\n", t.Kind, t.Decision.Action, t.Decision.Rule)
	}
	fmt.Fprintf(out, "  decision: %s (%s)\n", a.Decision.Action, a.Decision.Reason)
}
