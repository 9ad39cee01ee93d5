package interpret

import (
	"slices"
	"strings"
)

// Scrubber takes out of a server's text what no log and no model may read. Nil and the zero value know the usual forms of credentials;
// [NewScrubber] adds values that the host names. It is immutable and safe for concurrent use.
type Scrubber struct {
	secrets []secret // in longestFirst order, each once
}

const redacted = "[redacted]"

// NewScrubber returns a scrubber that also takes out these values, wherever they stand and however an encoder has escaped them: JSON's, Go's,
// HTML's or a URL's, in part or as a whole, once, over again or one after another, and with other white space. White space around a value is
// no part of it, and values of fewer than four bytes are left alone.
func NewScrubber(secrets ...string) *Scrubber {
	s := new(Scrubber)
	for _, text := range secrets {
		if text = strings.TrimSpace(text); len(text) >= shortestSecret {
			s.secrets = append(s.secrets, newSecret(text))
		}
	}
	s.secrets = together(s.secrets, nil)
	return s
}

// With returns a scrubber that takes out the values of both. Neither is changed, and either may be nil.
func (s *Scrubber) With(other *Scrubber) *Scrubber {
	switch {
	case s.covers(other):
		return s
	case other.covers(s):
		return other
	}
	return &Scrubber{together(s.secrets, other.secrets)}
}

// covers reports whether s takes out every value that other does.
func (s *Scrubber) covers(other *Scrubber) bool {
	if other == nil || other == s {
		return true
	}
	return s != nil && !slices.ContainsFunc(other.secrets, func(c secret) bool {
		_, there := slices.BinarySearchFunc(s.secrets, c, longestFirst)
		return !there
	})
}

// Scrub returns the text without credentials and as a reader sees it: without control characters, terminal codes, invisible characters and
// those that change the direction of writing. Line feeds stay. What it returns is valid UTF-8.
func (s *Scrubber) Scrub(text string) string {
	return s.Redact(clean(s.RedactOwn(text))) // what nobody sees may part a secret of the host's, or be a part of it
}

// Redact returns the text with "[redacted]" in the place of credentials: user and password of a URL, values of members, headers and query
// parameters that are named like a secret, bearer and basic credentials, keys and tokens whose form is known, and what the host named.
// The rest of the text stays as it is. A credential that looks like none of these is not found.
func (s *Scrubber) Redact(text string) string {
	return redactForms(s.RedactOwn(text))
}

// RedactOwn returns the text without the values that the host named, and otherwise as it is.
func (s *Scrubber) RedactOwn(text string) string {
	if s == nil || len(s.secrets) == 0 {
		return text
	}
	var b strings.Builder
	done := 0
	for _, found := range spansOf(s.secrets, text) {
		b.WriteString(text[done:found.from])
		b.WriteString(redacted)
		done = found.to
	}
	if done == 0 {
		return text
	}
	return b.String() + text[done:]
}

// Line is [Scrubber.Scrub] for text that must stand on one line: it has at most n characters, and an ellipsis if there were more.
func (s *Scrubber) Line(text string, n int) string {
	const room = 16 // what is cut before is far beyond what is kept after: no credential loses its form by the cut
	text, _ = cutText(s.RedactOwn(text), room*4*n+1<<10)
	text = strings.Join(strings.Fields(s.Redact(clean(text))), " ")
	for i := range text {
		if n == 0 {
			return text[:i] + "…"
		}
		n--
	}
	return text
}

// cutText returns at most n bytes of the beginning of s, not ending inside a character, and how many bytes it left out.
func cutText(s string, n int) (string, int) {
	if len(s) <= n {
		return s, 0
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n], len(s) - n
}
