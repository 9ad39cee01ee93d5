package main

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// unseen is what a terminal may obey: escape sequences with both introducers, bidi marks, a tag beyond the basic plane.
const unseen = "a\x1b]0;title\a\u009b31mb\u202ec\u2066\u200d\U000e0041\x7f"

// unprinted returns the first character of an output that does not print, -1 if there is none.
func unprinted(s string) int {
	return strings.IndexFunc(s, func(r rune) bool { return r != '\n' && !unicode.IsPrint(r) })
}

// Whatever stands in an input, and whatever is asked of explain, no control character reaches the terminal.
func TestNothingUnseenReachesTheTerminal(t *testing.T) {
	quote := func(s string) string {
		b, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	hostile := quote(unseen)
	request := quote(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":` + hostile + `}}`)
	body := `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":` + hostile + `,"data":{"field":` + hostile + `}}}`
	for name, in := range map[string]string{
		"a message":                 body,
		"a response":                "HTTP/1.1 400 Bad\r\nWWW-Authenticate: Bearer scope=\"\u009bx\"\r\n\r\n" + body,
		"a browser's error":         `{"request":{"method":"POST","url":"http://h/","postData":{"text":` + request + `}},"response":{"status":0,"_error":` + hostile + `}}`,
		"a recorded reply":          `{"request":{"method":"POST","url":"http://h/","postData":{"text":` + request + `}},"response":{"status":400,"content":{"text":` + quote(body) + `}}}`,
		"a transcript":              `{"jsonrpc":"2.0","id":"` + "\u009b\u202e" + `","method":"tools/call","params":{"name":"x"}}` + "\n",
		"bytes that are no UTF-8":   `{"jsonrpc":"2.0","id":"` + "\x9b31m" + `","error":{"code":1,"message":"` + "\x9b31m" + `"}}`,
		"a result with such a text": `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":` + hostile + `}]}}`,
	} {
		for _, args := range [][]string{nil, {"--json"}, {"--json", "--model"}, {"--model"}, {"--case", "a@1/http-2025-11-25/x"}} {
			code, stdout, stderr := mcperr(t, in, append([]string{"explain"}, args...)...)
			if i := unprinted(stdout + stderr); code != exitOK || i >= 0 || !utf8.ValidString(stdout+stderr) {
				t.Errorf("%s, %v: exit %d, character %d: %q %q", name, args, code, i, stdout, stderr)
			}
		}
	}
}

func TestEscapedJSONMeansTheSame(t *testing.T) {
	want := map[string]string{"ä\u009b": unseen + "日本語 <&> \U0001f600 \u2028"}
	e, out := testEnv("")
	if err := e.json(want, "  "); err != nil || e.out.Flush() != nil {
		t.Fatal(err)
	}
	var got map[string]string
	if err := json.Unmarshal(out.Bytes(), &got); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	if text := out.String(); unprinted(text) >= 0 || !strings.Contains(text, "ä") || !strings.Contains(text, "日本語 <&> \U0001f600") || !strings.Contains(text, `\u009b31m`) || !strings.Contains(text, `\udb40\udc41`) {
		t.Errorf("it is written as %q", text)
	}
}
