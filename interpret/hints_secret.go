package interpret

import (
	"regexp"
	"slices"
	"strings"
)

// hide takes out of a hint about a secret what may be the secret itself, and keeps what is told of it.
func (h *Hint) hide() {
	if h.Received != "" && !slices.Contains(jsonTypes, h.Received) {
		h.Received = redacted
	}
	const most = 4 << 10 // bytes that are read: far more than are shown
	path, _ := cutText(h.Path, most)
	for _, m := range []*string{&h.Expected, &h.Allowed, &h.Problem, &h.Suggestion} {
		*m, _ = cutText(*m, most)
		*m = hideWords(*m, path)
	}
}

var (
	bound      = regexp.MustCompile(`^(?:(?:length|items) )?(?:[<>]=?|at (?:least|most)) ?\d+(?: and [<>]=? ?\d+)?$`)
	quotedPart = regexp.MustCompile("\"[^\"]+\"|'[^']+'|`[^`]+`")
	valueWord  = regexp.MustCompile(`(?i)\b((?:value|input|got|received|given)(?: was| is|:|=)? )([^\s,;()]+)`)
)

// hideWords hides a text of one word, and of a longer one what is quoted, what is drawn, and what it calls a value.
func hideWords(s, path string) string {
	words := strings.Fields(s)
	switch {
	case len(words) == 0 || bound.MatchString(s) || slices.Contains(jsonTypes, strings.ToLower(s)):
		return s
	case len(words) == 1:
		if proseWord(s) {
			return s
		}
		return redacted
	}
	s = quotedPart.ReplaceAllStringFunc(s, func(q string) string {
		if bare := q[1 : len(q)-1]; strings.Contains(path, bare) || slices.Contains(jsonTypes, bare) {
			return q
		}
		return q[:1] + redacted + q[:1]
	})
	s = replaceGroups(valueWord, s, func(m []string) string {
		if proseWord(m[2]) || slices.Contains(jsonTypes, m[2]) || strings.Contains(m[2], redacted) {
			return m[0]
		}
		return m[1] + redacted
	})
	for _, w := range words {
		if drawn(w) {
			s = strings.ReplaceAll(s, w, redacted)
		}
	}
	return s
}
