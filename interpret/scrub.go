package interpret

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
)

// Scrubber takes out of a server's text what no log and no model may read. Nil and the zero value know the usual forms of credentials;
// [NewScrubber] adds values that the host names. It is immutable and safe for concurrent use.
type Scrubber struct {
	forms    []string          // in which the host's values are looked for, in longestFirst order, each once
	literals *strings.Replacer // of the forms; nil: there are none
}

const (
	redacted       = "[redacted]"
	shortestSecret = 4 // bytes of a value that a host can register: a shorter one stands in every other word
)

// NewScrubber returns a scrubber that also takes out these values, wherever they stand and however an encoder has escaped them.
// Values of fewer than four bytes are left alone.
func NewScrubber(secrets ...string) *Scrubber {
	var forms []string
	for _, s := range secrets {
		if len(s) < shortestSecret {
			continue
		}
		forms = append(forms, s, url.QueryEscape(s), url.PathEscape(s))
		for _, e := range escapes(s) {
			forms = append(append(forms, e), escapes(e)...)
		}
	}
	return scrubberOf(forms)
}

func scrubberOf(forms []string) *Scrubber {
	if len(forms) == 0 {
		return &Scrubber{}
	}
	slices.SortFunc(forms, longestFirst)
	forms = slices.Compact(forms)
	pairs := make([]string, 0, 2*len(forms))
	for _, f := range forms {
		pairs = append(pairs, f, redacted)
	}
	return &Scrubber{forms, strings.NewReplacer(pairs...)}
}

// longestFirst is the order in which forms are tried: of two that fit, one may be a part of the other.
func longestFirst(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) }

// With returns a scrubber that takes out the values of both. Neither is changed, and either may be nil.
func (s *Scrubber) With(other *Scrubber) *Scrubber {
	switch {
	case s.covers(other):
		return s
	case other.covers(s):
		return other
	}
	return scrubberOf(slices.Concat(s.forms, other.forms))
}

// covers reports whether s takes out every value that other does.
func (s *Scrubber) covers(other *Scrubber) bool {
	if other == nil || other == s {
		return true
	}
	return s != nil && !slices.ContainsFunc(other.forms, func(f string) bool {
		_, there := slices.BinarySearchFunc(s.forms, f, longestFirst)
		return !there
	})
}

// Scrub returns the text without credentials and as a reader sees it: without control characters, terminal codes, invisible characters and
// those that change the direction of writing. Line feeds stay. What it returns is valid UTF-8.
func (s *Scrubber) Scrub(text string) string { return s.Redact(clean(text)) }

// Redact returns the text with "[redacted]" in the place of credentials: user and password of a URL, values of members, headers and query
// parameters that are named like a secret, bearer and basic credentials, keys and tokens whose form is known, and what the host named.
// The rest of the text stays as it is. A credential that looks like none of these is not found.
func (s *Scrubber) Redact(text string) string {
	return redactForms(s.RedactOwn(text))
}

// RedactOwn returns the text without the values that the host named, and otherwise as it is.
func (s *Scrubber) RedactOwn(text string) string {
	if s == nil || s.literals == nil {
		return text
	}
	return s.literals.Replace(text)
}

// Line is [Scrubber.Scrub] for text that must stand on one line: it has at most n characters, and an ellipsis if there were more.
func (s *Scrubber) Line(text string, n int) string {
	const room = 16 // what is cut before is far beyond what is kept after: no credential loses its form by the cut
	text, _ = cutText(text, room*4*n+1<<10)
	text = strings.Join(strings.Fields(s.Scrub(text)), " ")
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
