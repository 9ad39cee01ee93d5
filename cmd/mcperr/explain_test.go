package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/mcperr/mcperr/fixtures"
	"github.com/mcperr/mcperr/interpret"
)

// corpusFiles walks the files of the corpus.
func corpusFiles(t *testing.T, visit func(name string, content []byte)) {
	t.Helper()
	n := 0
	for _, folder := range []string{"captures", "reports", "spec"} {
		names, err := fs.Glob(fixtures.Files, folder+"/*.json")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			content, err := fixtures.Files.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			visit(name, content)
			n++
		}
	}
	if n < 50 {
		t.Fatalf("only %d files", n)
	}
}

// disputes returns the ids of cases whose labels are held to be wrong; they are reported by the test of the corpus.
func disputes(t *testing.T) map[string]bool {
	t.Helper()
	list, err := fixtures.Disputed()
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for _, d := range list {
		ids[d.ID] = true
	}
	return ids
}

// TestJSONLinesAreTheCorpusReadings feeds every corpus file to explain --json and compares line by line with what the cases want.
func TestJSONLinesAreTheCorpusReadings(t *testing.T) {
	disputed := disputes(t)
	rules := map[string]bool{}
	for _, r := range interpret.Rules() {
		rules[r.ID] = true
	}
	corpusFiles(t, func(name string, content []byte) {
		t.Run(path.Base(name), func(t *testing.T) {
			var cases []struct {
				ID   string
				Want fixtures.Reading
			}
			if err := json.Unmarshal(content, &cases); err != nil {
				t.Fatal(err)
			}
			code, stdout, stderr := mcperr(t, string(content), "explain", "--json")
			lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
			if code != exitOK || stderr != "" || len(lines) != len(cases) {
				t.Fatalf("exit %d, %d lines for %d cases, standard error %q", code, len(lines), len(cases), stderr)
			}
			for i, text := range lines {
				var got line
				dec := json.NewDecoder(strings.NewReader(text))
				dec.DisallowUnknownFields()
				if err := dec.Decode(&got); err != nil || got.ID != cases[i].ID {
					t.Fatalf("line %d is of %q, want %q: %v", i+1, got.ID, cases[i].ID, err)
				}
				if len(got.Why) == 0 {
					t.Errorf("%s: no rule fired", got.ID)
				}
				for _, why := range got.Why {
					if id, _, _ := strings.Cut(why, ":"); !rules[id] {
						t.Errorf("%s: no rule %q in the table", got.ID, id)
					}
				}
				if diff := fixtures.Diff(cases[i].Want, got.Reading); diff != nil && !disputed[got.ID] {
					t.Errorf("%s: %s", got.ID, strings.Join(diff, "; "))
				}
			}
		})
	})
}

// TestWantIsNeverRead gives the cases of one file other wants, and none, and sees the same lines.
func TestWantIsNeverRead(t *testing.T) {
	content, err := fixtures.Files.ReadFile("spec/2026-07-28.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []map[string]any
	if err := json.Unmarshal(content, &cases); err != nil {
		t.Fatal(err)
	}
	_, honest, _ := mcperr(t, string(content), "explain", "--json")
	for name, change := range map[string]func(map[string]any){
		"other": func(c map[string]any) { c["want"] = map[string]any{"kind": "ok", "action": "proceed"} },
		"wrong": func(c map[string]any) { c["want"] = 5 },
		"none":  func(c map[string]any) { delete(c, "want") },
	} {
		for _, c := range cases {
			change(c)
		}
		b, err := json.Marshal(cases)
		if err != nil {
			t.Fatal(err)
		}
		if _, got, stderr := mcperr(t, string(b), "explain", "--json"); got != honest || honest == "" {
			t.Errorf("%s: another output (%s)", name, stderr)
		}
	}
}

// TestReportShowsNoControlCharacters prints the whole corpus for people: servers write what they like.
func TestReportShowsNoControlCharacters(t *testing.T) {
	corpusFiles(t, func(name string, content []byte) {
		code, stdout, stderr := mcperr(t, string(content), "explain")
		if code != exitOK || stderr != "" {
			t.Fatalf("%s: exit %d, %s", name, code, stderr)
		}
		for l := range strings.SplitSeq(stdout, "\n") {
			if len(l) > 4000 {
				t.Errorf("%s: a line of %d bytes", name, len(l))
			}
			for _, r := range l {
				if !unicode.IsPrint(r) {
					t.Errorf("%s: %U in %q", name, r, l)
					return
				}
			}
		}
	})
}

func TestReportHasItsParts(t *testing.T) {
	const reply = "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 7\r\nContent-Type: text/plain\r\n\r\nslow \x1b[31mdown\x1b[0m\u202e"
	_, out, _ := mcperr(t, reply, "explain", "--method", "tools/list", "--id", "3")
	for _, part := range []string{
		"rate_limited  too many requests\n",
		"arrived     HTTP 429, body ‹slow down›\n",
		"who can fix time – waiting helps\n",
		"action      retry – send it again\n",
		"delay       7s – the server asked for 7s\n",
		"origin      server – ", "ran         no – ", "basis       ", "rules       ", "https://", "deviations  none\n",
	} {
		if !strings.Contains(out, part) {
			t.Errorf("no %q in\n%s", part, out)
		}
	}
	if strings.Contains(out, "assumed") {
		t.Errorf("all was said, yet something is assumed:\n%s", out)
	}
}

// TestFlagsChangeTheReading gives one reply and says different things of its request.
func TestFlagsChangeTheReading(t *testing.T) {
	const unknown = `{"jsonrpc":"2.0","id":"a","error":{"code":-32602,"message":"nope"}}`
	const gone = "HTTP/1.1 404 Not Found\nContent-Type: text/plain\n\ngone"
	sent := temp(t, "request.http", "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nMcp-Session-Id: s\r\nMCP-Protocol-Version: 2025-11-25\r\n\r\n"+
		`{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{"cursor":"p2"}}`)
	for name, c := range map[string]struct {
		reply string
		args  []string
		kind  string
	}{
		"assumed to be a call":   {unknown, nil, "invalid_arguments"},
		"target not on the list": {unknown, []string{"--target", "ad", "--tools", "add,sub"}, "unknown_tool"},
		"an empty list":          {unknown, []string{"--target", "ad", "--tools", ""}, "unknown_tool"},
		"target on the list":     {unknown, []string{"--target", "add", "--tools", "add,sub"}, "invalid_arguments"},
		"other method":           {unknown, []string{"--method", "resources/read", "--target", "file:///x"}, "resource_not_found"},
		"other id":               {unknown, []string{"--id", "b"}, "malformed_reply"},
		"id as JSON":             {unknown, []string{"--id", `"a"`}, "invalid_arguments"},
		"request as a file":      {unknown, []string{"--request", sent}, "invalid_cursor"},
		"request as JSON":        {unknown, []string{"--request", `{"jsonrpc":"2.0","id":"a","method":"prompts/get","params":{"name":"p"}}`}, "invalid_arguments"},
		"no session":             {gone, nil, "not_mcp"},
		"a session":              {gone, []string{"--session", "--version", "2025-11-25"}, "session_lost"},
		"first modern request":   {gone, []string{"--version", "2026-07-28"}, "legacy_server"},
		"known to be modern":     {gone, []string{"--version", "2026-07-28", "--era", "modern"}, "not_mcp"},
		"over stdio":             {unknown, []string{"--transport", "stdio"}, "invalid_arguments"},
		"no request at all":      {gone, []string{"--method", "", "--id", ""}, "invalid_request"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := mcperr(t, c.reply, append([]string{"explain", "--json"}, c.args...)...)
			var got line
			if err := json.Unmarshal([]byte(stdout), &got); err != nil || code != exitOK || got.Kind != c.kind {
				t.Errorf("exit %d, %s, want kind %s %s", code, stdout, c.kind, stderr)
			}
		})
	}
}

func TestMadeUpStatusIsNoDeviation(t *testing.T) {
	_, stdout, _ := mcperr(t, message, "explain", "--json", "--version", "2026-07-28", "--era", "modern")
	if strings.Contains(stdout, "wrong_status") || !strings.Contains(stdout, `"code":-32601`) {
		t.Errorf("a message without a status is said to have the wrong one: %s", stdout)
	}
	_, stdout, _ = mcperr(t, "HTTP/1.1 200 OK\nContent-Type: application/json\n\n"+message, "explain", "--json", "--version", "2026-07-28", "--era", "modern")
	if !strings.Contains(stdout, "wrong_status") {
		t.Errorf("a status that was there goes unnoticed: %s", stdout)
	}
}

func TestPolicyDecides(t *testing.T) {
	policy := temp(t, "policy.json", `{"rules":[{"name":"mine","codes":[-32601],"action":"ask"}]}`)
	_, stdout, stderr := mcperr(t, message, "explain", "--json", "--policy", policy)
	if !strings.Contains(stdout, `"action":"ask"`) {
		t.Errorf("%s%s", stdout, stderr)
	}
	broken := temp(t, "broken.json", `{"rules":[{"name":"mine","codes":[-32601],"action":"panic"}]}`)
	code, _, stderr := mcperr(t, message, "explain", "--policy", broken)
	if code != exitData || !strings.Contains(stderr, "broken.json") || !strings.Contains(stderr, "panic") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

func TestVouchingLetsACallRunTwice(t *testing.T) {
	const lost = "HTTP/1.1 502 Bad Gateway\nContent-Type: text/html\n\n<h1>Bad Gateway</h1>"
	for _, c := range []struct {
		args   []string
		action string
	}{
		{[]string{"--target", "add"}, "surface"},
		{[]string{"--target", "add", "--vouch", "sub"}, "surface"},
		{[]string{"--target", "add", "--vouch", "sub", "--vouch", "add"}, "retry"},
		{[]string{"--vouch", "add"}, "retry"},
		{[]string{"--vouch", "add", "--method", "prompts/get", "--target", "add"}, "retry"}, // by the protocol
		{[]string{"--vouch", "add", "--method", "acme/add"}, "abort"},
	} {
		_, stdout, stderr := mcperr(t, lost, append([]string{"explain", "--json"}, c.args...)...)
		if !strings.Contains(stdout, `"action":"`+c.action+`"`) {
			t.Errorf("%v: not %s: %s%s", c.args, c.action, stdout, stderr)
		}
	}
	_, stdout, _ := mcperr(t, lost, "explain", "--model", "--vouch", "add")
	if strings.Contains(stdout, "Check before repeating") {
		t.Errorf("told to check what may run twice: %s", stdout)
	}
}

// TestTranscriptsOfBothSides reads a conversation: the answers belong to the requests, and what is learned early counts later.
func TestTranscriptsOfBothSides(t *testing.T) {
	const transcript = `starting server on stdio
{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"c","version":"1"}}}
{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"add","inputSchema":{"type":"object"}}]}}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"ad","arguments":{}}}
debug: no ad
{"jsonrpc":"2.0","id":3,"error":{"code":-32602,"message":"nope"}}
{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"add","arguments":{}}}
`
	code, stdout, stderr := mcperr(t, transcript, "explain", "--json")
	var kinds []string
	for l := range strings.SplitSeq(strings.TrimSpace(stdout), "\n") {
		var got line
		if err := json.Unmarshal([]byte(l), &got); err != nil {
			t.Fatalf("%v: %s %s", err, l, stderr)
		}
		kinds = append(kinds, got.ID+" "+got.Kind)
	}
	want := "stdin#1 ok, stdin#2 ok, stdin#3 unknown_tool, stdin#4 connection_lost"
	if got := strings.Join(kinds, ", "); code != exitOK || got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestHostileInput wants a clear error that names the place and what would help, or a reading; never a panic, never a flood.
func TestHostileInput(t *testing.T) {
	deep := strings.Repeat("[", 1<<20)
	for name, c := range map[string]struct {
		in   string
		code int
		says string // a pattern: of the error, or of the output
	}{
		"binary":                 {"\x00\x01\x02\xff\xfe\x1b]0;title\a" + strings.Repeat("\x80", 1000), exitData, `no form fits.*--form`},
		"text":                   {"lorem ipsum\ndolor", exitData, `begins with "lorem ipsum\\ndolo".*curl -i`},
		"white space":            {" \n\t\n", exitData, `the input is empty`},
		"an empty array":         {"[]", exitData, `the array is empty`},
		"an array of numbers":    {"[1,2]", exitData, `not of corpus cases`},
		"a batch":                {`[{"jsonrpc":"2.0","id":1,"result":{}}]`, exitData, `one by one`},
		"deep arrays":            {deep, exitData, `not of corpus cases`},
		"a deep message":         {`{"jsonrpc":"2.0","id":1,"result":` + deep, exitOK, `malformed_reply`},
		"a deep case":            {`{"id":"a/b","reply":{"http":{"body":` + deep, exitData, `corpus case: .*depth`},
		"a deep HAR":             {`{"log":{"entries":` + deep, exitData, `HAR: .*depth`},
		"a cut message":          {`{"jsonrpc":"2.0","id":1,"res`, exitOK, `malformed_reply`},
		"a cut case file":        {`[{"id":"a/b","about":"x","reply":{"http"`, exitData, `corpus case: line 1, column \d+.*end`},
		"a case without a reply": {`[{"id":"a/b","about":"x","request":{"transport":"http","method":"ping","version":""}}]`, exitData, `case 0 \(a/b\).*"reply"`},
		"a case of two forms":    {`{"id":"a/b","request":{"transport":"stdio","method":"ping","version":""},"reply":{"http":{"status":200,"headers":[],"body":""}}}`, exitData, `a/b.*stdio`},
		"a case with a typo":     {`{"id":"a/b","request":{"transport":"htpp","method":"ping","version":""},"reply":{"lines":[]}}`, exitData, `a/b.*htpp.*"http" "stdio"`},
		"a HAR of web pages":     {`{"log":{"entries":[{"request":{"method":"GET","url":"/"},"response":{"status":200}}]}}`, exitData, `none of its 1 entries`},
		"a HAR with a word":      {"{\"log\":{\"entries\":[\n{\"request\":{\"method\":\"GET\"},\"response\":{\"status\":\"ok\"}}]}}", exitData, `HAR: line 2, column \d+: member log.entries.response.status cannot be a string`},
		"a HAR without reply":    {`{"log":{"entries":[{},{"request":{"postData":{"text":"{\"jsonrpc\":\"2.0\"}"}}}]}}`, exitData, `log.entries\[1\]: it has no response`},
		"a HAR with base64":      {`{"log":{"entries":[{"request":{"postData":{"text":"\"jsonrpc\""}},"response":{"status":200,"content":{"encoding":"base64","text":"?"}}}]}}`, exitData, `log.entries\[0\]: response.content.text: `},
		"a HAR that is none":     {`{"log":5}`, exitData, `HAR: line 1, column \d+: member log cannot be a number`},
		"a status of words":      {"HTTP/1.1 fine\n\n", exitData, `response 1: "HTTP/1.1 fine" is no status line`},
		"a header without colon": {"HTTP/1.1 200 OK\nno colon here\n\n", exitData, `response 1: the headers: .*blank line`},
		"only interim":           {"HTTP/1.1 100 Continue\n\n", exitData, `no final one`},
		"a bomb":                 {"HTTP/1.1 200 OK\nContent-Encoding: gzip\n\n" + zipped(t, 80<<20), exitData, `more than 67108864 bytes once decompressed; --max-bytes`},
		"no gzip":                {"HTTP/1.1 200 OK\nContent-Encoding: gzip\n\n\x1f\x8b and so on", exitData, `gzip: .*curl --compressed`},
		"many responses":         {strings.Repeat("HTTP/1.1 301 x\n\n", 2_000), exitOK, `not_mcp`},
		"long lines":             {`{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"` + strings.Repeat("a", 1<<20) + `"}}`, exitOK, `unknown_error`},
		"a long word":            {strings.Repeat("x", 1<<20), exitData, `no form fits`},
		"names without end":      {`{"jsonrpc":"2.0",` + strings.Repeat(`"a":1,`, 1<<16) + `"b":1}`, exitOK, `malformed_reply`},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr := mcperr(t, c.in, "explain")
			said := stdout
			if c.code != exitOK {
				said = stderr
				if len(stderr) > 1100 || stdout != "" {
					t.Errorf("%d bytes of error and %d of output", len(stderr), len(stdout))
				}
			}
			if code != c.code || !regexp.MustCompile("(?s)"+c.says).MatchString(said) {
				t.Errorf("exit %d, want %d and %q: %.600s", code, c.code, c.says, said)
			}
			if i := strings.IndexFunc(strings.ReplaceAll(stdout+stderr, "\n", ""), func(r rune) bool { return !unicode.IsPrint(r) }); i >= 0 {
				t.Errorf("control characters reach the terminal: %q", said)
			}
		})
	}
}

func zipped(t *testing.T, n int) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write(make([]byte, n)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
