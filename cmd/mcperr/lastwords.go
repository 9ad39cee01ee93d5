package main

import (
	"fmt"
	"strings"

	"github.com/mcperr/mcperr/internal/tail"
	"github.com/mcperr/mcperr/interpret"
)

// lastWordsShown is how much a person is shown of the end of what a process wrote to standard error, in characters.
const lastWordsShown = 1000

// lastWords shows a person why a server that is a process may have failed, if it wrote of that.
func (e *env) lastWords(stderr string) {
	// In a terminal as in a log its lines make one: a server must not write what looks like ours.
	words := []rune(clean(diagnosis(stderr), tail.Size))
	if len(words) == 0 {
		return
	}
	cut := ""
	if over := len(words) - lastWordsShown; over > 0 {
		cut, words = "…", words[over:]
	}
	fmt.Fprintf(e.err, "mcperr: the server wrote to standard error: %s%s\n", cut, string(words))
}

// diagnosis scrubs what is kept of a process's standard error. Where its beginning was dropped the rest of that line goes too, for half a
// credential has no form to know it by.
func diagnosis(stderr string) string {
	if len(stderr) >= tail.Size {
		_, stderr, _ = strings.Cut(stderr, "\n")
	}
	return new(interpret.Scrubber).Scrub(stderr)
}
