package interpret

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf16"
	"unicode/utf8"
)

// secret is a value that a host has named. It is found in whatever way a server writes it.
type secret struct {
	text    string
	anchor  string                // the longest part that no encoder changes; "": there is none
	written func() *regexp.Regexp // every way to write it, compiled once a text has the anchor, for few ever do; nil: as it is
}

const (
	shortestSecret = 4    // bytes of a value that a host can register: a shorter one stands in every other word
	mostSpelled    = 1024 // characters of a secret that are written in several ways; of one with more only the raw form is known
)

func newSecret(text string) secret {
	s := secret{text: text}
	spelt, run := 0, 0
	for i, r := range text {
		if !letter(r) {
			run = 0
			spelt++
			continue
		}
		if run++; run > len(s.anchor) {
			s.anchor = text[i+1-run : i+1]
		}
	}
	switch {
	case spelt == 0:
	case spelt > mostSpelled || !utf8.ValidString(text):
		s.anchor = text
	default:
		s.written = sync.OnceValue(func() *regexp.Regexp { return everyWay(text) })
	}
	return s
}

// everyWay returns a pattern of all ways to write a text.
func everyWay(text string) *regexp.Regexp {
	var pattern strings.Builder
	for _, r := range text {
		if letter(r) {
			pattern.WriteRune(r)
		} else {
			pattern.WriteString(spellings(r))
		}
	}
	return regexp.MustCompile(pattern.String())
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
	return s.written().ReplaceAllLiteralString(text, redacted)
}

// What encoders write characters with, as it is or by another encoder after them: a URL's by itself again, a backslash by a URL's, and the marks
// of HTML by HTML's again, JSON's and a URL's.
const (
	percent   = `%(?:25)*`
	backslash = `(?:\\|` + percent + `5[Cc])`
	semicolon = `(?:;|` + percent + `3[Bb])`
	hash      = `(?:#|` + percent + `23)`
	ampersand = `(?:&|` + backslash + `+u0026|` + percent + `26)(?:amp` + semicolon + `)*`
	plus      = `(?:\+|` + percent + `2[Bb])`
)

// shortNames are the characters that JSON, Go, HTML and URLs have shorter names for.
var shortNames = map[rune]string{
	'\n': backslash + `n`, '\r': backslash + `r`, '\t': backslash + `t`, '\b': backslash + `b`, '\f': backslash + `f`, ' ': plus,
	'&': ampersand + `amp` + semicolon, '<': ampersand + `lt` + semicolon, '>': ampersand + `gt` + semicolon,
	'"': ampersand + `quot` + semicolon, '\'': ampersand + `apos` + semicolon,
}

// spellings returns a pattern of the ways to write a character: by a short name, by its number in JSON, in Go, in a URL and in HTML, or as it
// is, each behind backslashes or not, and as any of these encoders writes what another has written.
func spellings(r rune) string {
	var units, octets, hexes []string
	for _, u := range utf16.AppendRune(nil, r) {
		units = append(units, fmt.Sprintf(`u(?i:%04x)`, u))
	}
	for _, b := range []byte(string(r)) {
		octets = append(octets, fmt.Sprintf(`%s(?i:%02x)`, percent, b))
		hexes = append(hexes, fmt.Sprintf(`x(?i:%02x)`, b))
	}
	ways := []string{
		regexp.QuoteMeta(string(r)), strings.Join(octets, ""),
		fmt.Sprintf(`%s%s(?:0*%d|[xX]0*(?i:%x))%s`, ampersand, hash, r, r, semicolon),
		backslash + `(?:` + strings.Join(units, backslash+"+") + `|` + strings.Join(hexes, backslash+"+") + fmt.Sprintf(`|U(?i:%08x))`, r),
	}
	if n, ok := shortNames[r]; ok {
		ways = append(ways, n)
	}
	return backslash + `*(?:` + strings.Join(ways, "|") + ")"
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
