package interpret

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// secret is a value that a host has named, and knows it in whatever way a server writes it.
type secret struct {
	text    string
	anchor  string         // the longest part that no encoder changes; "": there is none
	written *regexp.Regexp // every way to write it; nil: as it is
}

const (
	shortestSecret = 4    // bytes of a value that a host can register: a shorter one stands in every other word
	mostSpelled    = 2048 // characters of a secret that are written in several ways; of one with more only the raw form is known
)

func newSecret(text string) secret {
	s := secret{text: text}
	var pattern strings.Builder
	spelt, run := 0, 0
	for i, r := range text {
		if letter(r) {
			pattern.WriteRune(r)
			if run++; run > len(s.anchor) {
				s.anchor = text[i+1-run : i+1]
			}
			continue
		}
		run = 0
		spelt++
		pattern.WriteString(spellings(r))
	}
	switch {
	case spelt == 0:
	case spelt > mostSpelled || !utf8.ValidString(text):
		s.anchor = text
	default:
		s.written = regexp.MustCompile(pattern.String())
	}
	return s
}

// letter reports whether every encoder leaves the character as it is.
func letter(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}

func (s *secret) redact(text string) string {
	switch {
	case !strings.Contains(text, s.anchor):
		return text
	case s.written == nil:
		return strings.ReplaceAll(text, s.text, redacted)
	}
	return s.written.ReplaceAllLiteralString(text, redacted)
}

// shortNames are the characters that JSON, Go and HTML have shorter names for.
var shortNames = map[rune]string{
	'\n': `\\+n`, '\r': `\\+r`, '\t': `\\+t`, '\b': `\\+b`, '\f': `\\+f`, ' ': `\+`,
	'&': `&(?:amp;)+`, '<': `&(?:amp;)*lt;`, '>': `&(?:amp;)*gt;`, '"': `&(?:amp;)*quot;`, '\'': `&(?:amp;)*apos;`,
}

// spellings returns a pattern of the ways to write a character: behind backslashes or not, by its number in JSON, in Go, in a URL and in HTML,
// and all that once more by another encoder.
func spellings(r rune) string {
	var units, octets, hexes strings.Builder
	for _, u := range utf16.AppendRune(nil, r) {
		fmt.Fprintf(&units, `\\+u(?i:%04x)`, u)
	}
	for _, b := range []byte(string(r)) {
		fmt.Fprintf(&octets, `%%(?:25)*(?i:%02x)`, b)
		fmt.Fprintf(&hexes, `\\+x(?i:%02x)`, b)
	}
	ways := []string{
		`\\*` + regexp.QuoteMeta(string(r)), units.String(), octets.String(), hexes.String(),
		fmt.Sprintf(`\\+U(?i:%08x)`, r), fmt.Sprintf(`&(?:amp;)*#(?:0*%d|[xX]0*(?i:%x));`, r, r),
	}
	if n, ok := shortNames[r]; ok {
		ways = append(ways, n)
	}
	return "(?:" + strings.Join(ways, "|") + ")"
}

// longestFirst is the order in which secrets are looked for: one may be a part of another.
func longestFirst(a, b secret) int {
	return cmp.Or(len(b.text)-len(a.text), strings.Compare(a.text, b.text))
}

// together returns both lists as one, in order, each secret once.
func together(a, b []secret) []secret {
	all := slices.Concat(a, b)
	slices.SortFunc(all, longestFirst)
	return slices.CompactFunc(all, func(a, b secret) bool { return a.text == b.text })
}
