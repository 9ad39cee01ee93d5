package interpret

import (
	"regexp"
	"strings"
	"unicode"
)

// terminalCodes are the sequences that steer a terminal (ECMA-48): CSI, the strings OSC, DCS, SOS, PM and APC, and two-character escapes.
// They go whole, for their remainders would read as text.
var terminalCodes = regexp.MustCompile(
	`(?:\x1b\[|\x{9b})[0-?]*[ -/]*[@-~]?` +
		`|(?:\x1b[\]PX^_]|[\x{90}\x{98}\x{9d}\x{9e}\x{9f}])[^\x07\x1b\x{9c}]*(?:\x07|\x1b\\|\x{9c})?` +
		`|\x1b[ -/]*[0-~]?`)

const mostIndent = 8 // spaces that stay before a line

// clean returns s as a reader sees it: valid UTF-8, line feeds as the only control characters, nothing that is invisible or that changes
// the place or direction of its neighbours, no blank lines, no runs of spaces but before a line.
func clean(s string) string {
	if strings.ContainsAny(s, "\x1b\u0090\u0098\u009b\u009d\u009e\u009f") {
		s = terminalCodes.ReplaceAllString(s, "")
	}
	s = strings.Map(visible, s)
	var b strings.Builder
	for line := range strings.SplitSeq(s, "\n") {
		text := strings.TrimLeft(line, " ")
		indent := min(len(line)-len(text), mostIndent)
		if text = strings.Join(strings.Fields(text), " "); text == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString(line[:indent])
		b.WriteString(text)
	}
	return b.String()
}

// visible maps line ends to a line feed, spaces of every width to a plain one, and what cannot be seen to nothing.
func visible(r rune) rune {
	switch {
	case r >= ' ' && r < 0x7f:
		return r
	case r == '\n' || r == '\r' || r == '\v' || r == '\f' || r == 0x85 || r == 0x2028 || r == 0x2029:
		return '\n'
	case r == '\t' || unicode.Is(unicode.Zs, r):
		return ' '
	case !unicode.IsGraphic(r) || unicode.Is(unseen, r):
		return -1 // controls, formats (bidi, joiners, tags), surrogates, private use, unassigned
	}
	return r
}

// unseen are the characters that Unicode calls graphic and nobody sees: fillers, selectors of variants, the empty Braille cell, the
// grapheme joiner.
var unseen = &unicode.RangeTable{
	R16: []unicode.Range16{
		{0x034f, 0x034f, 1}, {0x115f, 0x1160, 1}, {0x17b4, 0x17b5, 1}, {0x180b, 0x180f, 1}, {0x2800, 0x2800, 1},
		{0x3164, 0x3164, 1}, {0xfe00, 0xfe0f, 1}, {0xffa0, 0xffa0, 1},
	},
	R32: []unicode.Range32{{0xe0100, 0xe01ef, 1}},
}
