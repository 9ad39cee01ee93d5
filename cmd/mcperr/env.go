package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"unicode"
)

// env is the world of a command: its streams, and what the output device can show.
type env struct {
	in    io.Reader
	out   *bufio.Writer // run flushes it and reports its error once
	err   io.Writer
	color bool // the output is a terminal and NO_COLOR is unset
	width int  // columns, 80 to 120
}

func newEnv() *env {
	tty := terminal(os.Stdout)
	return &env{
		in:    os.Stdin,
		out:   bufio.NewWriter(os.Stdout),
		err:   os.Stderr,
		color: colored(tty, os.Getenv("NO_COLOR"), os.Getenv("TERM")),
		width: columns(os.Getenv("COLUMNS"), tty),
	}
}

// colored follows no-color.org: any text in NO_COLOR means none.
func colored(tty bool, noColor, term string) bool { return tty && noColor == "" && term != "dumb" }

func terminal(f *os.File) bool {
	s, err := f.Stat()
	return err == nil && s.Mode()&os.ModeCharDevice != 0
}

// columns reads COLUMNS; the tables are made for 80 to 120 columns. Where it does not say, a terminal has 80 for sure,
// and a file is read at 100 with ease.
func columns(s string, tty bool) int {
	n, err := strconv.Atoi(s)
	switch {
	case err == nil:
		return min(max(n, 80), 120)
	case tty:
		return 80
	}
	return 100
}

// fail reports an error on standard error and returns the code. The text may quote the input.
func (e *env) fail(code int, err error) int {
	fmt.Fprintf(e.err, "mcperr: %s\n", clean(err.Error(), 1000))
	return code
}

// coded is an error that has its exit code; one without is of the data.
type coded struct {
	code int
	error
}

func (e coded) Unwrap() error { return e.error }

func codeOf(err error) int {
	if c, ok := errors.AsType[coded](err); ok {
		return c.code
	}
	return exitData
}

// flushed writes what is buffered and turns a write error into its exit code. A closed pipe is a reader that has seen enough.
func (e *env) flushed(code int) int {
	if err := e.out.Flush(); err != nil && !errors.Is(err, syscall.EPIPE) {
		return e.fail(exitIO, fmt.Errorf("cannot write the output: %w", err))
	}
	return code
}

// unwritten ends a command whose output could not be made. An error of the writer is left to flushed, which knows a closed pipe.
func (e *env) unwritten(err error) int {
	if e.out.Flush() != nil {
		return exitOK
	}
	return e.fail(exitIO, fmt.Errorf("cannot make the output: %w", err))
}

// Styles of the terminal: SGR parameters.
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
	blue   = "34"
	purple = "35"
	cyan   = "36"
)

func (e *env) style(sgr, s string) string {
	if !e.color || s == "" || sgr == "" {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}

// escapes are the control sequences and strings of ECMA-48, with either introducer.
var escapes = regexp.MustCompile("(?:\x1b\\[|\u009b)[0-?]*[ -/]*[@-~]|(?:\x1b[\\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])[^\x07\x1b\u009c]*(?:\x07|\x1b\\\\|\u009c)?")

// clean makes foreign text fit for a terminal line: no escape sequences, no control, format or private characters,
// runs of white space become one space, at most n characters.
func clean(s string, n int) string {
	var b strings.Builder
	s = escapes.ReplaceAllString(s, "")
	space, count := false, 0
	for _, r := range s {
		if unicode.IsSpace(r) || !unicode.IsPrint(r) {
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
			count++
		}
		if count >= n {
			b.WriteString("…")
			break
		}
		b.WriteRune(r)
		count++
	}
	return b.String()
}

// pad fills s with spaces up to n characters, cutting what is over.
func pad(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:max(n-1, 0)]) + "…"
	} else {
		return s + strings.Repeat(" ", n-len(r))
	}
}
