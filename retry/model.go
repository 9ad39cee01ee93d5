package retry

import (
	"strings"

	"github.com/mcperr/mcperr/interpret"
)

// ModelText tells answers to a model. The zero value is ready; it must not be changed while it is in use, and is then safe for concurrent use.
//
// Of a fault the model reads one of three texts, by who can fix it (see [Fixable]): what it may change, or that
// it may change something, or that it can change nothing and what happens now. Only the first two show what the server said: as data, scrubbed, each
// line of it behind a mark that nothing in it can forge. Of a result it reads the content itself, scrubbed as well.
type ModelText struct {
	Budget       int                     // bytes of the text of a fault; 0: DefaultModelBudget
	ResultBudget int                     // bytes of the texts of a result; 0: they are not cut
	Scrub        *interpret.Scrubber     // with the host's own secrets; nil: the usual forms. What [Loop.Secrets] knows is taken out as well
	RawResults   bool                    // results are told as they came, but for the host's own secrets: for a model that writes back what it read, and would write "[redacted]"
	Check        ArgumentChecker         // asked where a server refuses arguments without naming one; nil: nobody
	Template     func(t *Telling) string // another form for faults, as in another language; nil: Telling.String. The budget holds for it too
}

// DefaultModelBudget is how many bytes the text of a fault has: some 500 tokens, enough for a validator's list and far from filling a context.
const DefaultModelBudget = 2 << 10

// ArgumentChecker checks arguments by a tool's own schema. It must be safe for concurrent use.
type ArgumentChecker interface {
	// CheckArguments returns what the schema has against the arguments (raw JSON, nil if there were none), nil if it has nothing or is not known.
	CheckArguments(tool string, arguments []byte) []interpret.Hint
}

// ForModel returns what the model reads as the result of its call, by the [Loop.Model] of the loop that made it. It is never empty
// but for a nil answer and a result that is empty itself.
func (a *Answer) ForModel() string {
	if a == nil {
		return ""
	}
	return a.model.Text(a)
}

// ModelContent is ForModel in content blocks: one of text for a fault, those of the server for a result.
func (a *Answer) ModelContent() []Content {
	if a == nil {
		return nil
	}
	return a.model.Content(a)
}

// Text returns an answer as plain text: blocks are divided by a line feed, and of an image it says in brackets what it is.
func (m *ModelText) Text(a *Answer) string {
	var parts []string
	for _, c := range m.Content(a) {
		parts = append(parts, c.String())
	}
	return strings.Join(parts, "\n")
}

// Content returns an answer in content blocks.
func (m *ModelText) Content(a *Answer) []Content {
	if m == nil {
		m = new(ModelText)
	}
	if own := a.Outcome.Scrubber(); own != nil {
		both := *m // which is the host's
		both.Scrub = m.Scrub.With(own)
		m = &both
	}
	if a.Decision.Action == Proceed {
		return m.result(a)
	}
	return []Content{{Type: "text", Text: m.fault(a)}}
}

// fault returns the text of a fault, within the budget whatever the template does.
func (m *ModelText) fault(a *Answer) string {
	budget := m.Budget
	positive(&budget, DefaultModelBudget)
	t := m.telling(a, budget)
	template := m.Template
	if template == nil {
		template = (*Telling).String
	}
	return cutEnd(strings.ToValidUTF8(template(t), "\ufffd"), budget)
}
