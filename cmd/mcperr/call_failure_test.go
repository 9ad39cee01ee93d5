package main

import (
	"encoding/json"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/mcperr/mcperr/internal/tail"
)

// callDying is what a server that ends at once writes to standard error first.
const callDying = "MCPERR_CALL_DYING"

// failedCall are the members of call --json that say what failed on our own side.
type failedCall struct {
	Kind, Stop string
	Failure    *struct{ What, Delivery, Cause string }
	ExitCode   *int
	Stderr     string
	Attempts   []struct{ Kind, Failure string }
}

// callBoth makes a call as for a person and as for a program.
func callBoth(t *testing.T, to ...string) (stderr string, got failedCall) {
	t.Helper()
	args := []string{"call", "--policy", temp(t, "policy.json", `{"attempts":2,"firstDelay":"1ms","topDelay":"2ms"}`)}
	code, stdout, stderr := mcperr(t, "", append(args, to...)...)
	if code != 3 || stdout == "" {
		t.Errorf("%q: exit %d, %s", to, code, stdout)
	}
	_, stdout, told := mcperr(t, "", append(append(args, "--json"), to...)...)
	if err := json.Unmarshal([]byte(stdout), &got); err != nil {
		t.Fatalf("%v: %s", err, stdout)
	}
	if all := stdout + told + stderr; strings.Contains(all, "hunter2") || strings.Contains(all, "gave up") || strings.ContainsAny(all, "\x1b\u202e") {
		t.Errorf("%q: it shows what it must not: %s", to, all)
	}
	return stderr, got
}

// An operator sees whether the name is wrong, nobody listens, or the certificate is bad; the address stays out of it.
func TestCallTellsLocalFailuresApart(t *testing.T) {
	secure := httptest.NewUnstartedServer(http.NotFoundHandler())
	secure.Config.ErrorLog = log.New(io.Discard, "", 0)
	secure.StartTLS()
	defer secure.Close()
	for what, c := range map[string]struct{ url, cause string }{
		"dns":     {"http://nosuch..invalid", "lookup nosuch..invalid"}, // no name at all: nobody is asked,
		"refused": {nobody, "connection refused"},
		"tls":     {secure.URL, "certificate"},
	} {
		stderr, got := callBoth(t, c.url+"/hunter2?x=hunter2", "act")
		if !strings.Contains(stderr, "server/discover  unavailable, "+what+" after ") || strings.Count(stderr, "\ncause: ") != 1 || !strings.Contains(stderr, c.cause) {
			t.Errorf("%s: %s", what, stderr)
		}
		if f := got.Failure; f == nil || f.What != what || f.Delivery != "not_sent" || !strings.Contains(f.Cause, c.cause) {
			t.Errorf("%s: %+v", what, f)
		}
		if n := len(got.Attempts); n != 2 || got.Attempts[0].Failure != what || got.ExitCode != nil || got.Stderr != "" {
			t.Errorf("%s: %+v", what, got)
		}
	}
}

func TestCallOfACommandThatIsNotThere(t *testing.T) {
	stderr, got := callBoth(t, "act", "--", "/nonexistent/server")
	if !strings.Contains(stderr, "cause: fork/exec /nonexistent/server: no such file or directory\n") || strings.Contains(stderr, "standard error") {
		t.Error(stderr)
	}
	if got.Failure == nil || !strings.Contains(got.Failure.Cause, "no such file") || len(got.Attempts) != 1 || got.ExitCode != nil {
		t.Errorf("%+v", got)
	}
}

func TestCallShowsWhyTheServerEnded(t *testing.T) {
	t.Setenv(callRole, "dying")
	filler := strings.Repeat("x ", tail.Size/2-100)
	for name, c := range map[string]struct{ writes, shows, has string }{
		"a line":            {"\x1b[31mAPI_KEY is not set, token=hunter2abcdef\n", "API_KEY is not set, token=[redacted]\n", "API_KEY is not set, token=[redacted]"},
		"nothing":           {"", "", ""},
		"more than is kept": {"token=" + strings.Repeat("hunter2", tail.Size) + "\n" + filler + "\nthe end", " x the end\n", "x\nthe end"},
		"half a credential": {"token=" + strings.Repeat("hunter2", tail.Size), "", ""},
	} {
		t.Setenv(callDying, c.writes)
		stderr, got := callBoth(t, "act", "--", os.Args[0])
		_, shown, ok := strings.Cut(stderr, "mcperr: the server wrote to standard error: ")
		if ok != (c.shows != "") || !strings.HasSuffix(shown, c.shows) || utf8.RuneCountInString(shown) > lastWordsShown+2 {
			t.Errorf("%s: %s", name, stderr)
		}
		if !strings.Contains(stderr, "the server process ended with exit code 3\n") {
			t.Errorf("%s: no exit code in %s", name, stderr)
		}
		if got.ExitCode == nil || *got.ExitCode != 3 || got.Failure == nil || got.Failure.What != "exited" || !strings.HasSuffix(got.Stderr, c.has) || (got.Stderr == "") != (c.has == "") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}
