package doctest

import (
	"fmt"
	"regexp"
	"strings"
)

// A block is a fenced block of a page, or what stands between the marks of something printed.
type block struct {
	line int    // of its first line in the page, from 1
	lang string // "" if the fence names none; "printed" for what is printed
	mark string // the HTML comment in the line before, without its marks
	text string // with the newline of its last line
}

var comment = regexp.MustCompile(`^<!-- (.*) -->$`)

const (
	printedBy  = "printed by: "
	printedEnd = "end of what is printed"
)

// blocks takes a page apart. Fences start at the first column and have three back quotes.
func blocks(page string) (list []block, err error) {
	var open *block
	mark, end := "", ""
	for i, line := range strings.SplitAfter(page, "\n") {
		text := strings.TrimSuffix(line, "\n")
		note := ""
		if m := comment.FindStringSubmatch(text); m != nil {
			note = m[1]
		}
		switch {
		case open != nil && text == end:
			list, open, note = append(list, *open), nil, ""
		case open != nil:
			open.text += line
		case strings.HasPrefix(text, "```"):
			open, end = &block{line: i + 2, lang: text[3:], mark: mark}, "```"
		case strings.HasPrefix(strings.TrimSpace(text), "```"):
			return nil, fmt.Errorf("line %d: a fence that does not start its line is not read", i+1)
		case strings.HasPrefix(note, printedBy):
			open, end = &block{line: i + 2, lang: "printed", mark: note[len(printedBy):]}, "<!-- "+printedEnd+" -->"
		case note == printedEnd:
			return nil, fmt.Errorf("line %d: the end of something that does not begin", i+1)
		}
		mark = note
	}
	if open != nil {
		return nil, fmt.Errorf("line %d: a block that does not end", open.line)
	}
	return list, nil
}

// replace puts new text into the place of a block.
func replace(page string, b block, text string) string {
	at := 0
	for range b.line - 1 {
		at += strings.IndexByte(page[at:], '\n') + 1
	}
	return page[:at] + text + page[at+len(b.text):]
}

// A step is a command of a console block and what it prints.
type step struct{ command, output string }

// steps takes a console block apart: commands start with "$ " and go on with "> ".
func steps(text string) (list []step) {
	for line := range strings.SplitAfterSeq(text, "\n") {
		last := len(list) - 1
		switch {
		case strings.HasPrefix(line, "$ "):
			list = append(list, step{command: line[2:]})
		case last >= 0 && list[last].output == "" && strings.HasPrefix(line, "> "):
			list[last].command += line[2:]
		case last >= 0:
			list[last].output += line
		}
	}
	return list
}

// String writes a step as a console block has it.
func (s step) String() string {
	return "$ " + strings.ReplaceAll(strings.TrimSuffix(s.command, "\n"), "\n", "\n> ") + "\n" + s.output
}
