package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mcperr runs a command line as main does, on streams of the test.
func mcperr(t *testing.T, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	e, out := testEnv(stdin)
	var errs bytes.Buffer
	e.err = &errs
	code = run(e, args)
	return code, out.String(), errs.String()
}

func testEnv(stdin string) (*env, *bytes.Buffer) {
	var out bytes.Buffer
	return &env{in: strings.NewReader(stdin), out: bufio.NewWriter(&out), err: &out, width: 100}, &out
}

// temp writes a file of the test and returns its name.
func temp(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// nobody is an address where nobody listens, nor will: a port that was given back is soon somebody else's.
const nobody = "http://127.0.0.1:1"

const message = `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found"}}`

func TestExitCodes(t *testing.T) {
	for name, c := range map[string]struct {
		stdin string
		args  []string
		code  int
		says  string // on standard error
	}{
		"nothing":           {"", nil, exitUsage, "Usage: mcperr COMMAND"},
		"unknown command":   {"", []string{"explian"}, exitUsage, `no command "explian"; mcperr help`},
		"help":              {"", []string{"help"}, exitOK, ""},
		"help of one":       {"", []string{"help", "explain"}, exitOK, ""},
		"flag for help":     {"", []string{"codes", "--help"}, exitOK, ""},
		"help of none":      {"", []string{"help", "me"}, exitUsage, `no command "me"`},
		"unknown flag":      {"", []string{"explain", "--nope"}, exitUsage, "mcperr help explain"},
		"two files":         {"", []string{"explain", "a", "b"}, exitUsage, "it takes one"},
		"no form":           {message, []string{"explain", "--form", "xml"}, exitUsage, "message, stream, http, stdio, case, har"},
		"no era":            {message, []string{"explain", "--era", "old"}, exitUsage, "unknown, modern, legacy"},
		"no transport":      {message, []string{"explain", "--transport", "tcp"}, exitUsage, "http, stdio"},
		"limit of nothing":  {message, []string{"explain", "--max-bytes", "0"}, exitUsage, "must be positive"},
		"other transport":   {"HTTP/1.1 200 OK\n\n{}", []string{"explain", "--transport", "stdio"}, exitUsage, "came over http"},
		"no request":        {message, []string{"explain", "--request", "{"}, exitData, "--request: "},
		"no such file":      {"", []string{"explain", "no-such-file"}, exitNoInput, "no-such-file"},
		"no such policy":    {message, []string{"explain", "--policy", "no-such-file"}, exitNoInput, "no-such-file"},
		"empty":             {"", []string{"explain"}, exitData, "stdin: the input is empty; to explain an empty body"},
		"over the limit":    {message, []string{"explain", "--max-bytes", "20"}, exitData, "more than 20 bytes; --max-bytes raises"},
		"no version":        {"", []string{"codes", "--version", "2020-01-01"}, exitUsage, "2024-11-05"},
		"argument too many": {"", []string{"codes", "all"}, exitUsage, `unexpected argument "all"`},
		"fine":              {message, []string{"explain"}, exitOK, ""},
		"fine from a dash":  {message, []string{"explain", "-"}, exitOK, ""},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := mcperr(t, c.stdin, c.args...)
			if code != c.code || !strings.Contains(stderr, c.says) {
				t.Errorf("exit %d, want %d; standard error %q, want %q in it", code, c.code, stderr, c.says)
			}
			if (code == exitOK) != (stderr == "") || (code == exitOK) == (stdout == "") {
				t.Errorf("exit %d with %d bytes of output and standard error %q", code, len(stdout), stderr)
			}
		})
	}
}

func TestHelpNamesEveryCommandAndExitCode(t *testing.T) {
	_, page, _ := mcperr(t, "", "help")
	for _, c := range commands() {
		if !strings.Contains(page, "  "+c.name+" ") {
			t.Errorf("help does not name %s", c.name)
		}
		if _, own, _ := mcperr(t, "", "help", c.name); !strings.HasPrefix(own, "Usage: mcperr "+c.name) || !strings.Contains(own, exitCodes) {
			t.Errorf("help %s:\n%s", c.name, own)
		}
	}
	for _, code := range []string{"0", "64", "65", "66", "70", "74"} {
		if !strings.Contains(exitCodes, "\n  "+code+" ") {
			t.Errorf("no word about exit code %s", code)
		}
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestWriteErrorHasItsExitCode(t *testing.T) {
	var errs bytes.Buffer
	e := &env{in: strings.NewReader(message), out: bufio.NewWriter(fullDisk{}), err: &errs, width: 80}
	if code := run(e, []string{"explain"}); code != exitIO || !strings.Contains(errs.String(), "no space left") {
		t.Errorf("exit %d, standard error %q", code, errs.String())
	}
}

func TestOutputThatIsNoJSONHasAnExitCode(t *testing.T) {
	e, _ := testEnv("")
	var errs bytes.Buffer
	e.err = &errs
	_, err := json.Marshal(json.RawMessage("{"))
	if code := e.unwritten(err); code != exitIO || !strings.Contains(errs.String(), "cannot make the output") {
		t.Errorf("exit %d, standard error %q", code, errs.String())
	}
	for _, flags := range [][]string{{"--json"}, {"--case", "x"}} {
		errs.Reset()
		e := &env{in: strings.NewReader(strings.Repeat(message+"\n", 200)), out: bufio.NewWriter(fullDisk{}), err: &errs, width: 80}
		if code := run(e, append([]string{"explain", "--form", "stdio"}, flags...)); code != exitIO || strings.Count(errs.String(), "no space left") != 1 {
			t.Errorf("%v: exit %d, standard error %q", flags, code, errs.String())
		}
	}
}

func TestLargestLimitIsNoOverflow(t *testing.T) {
	code, _, stderr := mcperr(t, message, "explain", "--max-bytes", fmt.Sprint(math.MaxInt64))
	if code != exitOK {
		t.Errorf("exit %d, standard error %q", code, stderr)
	}
}

func TestFlagsMayFollowTheFile(t *testing.T) {
	file := temp(t, "reply.json", message)
	_, before, _ := mcperr(t, "", "explain", "--json", file)
	code, after, stderr := mcperr(t, "", "explain", file, "--json")
	if code != exitOK || before != after || !strings.Contains(after, `"id":"reply.json"`) {
		t.Errorf("exit %d %s, before %q, after %q", code, stderr, before, after)
	}
}

func TestColoursAreForTerminalsOnly(t *testing.T) {
	if _, plain, _ := mcperr(t, message, "explain"); strings.Contains(plain, "\x1b") {
		t.Error("colours in a file")
	}
	var out bytes.Buffer
	e := &env{in: strings.NewReader(message), out: bufio.NewWriter(&out), err: &out, width: 80, color: true}
	if run(e, []string{"explain"}); !strings.Contains(out.String(), "\x1b[1") {
		t.Error("no colours where they are wanted")
	}
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if terminal(file) {
		t.Error("a file counts as a terminal")
	}
	for _, c := range []struct {
		tty           bool
		noColor, term string
		want          bool
	}{{true, "", "xterm", true}, {true, "1", "xterm", false}, {true, "", "dumb", false}, {false, "", "xterm", false}} {
		if got := colored(c.tty, c.noColor, c.term); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestColumns(t *testing.T) {
	for s, want := range map[string]int{"": 100, "x": 100, "10": 80, "95": 95, "500": 120} {
		if got := columns(s, false); got != want {
			t.Errorf("COLUMNS=%q: %d, want %d", s, got, want)
		}
	}
	if got := columns("", true); got != 80 {
		t.Errorf("a terminal of unknown width: %d", got)
	}
}
