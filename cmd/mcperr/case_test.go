package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/fixtures"
)

// cases runs explain --case and reads what it prints as the corpus is read.
func cases(t *testing.T, stdin string, args ...string) (read []fixtures.Case, stderr string) {
	t.Helper()
	code, stdout, stderr := mcperr(t, stdin, append([]string{"explain", "--case"}, args...)...)
	if code != exitOK {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if err := json.Unmarshal([]byte(stdout), &read); err != nil {
		t.Fatal(err)
	}
	again, err := fixtures.Read([]byte(stdout))
	if err != nil || len(again) != len(read) {
		t.Fatalf("%d cases, read back as %d: %v", len(read), len(again), err)
	}
	return read, stderr
}

func TestCaseOfARecordedReply(t *testing.T) {
	const reply = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nSet-Cookie: id=secret\r\nContent-Type: text/plain\r\n\r\nslow down"
	const request = `{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"search","arguments":{}}}`
	read, stderr := cases(t, reply, "acme@1/http-2025-11-25/busy", "--request", request, "--version", "2025-11-25")
	if len(read) != 1 || stderr != "" {
		t.Fatalf("%d cases; %s", len(read), stderr)
	}
	c := read[0]
	if c.ID != "acme@1/http-2025-11-25/busy" || c.Request.Target != "search" || c.Request.Body != request || c.Want.Kind != "rate_limited" || c.Want.RetryAfterMs != 7000 {
		t.Errorf("%+v", c)
	}
	if c.About != "" || c.Source.Ref != "" {
		t.Error("it says what only people can say")
	}
	if c.Reply.HTTP == nil || *c.Reply.HTTP.Body != "slow down" {
		t.Errorf("%+v", c.Reply)
	}
	for _, h := range c.Reply.HTTP.Headers {
		if h[0] == "Set-Cookie" {
			t.Error("a cookie is kept")
		}
	}
}

func TestCasesOfATranscript(t *testing.T) {
	const transcript = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}
{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a<b","arguments":{}}}
{"jsonrpc":"2.0","id":2,"error":{"code":-32602,"message":"Unknown tool: a<b"}}`
	read, _ := cases(t, transcript, "acme@1/stdio-2025-11-25/all", "--form", "stdio")
	if len(read) != 2 || read[0].ID != "acme@1/stdio-2025-11-25/all-1" || read[1].ID != "acme@1/stdio-2025-11-25/all-2" || read[1].Request.Target != "a<b" || read[1].Want.Kind != "unknown_tool" {
		t.Errorf("%+v", read)
	}
}

// TestCasesOfTheCorpusAreThemselves: what is made of a case is that case, wants of the corpus included.
func TestCasesOfTheCorpusAreThemselves(t *testing.T) {
	const file = "reports/own-codes.json"
	raw, err := fixtures.Files.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want []fixtures.Case
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	read, _ := cases(t, string(raw), "x@1/http")
	for i, c := range read {
		a, err := want[i].Exchange()
		b, errB := c.Exchange()
		if err != nil || errB != nil {
			t.Fatal(err, errB)
		}
		if one, other := asJSON(t, fixtures.CaseOf(a)), asJSON(t, fixtures.CaseOf(b)); one != other {
			t.Errorf("%s became\n%s", one, other)
		}
		for _, line := range fixtures.Diff(want[i].Want, c.Want) {
			t.Errorf("%s: %s", want[i].ID, line)
		}
	}
}

func TestCaseTellsWhatWasAssumed(t *testing.T) {
	_, stderr := cases(t, message, "acme@1/http-2025-11-25/gone")
	if !strings.Contains(stderr, "assumed the request: tools/call") {
		t.Errorf("%q", stderr)
	}
	if code, _, _ := mcperr(t, message, "explain", "--json", "--case", "a/b"); code != exitUsage {
		t.Errorf("exit %d", code)
	}
}

func asJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
