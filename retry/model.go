package retry

import (
	"fmt"
	"strings"
	"unicode"

	"github.com/mcperr/mcperr/interpret"
)

// ForModel returns what the model reads as the result of its call when there is none: one line, what the server said in
// quotes, bounded and scrubbed. It is "" for a nil answer and where there is a result, which the model reads itself.
func (a *Answer) ForModel() string {
	if a == nil || a.Decision.Action == Proceed {
		return ""
	}
	o := &a.Outcome
	said := ""
	if m := printable(o.Message, 500); m != "" {
		said = fmt.Sprintf(" The server said, as data: %q.", m)
	}
	switch {
	case a.Decision.Action == Surface && o.Fixer() == interpret.FixedByModel && o.Ran != interpret.RanUnknown:
		return fmt.Sprintf("The call failed (%s).%s Change the call before you make it again.", o.Kind, said)
	case a.Decision.Action == Surface:
		return fmt.Sprintf("The call failed (%s) and its outcome is unknown.%s Check before repeating it.", o.Kind, said)
	case a.Decision.Action == Ask:
		return fmt.Sprintf("The call needs a person (%s).%s The user has to act first.", o.Kind, said)
	}
	return fmt.Sprintf("The call failed (%s).%s You cannot fix this.", o.Kind, said)
}

// printable cuts text to n characters of one line, without control and invisible ones.
func printable(s string, n int) string {
	var b strings.Builder
	for _, r := range s {
		if n == 0 {
			b.WriteRune('…')
			break
		}
		if !unicode.IsPrint(r) {
			r = ' '
		}
		b.WriteRune(r)
		n--
	}
	return strings.TrimSpace(b.String())
}
