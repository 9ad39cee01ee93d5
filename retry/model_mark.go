package retry

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mcperr/mcperr/interpret"
)

// quoteMark begins every line that others wrote. A text cannot forge its own end: whatever it holds, each of its lines has the mark.
const quoteMark = "| "

// marked returns a block of at most n bytes: the head, the text with its middle cut out if it is too long, and the hints, which go first
// where there is no room for both. It is "" if there is nothing to say, or no room to say it.
func marked(head string, said interpret.Said, n int) string {
	n -= len(head)
	hints := hintLines(said.Hints, said.More, n)
	body := fitted(said, n-len(hints)) + hints
	if body == "" {
		return ""
	}
	return head + body
}

// leastLine is how many bytes a marked line must have room for: less tells nothing.
const leastLine = 24

// hintLines writes as many hints as there is room for, and how many there are beside them.
func hintLines(hints []interpret.Hint, more, n int) string {
	var b strings.Builder
	for i, h := range hints {
		line, left := markLines(hintLine(h)), n-b.Len()
		if i < len(hints)-1 || more > 0 {
			left -= leastLine // for the line that counts the rest
		}
		if len(line) > left {
			if i == 0 && n >= leastLine {
				return cutEnd(line, n)
			}
			more += len(hints) - i
			break
		}
		b.WriteString(line)
	}
	if rest := markLines(fmt.Sprintf("- and %d more", more)); more > 0 && len(rest) <= n-b.Len() {
		b.WriteString(rest)
	}
	return b.String()
}

// fitted returns the text with marks, each line behind a line feed, in at most n bytes: two thirds are its head, one its tail, and what
// was cut between them is counted.
func fitted(said interpret.Said, n int) string {
	if said.Text == "" || n < leastLine {
		return ""
	}
	if said.Cut == 0 {
		if whole := markLines(said.Text); len(whole) <= n {
			return whole
		}
	}
	for keep := n; keep > 0; keep = keep * 7 / 8 {
		head, tail, cut := ends(said, keep)
		s := markLines(head) + markLines(fmt.Sprintf("[… %d bytes cut …]", cut)) + markLines(tail)
		if len(s) <= n {
			return s
		}
	}
	return ""
}

// ends keeps so many bytes of a text, from its beginning and from its end, and not the parts of words at the cut.
func ends(said interpret.Said, keep int) (head, tail string, cut int) {
	const word = 40 // bytes that a word may have to be left out for its sake
	head, tail = said.Text, said.Tail
	if said.Cut == 0 {
		tail = head
	}
	total := len(said.Text) + len(said.Tail) + said.Cut
	if head = cutEnd(head, keep*2/3); len(head) < len(said.Text) {
		if i := strings.LastIndexAny(head, " \n"); i > len(head)-word && i > 0 {
			head = head[:i]
		}
	}
	if from := len(tail) - keep/3; from > 0 {
		for from < len(tail) && !utf8.RuneStart(tail[from]) {
			from++
		}
		if tail = tail[from:]; len(tail) > word {
			tail = tail[strings.IndexAny(tail[:word], " \n")+1:]
		}
	}
	head, tail = strings.TrimSpace(head), strings.TrimSpace(tail)
	return head, tail, total - len(head) - len(tail)
}

func markLines(s string) string {
	if s == "" {
		return ""
	}
	return "\n" + quoteMark + strings.ReplaceAll(s, "\n", "\n"+quoteMark)
}

// hintLine writes a hint as one line, and nothing in it twice.
func hintLine(h interpret.Hint) string {
	problem := h.Problem
	var more []string
	for _, p := range []struct{ name, value string }{{"expected", h.Expected}, {"allowed", h.Allowed}, {"received", h.Received}} {
		if p.value != "" && !says(problem, p.value) {
			more = append(more, p.name+" "+p.value)
		}
	}
	line := strings.Join(more, ", ")
	switch {
	case problem != "" && line != "":
		line = problem + " (" + line + ")"
	case line == "":
		line = problem
	}
	if h.Path != "" {
		line = strings.TrimSuffix(h.Path+": "+line, ": ")
	}
	if h.Suggestion != "" {
		line = strings.TrimSpace(strings.TrimSuffix(line, ".") + "; suggested: " + h.Suggestion)
		line = strings.TrimPrefix(line, "; ")
	}
	return "- " + line
}

// says reports whether a text has every word of a value.
func says(text, value string) bool {
	text = strings.ToLower(text)
	for w := range strings.FieldsFuncSeq(strings.ToLower(value), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return text != ""
}

// cutEnd returns at most n bytes of the beginning of s, not ending inside a character.
func cutEnd(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
