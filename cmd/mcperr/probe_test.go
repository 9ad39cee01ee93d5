package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
)

// hostile is what the server of these tests writes into its messages.
const hostile = "\x1b[2Jno | `such` <img src=x> ‹thing›\u202e [click](http://x) @everyone"

// probedServer speaks 2026-07-28 and knows nothing but its own discovery.
func probedServer(t *testing.T) (url string) {
	t.Helper()
	said, _ := json.Marshal(hostile)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			ID     json.RawMessage
			Method string
		}
		body, _ := io.ReadAll(r.Body)
		if json.Unmarshal(body, &q) != nil || q.ID == nil {
			q.ID = []byte("null")
		}
		w.Header().Set("Content-Type", "application/json")
		if q.Method == "server/discover" {
			fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"result":{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{}}}`, q.ID)
			return
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32050,"message":%s}}`, q.ID, said)
	}))
	t.Cleanup(s.Close)
	return strings.Replace(s.URL, "http://", "http://me:hunter2@", 1) + "/mcp?token=hunter2"
}

func TestProbeForPeople(t *testing.T) {
	code, out, errs := mcperr(t, "", "probe", probedServer(t))
	if code != exitDeviates || errs != "" {
		t.Errorf("exit %d, %q", code, errs)
	}
	for _, want := range []string{
		"sends at most ", "calls no tool",
		"deviates  a method nobody has\n  came        HTTP 200, error -32050 ‹no | `such` <img src=x> <thing> [click](http://x) @everyone›\n",
		"  means       unknown_error – an error without a meaning of its own\n  who can fix model – with other arguments, or another call\n",
		"  wanted      -32601 with HTTP 404\n              https://modelcontextprotocol.io/specification/2026-07-28/",
		"  but         its code is -32050, not -32601\n              its HTTP status is 200, not 404\n",
		"skipped   a tool that is not on the list: the server declares no tools\n",
		"over all replies: no reserved code that no version defines\n",
		"  but         its code is -32050, in its answer to unknown_method, ",
		"2026-07-28, modern era, over http: ",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.ContainsAny(out, "\x1b\u202e") || strings.Contains(out, "hunter2") {
		t.Errorf("it shows what it must not:\n%s", out)
	}
}

func TestProbeForPrograms(t *testing.T) {
	code, out, _ := mcperr(t, "", "probe", "--json", probedServer(t))
	if code != exitDeviates || strings.ContainsAny(out, "\x1b\u202e") || strings.Contains(out, "hunter2") {
		t.Errorf("exit %d\n%s", code, out)
	}
	seen := make(map[string]probeLine)
	for line := range strings.Lines(out) {
		var l probeLine
		if err := json.Unmarshal([]byte(line), &l); err != nil || l.Faults == nil || l.Transport != "http" || l.Version != "2026-07-28" || l.Era != "modern" {
			t.Errorf("%v: %s", err, line)
		}
		seen[l.Check] = l
	}
	l := seen["unknown_method"]
	if l.Verdict != "deviates" || l.Status != 200 || l.Code == nil || *l.Code != -32050 || l.Kind != "unknown_error" || l.Who != "model" || l.Wants == "" ||
		!strings.HasPrefix(l.Ref, "https://") || len(l.Faults) != 2 || !strings.Contains(l.Came, "‹no | ") {
		t.Errorf("%+v", l)
	}
	if l := seen["opening"]; l.Verdict != "holds" || l.Kind != "ok" || l.Who != "" || l.Code != nil {
		t.Errorf("%+v", l)
	}
	if l := seen["unknown_tool"]; l.Verdict != "skipped" || l.Why == "" || l.Kind != "" {
		t.Errorf("%+v", l)
	}
}

func TestProbeForAnIssue(t *testing.T) {
	code, out, _ := mcperr(t, "", "probe", "--markdown", probedServer(t))
	if code != exitDeviates || strings.Contains(out, "hunter2") {
		t.Errorf("exit %d", code)
	}
	for _, want := range []string{
		"# Probe of `http://127.0.0.1:", "| verdict | question | came | means | who can fix it |\n|---|---|---|---|---|\n",
		"| **deviates** | a method nobody has | `HTTP 200, error -32050 ‹no \\| 'such' <img src=x> <thing> [click](http://x) @everyone›` | `unknown_error` | model |\n",
		"| skipped | a tool that is not on the list | the server declares no tools |",
		"\n**deviates** a method nobody has\n- its code is -32050, not -32601\n- its HTTP status is 200, not 404\n- wanted: -32601 with HTTP 404 ([unknown_method](https://",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	// Outside of code spans there is nothing that the server wrote.
	if rest := regexp.MustCompile("`[^`\n]*`").ReplaceAllString(out, ""); strings.ContainsAny(rest, "@<\x1b\u202e") {
		t.Errorf("markup of the server's:\n%s", rest)
	}
}

// An issue about a server that cannot be reached, or let nobody in, says so in a sentence.
func TestProbeForAnIssueWithoutASession(t *testing.T) {
	shut := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	defer shut.Close()
	for name, url := range map[string]string{"nobody there": nobody, "nobody let in": shut.URL} {
		code, out, _ := mcperr(t, "", "probe", "--markdown", url)
		if code != exitUnreached || !strings.Contains(out, "`\n\nNo session could be opened: ") || strings.Contains(out, "In no session") {
			t.Errorf("%s: exit %d\n%s", name, code, out)
		}
	}
	if _, out, _ := mcperr(t, "", "probe", "--markdown", probedServer(t)); !strings.Contains(out, "`\n\nIn 2026-07-28, modern era, over http: ") {
		t.Errorf("a session that was opened:\n%s", out)
	}
}

func TestProbeExitCodes(t *testing.T) {
	for name, c := range map[string]struct {
		args []string
		code int
		says string // on standard error
	}{
		"nobody there":        {[]string{nobody}, exitUnreached, ""},
		"no such command":     {[]string{"--", "/no/such/command"}, exitUnreached, ""},
		"a command that ends": {[]string{"--", os.Args[0], "-test.run=^TestProbeChild$"}, exitUnreached, "the server wrote to standard error: boom token=[redacted]"},
		"nothing":             {nil, exitUsage, "it takes a URL, or -- and a command"},
		"nothing but flags":   {[]string{"--json"}, exitUsage, "it takes a URL"},
		"both":                {[]string{nobody, "--", "x"}, exitUsage, "it takes one of them"},
		"a header to a pipe":  {[]string{"--header", "a:b", "--", "x"}, exitUsage, "of no use"},
		"two forms":           {[]string{"--json", "--markdown", nobody}, exitUsage, "it takes one of them"},
		"no URL":              {[]string{"localhost"}, exitUsage, "no http or https URL"},
		"no version":          {[]string{"--version", "1", nobody}, exitUsage, "2024-11-05"},
		"no tool":             {[]string{"--tool", "add", nobody}, exitUsage, "it takes a name"},
		"no object":           {[]string{"--tool", "add=1", nobody}, exitUsage, "a JSON object"},
		"no header":           {[]string{"--header", "x", nobody}, exitUsage, "it takes a name"},
		"no time":             {[]string{"--timeout", "-1s", nobody}, exitUsage, "below zero"},
	} {
		t.Run(name, func(t *testing.T) {
			code, out, errs := mcperr(t, "", append([]string{"probe"}, c.args...)...)
			if code != c.code || !strings.Contains(errs, c.says) || (code == exitUsage) != (out == "") {
				t.Errorf("exit %d, want %d; %q; %s", code, c.code, errs, out)
			}
		})
	}
}

// TestProbeChild is a server that ends at once, where a test runs it.
func TestProbeChild(t *testing.T) {
	if len(os.Args) == 2 {
		fmt.Fprintln(os.Stderr, "boom token=abc123def456")
		os.Exit(3)
	}
}
