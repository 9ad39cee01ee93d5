package interpret

import (
	"cmp"
	"html"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// secret is a value that a host has named. It is found as it is, and in a text from which every escape has been taken.
type secret struct {
	text   string
	bare   string // the text without escapes, as unescaped texts have it; "": no encoder changes it
	anchor string // the longest part of text that no encoder changes: what has not got it need not be unescaped
}

const (
	shortestSecret = 4 // bytes of a value that a host can register: a shorter one stands in every other word
	mostEncoders   = 8 // whose escapes are taken off one after the other
)

func newSecret(text string) secret {
	s := secret{text: text}
	if !strings.ContainsFunc(text, func(r rune) bool { return !letter(r) }) {
		return s
	}
	bare := unescaped{text: text}
	for range mostEncoders {
		if !bare.next() {
			break
		}
	}
	if len(bare.text) < shortestSecret {
		return s
	}
	s.bare = bare.text
	for run := range strings.FieldsFuncSeq(text, func(r rune) bool { return !letter(r) }) {
		if len(run) > len(s.anchor) {
			s.anchor = run
		}
	}
	return s
}

// letter reports whether every encoder leaves the character as it is.
func letter(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}

// span is a part of a text, from and up to a byte.
type span struct{ from, to int }

// inMark reports whether it lies in the mark of what was taken out before.
func (s span) inMark(text string) bool {
	if s.to-s.from > len(redacted) {
		return false
	}
	from := max(0, s.to-len(redacted))
	i := strings.Index(text[from:min(len(text), s.from+len(redacted))], redacted)
	return i >= 0 && from+i <= s.from
}

// spansOf returns where secrets stand in a text, in order, those that overlap as one.
func spansOf(secrets []secret, text string) []span {
	var found []span
	u := unescaped{text: text}
	unescape := false
	for i := range secrets {
		found = u.find(secrets[i].text, found)
		unescape = unescape || secrets[i].bare != "" && strings.Contains(text, secrets[i].anchor)
	}
	if unescape && len(text) <= math.MaxInt32 {
		for range mostEncoders {
			if !u.next() {
				break
			}
			for i := range secrets {
				found = u.find(secrets[i].text, found)
			}
		}
		for i := range secrets {
			found = u.find(secrets[i].bare, found)
		}
	}
	slices.SortFunc(found, func(a, b span) int { return cmp.Or(a.from-b.from, a.to-b.to) })
	var apart []span
	for _, s := range found {
		if s.inMark(text) {
			continue
		}
		if last := len(apart) - 1; last >= 0 && s.from < apart[last].to {
			apart[last].to = max(apart[last].to, s.to)
		} else {
			apart = append(apart, s)
		}
	}
	return apart
}

// unescaped is a text from which escapes have been taken, and where each of its bytes comes from.
type unescaped struct {
	text string
	from []int32 // nil: it is the text itself
	end  int     // of the text that it comes from
}

// find adds to found where s stands; "" stands nowhere.
func (u *unescaped) find(s string, found []span) []span {
	for at := 0; s != ""; {
		i := strings.Index(u.text[at:], s)
		if i < 0 {
			break
		}
		at += i + len(s)
		found = append(found, span{u.origin(at - len(s)), u.origin(at)})
	}
	return found
}

func (u *unescaped) origin(i int) int {
	switch {
	case u.from == nil:
		return i
	case i == len(u.from):
		return u.end
	}
	return int(u.from[i])
}

// next takes off the escapes of one encoder more, whichever it was at each place. It reports whether there were any.
func (u *unescaped) next() bool {
	if u.from == nil {
		u.end = len(u.text)
	}
	out, from := make([]byte, 0, len(u.text)), make([]int32, 0, len(u.text))
	changed := false
	for i := 0; i < len(u.text); {
		c, n := unescape(u.text[i:])
		changed = changed || c != u.text[i:i+n]
		for range len(c) {
			from = append(from, int32(u.origin(i)))
		}
		out = append(out, c...)
		i += n
	}
	if changed {
		u.text, u.from = string(out), from
	}
	return changed
}

// unescape reads what stands at the beginning of s, as JSON, Go, a URL or HTML may have escaped it, and says of how many bytes it is made.
// White space of any kind and length is one space; so is a plus sign, for URLs write a space so.
func unescape(s string) (c string, n int) {
	switch {
	case letter(rune(s[0])):
		return s[:1], 1
	case s[0] == '\\':
		return unescapeBackslash(s)
	case s[0] == '%' && len(s) > 2:
		if b, err := strconv.ParseUint(s[1:3], 16, 8); err == nil {
			return string([]byte{byte(b)}), 3
		}
	case s[0] == '&':
		const longest = 32 // bytes of a name or number that HTML has for a character
		end := 1
		for end < min(len(s), longest) && (s[end] == '#' || letter(rune(s[end]))) {
			end++
		}
		if end < len(s) && s[end] == ';' {
			if c := html.UnescapeString(s[:end+1]); c != s[:end+1] {
				return c, end + 1
			}
		}
	}
	if n := spaceLength(s); n > 0 {
		return " ", n
	}
	return s[:1], 1
}

// spaceLength returns how many bytes of white space and plus signs s begins with.
func spaceLength(s string) int {
	if i := strings.IndexFunc(s, func(r rune) bool { return r != '+' && !unicode.IsSpace(r) }); i >= 0 {
		return i
	}
	return len(s)
}

// unescapeBackslash reads \u00e9 and \u{e9}, \xc3, \U000000e9, and a backslash before one character.
func unescapeBackslash(s string) (c string, n int) {
	if len(s) == 1 {
		return s, 1
	}
	number := func(digits string, bits int) (rune, bool) {
		v, err := strconv.ParseUint(digits, 16, bits)
		return rune(v), err == nil
	}
	digits := func(n int) string { return s[2:min(len(s), 2+n)] }
	switch s[1] {
	case 'n', 'r', 't', 'f', 'v':
		return " ", 2
	case 'b':
		return "\b", 2
	case 'a':
		return "\a", 2
	case 'x':
		if v, ok := number(digits(2), 8); ok && len(digits(2)) == 2 {
			return string([]byte{byte(v)}), 4
		}
	case 'U':
		if v, ok := number(digits(8), 31); ok && len(digits(8)) == 8 {
			return string(v), 10
		}
	case 'u':
		if end := strings.IndexByte(digits(8), '}'); end > 0 && s[2] == '{' {
			if v, ok := number(s[3:2+end], 31); ok {
				return string(v), 3 + end
			}
		}
		if v, ok := number(digits(4), 16); ok && len(digits(4)) == 4 {
			if len(s) >= 12 && s[6:8] == `\u` {
				if low, ok := number(s[8:12], 16); ok && utf16.DecodeRune(v, low) != utf8.RuneError {
					return string(utf16.DecodeRune(v, low)), 12
				}
			}
			return string(v), 6
		}
	}
	_, n = utf8.DecodeRuneInString(s[1:])
	return s[1 : 1+n], 1 + n
}

// longestFirst is the order in which secrets are kept.
func longestFirst(a, b secret) int {
	return cmp.Or(len(b.text)-len(a.text), strings.Compare(a.text, b.text))
}

// together returns both lists as one, in order, each secret once.
func together(a, b []secret) []secret {
	all := slices.Concat(a, b)
	slices.SortFunc(all, longestFirst)
	return slices.CompactFunc(all, func(a, b secret) bool { return a.text == b.text })
}
