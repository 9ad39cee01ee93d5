package interpret

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// Error is an Outcome that is a fault, as an error.
// Functions return it as error, never as *Error; every method is nil-safe.
type Error struct {
	Outcome
	Cause error // the local error below, if any
}

// messageInError bounds the quoted server message in Error, in characters.
const messageInError = 120

// causeInError bounds the text of a local error in Error, in characters.
const causeInError = 200

// factInError bounds one fact that %+v prints, in characters.
const factInError = 500

// Error returns one line: the kind, where the reply stood, a short quoted piece of the server's message, and the cause where that is
// what failed and no peer's word counts, all without credentials (see [Scrubber] and [Outcome.ScrubbedBy]).
func (e *Error) Error() string {
	if e == nil {
		return "<nil>"
	}
	var b strings.Builder
	b.WriteString(e.Kind.String())
	if e.HasCode {
		fmt.Fprintf(&b, ", code %d", e.Code)
	}
	if e.Status != 0 {
		fmt.Fprintf(&b, ", HTTP %d", e.Status)
	}
	if m := e.scrub.Line(e.Message, messageInError); m != "" {
		fmt.Fprintf(&b, ": server said %q", m)
	}
	if e.Origin != OriginServer && e.Origin != OriginGateway {
		if c := e.scrub.Cause(e.Cause, causeInError); c != "" {
			b.WriteString(": " + c)
		}
	}
	return b.String()
}

// Cause returns the text of a local error fit for a line, as [Scrubber.Line] does, "" for nil. The address that net/http puts in front
// is left out: whoever sent knows it, and any part of it may be a key.
func (s *Scrubber) Cause(err error, n int) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	if u, ok := errors.AsType[*url.Error](err); ok && u.Err != nil {
		text = strings.ReplaceAll(text, u.Error(), u.Err.Error())
	}
	return s.Line(text, n)
}

// Is reports whether target is the error's kind.
func (e *Error) Is(target error) bool {
	k, ok := target.(Kind)
	return ok && e != nil && e.Kind == k
}

// Fixer, Hints, Blocks, Said, Err, ErrCause, Scrubber and ScrubbedBy are those of the outcome, for a nil Error too, which says nothing.
func (e *Error) Fixer() Fixer          { return e.outcome().Fixer() }
func (e *Error) Hints() []Hint         { return e.outcome().Hints() }
func (e *Error) Blocks() []Block       { return e.outcome().Blocks() }
func (e *Error) Said(s *Scrubber) Said { return e.outcome().Said(s) }

func (e *Error) Err() error { return e.ErrCause(nil) }

func (e *Error) ErrCause(cause error) error {
	if e == nil {
		return nil
	}
	return e.Outcome.ErrCause(cause)
}

func (e *Error) Scrubber() *Scrubber            { return e.outcome().Scrubber() }
func (e *Error) ScrubbedBy(s *Scrubber) Outcome { return e.outcome().ScrubbedBy(s) }

func (e *Error) outcome() Outcome {
	if e == nil {
		return Outcome{}
	}
	return e.Outcome
}

// Unwrap returns the local error below, nil if there is none.
func (e *Error) Unwrap() error {
	if e == nil {
		return nil
	}
	return e.Cause
}

// Format prints Error for %v and %s, and for %+v every fact on lines of its own.
func (e *Error) Format(s fmt.State, verb rune) {
	if verb == 'q' {
		fmt.Fprintf(s, "%q", e.Error())
		return
	}
	io.WriteString(s, e.Error())
	if e == nil || verb != 'v' || !s.Flag('+') {
		return
	}
	fmt.Fprintf(s, "\n  who can fix it: %s\n  origin: %s, ran: %s, basis: %s, leave: %s", e.Fixer(), e.Origin, e.Ran, e.Basis, e.Leave)
	line := func(name string, v any, ok bool) {
		if ok { // the server's words
			fmt.Fprintf(s, "\n  %s: %s", name, e.scrub.Line(fmt.Sprint(v), factInError))
		}
	}
	line("remedy", e.Remedy, e.Remedy != "")
	line("retry after", e.RetryAfter, e.RetryAfter > 0)
	line("supported", e.Supported, e.Supported != nil)
	line("scopes", e.Scopes, e.Scopes != nil)
	line("required capabilities", e.RequiredCapabilities, e.RequiredCapabilities != nil)
	line("rules", e.Why, e.Why != nil)
	line("deviations", e.Deviations, e.Deviations != nil)
	line("cause", e.scrub.Cause(e.Cause, factInError), e.Cause != nil)
}
