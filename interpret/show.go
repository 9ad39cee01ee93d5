package interpret

import (
	"fmt"
	"html"
	"regexp"
	"strings"
)

// show makes a text fit to be shown: scrubbed, a page reduced to its title, a stack trace to its last line, unbroken data to its length.
func (w *words) show(s string) string {
	s = clean(s)
	s = titleOnly(s)
	s = withoutTrace(s)
	s = w.scrub.Redact(s)
	return withoutData(s)
}

var (
	pageStart = regexp.MustCompile(`(?i)<!doctype html|<html[\s>]`)
	pageEnd   = regexp.MustCompile(`(?i)</html\s*>`)
	pageTitle = regexp.MustCompile(`(?i)<title[^>]*>([^<]*)</title`)
	pageHead  = regexp.MustCompile(`(?i)<h1[^>]*>([^<]*)</h1`)
)

// titleOnly puts the title of an HTML page, or its first heading, in the place of the page.
func titleOnly(s string) string {
	at := pageStart.FindStringIndex(s)
	if at == nil {
		return s
	}
	page, rest := s[at[0]:], ""
	if end := pageEnd.FindStringIndex(page); end != nil {
		page, rest = page[:end[0]], page[end[1]:]
	}
	title := pageTitle.FindStringSubmatch(page)
	if title == nil || strings.TrimSpace(title[1]) == "" {
		title = pageHead.FindStringSubmatch(page)
	}
	shown := "[an HTML page]"
	if title != nil {
		if t := strings.Join(strings.Fields(clean(html.UnescapeString(title[1]))), " "); t != "" {
			shown = t
		}
	}
	return s[:at[0]] + shown + rest
}

var (
	frame = regexp.MustCompile(`^(?:` +
		` +at .*(?:\)|:\d+|line \d+|<anonymous>)` + // JavaScript, Java, C#
		`| *\.\.\. \d+ (?:more|common frames omitted)| *--- End of .*` +
		`| *goroutine \d+ \[.*| *created by \S+ in goroutine.*| *\S+\.go:\d+(?: \+0x[0-9a-f]+)?|\[signal .*` + // Go
		`| *\d+: +0x[0-9a-f]+ - .*|stack backtrace:|note: run with .RUST_BACKTRACE.*` + // Rust
		`| *from \S+:\d+:in .*|#\d+ +\S.*\(\d+\): .*|#\d+ \{main\}` + // Ruby, PHP
		`)$`)
	goCall    = regexp.MustCompile(`^[\w./*()-]+\(.*\)$`)
	cause     = regexp.MustCompile(`^ *(?:[Cc]aused by|\[cause\]): `)
	traceback = regexp.MustCompile(`^ *Traceback \(most recent call last\):$`) // Python
	chained   = regexp.MustCompile(`^(?:During handling of the above exception|The above exception was the direct cause)`)
)

// withoutTrace cuts stack traces to the line that says what happened: the last exception of a Python traceback, the last cause above
// frames in other languages.
func withoutTrace(s string) string {
	if !strings.Contains(s, "\n") {
		return s
	}
	lines := strings.Split(s, "\n")
	var kept []string
	head := -1 // the line in kept that the last trace comes to
	drop := func() {
		if head >= 0 {
			kept = append(kept[:head], kept[head+1:]...)
		}
	}
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case traceback.MatchString(line):
			for i++; i < len(lines) && strings.HasPrefix(lines[i], " "); i++ {
			}
			drop()
			if head = -1; i < len(lines) {
				kept = append(kept, lines[i])
				head = len(kept) - 1
			}
		case chained.MatchString(line):
		case frame.MatchString(line):
			if last := len(kept) - 1; head != last {
				if last >= 0 && cause.MatchString(kept[last]) {
					drop()
				}
				head = len(kept) - 1
			}
		case goCall.MatchString(line) && i+1 < len(lines) && frame.MatchString(lines[i+1]):
		default:
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, "\n")
}

// unbroken is data and no text: Base64, hex, a data URL.
var unbroken = regexp.MustCompile(`(?:data:[\w.+-]+/[\w.+-]+;base64,)?[A-Za-z0-9+/_=-]{200}[A-Za-z0-9+/_=-]*`)

func withoutData(s string) string {
	if len(s) < 200 {
		return s
	}
	return unbroken.ReplaceAllStringFunc(s, func(d string) string {
		kind := "unbroken text"
		if media, rest, ok := strings.Cut(d, ";base64,"); ok {
			kind, d = strings.TrimPrefix(media, "data:"), rest
		}
		return fmt.Sprintf("[%s, %s]", kind, size(len(d)))
	})
}

// size returns a number of bytes for people.
func size(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d bytes", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}
