package interpret

import (
	"fmt"
	"testing"

	"github.com/mcperr/mcperr/internal/proto"
)

func TestWhatAResultSaysOfItself(t *testing.T) {
	for raw, want := range map[string]bool{
		"": false, "false": false, "null": false, `""`: false, "0": false, "0.0": false, "-0": false, "0e5": false,
		"true": true, "1": true, "0.5": true, `"false"`: true, `" "`: true, "[]": true, "{}": true, "1e999": true,
	} {
		r := result{isError: []byte(raw)}
		if r.fails() != want {
			t.Errorf("isError %s: fails: %t", raw, !want)
		}
	}
	for raw, want := range map[string]string{"": "complete", `"complete"`: "complete", `"t\u0061sk"`: "task", `"Task"`: "Task", `""`: "", "null": "", "1": ""} {
		r := result{}
		if raw != "" {
			r.resultType = []byte(raw)
		}
		if got := r.kind(); got != want {
			t.Errorf("resultType %s: got %q", raw, got)
		}
	}
	for raw, want := range map[string]bool{"[]": true, "[ \n]": true, "[0]": false, "{}": false, "": false, "null": false} {
		if emptyArray([]byte(raw)) != want {
			t.Errorf("%s: an empty array: %t", raw, !want)
		}
	}
}

func TestCapabilityLeaves(t *testing.T) {
	for raw, want := range map[string]string{
		`{}`: "[]", `{"sampling":{}}`: "[sampling]", `{"roots":{"listChanged":true},"elicitation":{"url":{},"form":{}}}`: "[elicitation.form elicitation.url roots.listChanged]",
		`{"a":{"b":{"c":{"d":{"e":{}}}}}}`: "[a.b.c.d]", `{"":{"x":1},"b":1}`: "[b]", `{"a":{"":1}}`: "[a]", `{"a":1,"a":2}`: "[a]", `[]`: "[]", ``: "[]", `"a"`: "[]",
	} {
		if got := fmt.Sprint(leaves([]byte(raw))); got != want {
			t.Errorf("%s: got %s, want %s", raw, got, want)
		}
	}
}

func TestHeaderValues(t *testing.T) {
	for v, want := range map[string]string{
		"add": "add", "=?base64?w6TDtg==?=": "äö", "=?base64??=": "", "=?base64?!?=": "=?base64?!?=", "=?base64?w6TDtg==": "=?base64?w6TDtg==",
		"=?BASE64?w6TDtg==?=": "=?BASE64?w6TDtg==?=", "abcd?=": "abcd?=", "": "",
	} {
		if got := proto.DecodeHeader(v); got != want {
			t.Errorf("%s: got %q, want %q", v, got, want)
		}
	}
	for u, want := range map[string]bool{
		"https://mcp.example": true, "HTTP://mcp.example/a": true, "https://": false, "https:a": false, "//mcp.example": false, "ftp://a": false,
		"javascript:alert(1)": false, "data:text/html,x": false, "": false, "https://[::1": false, " https://mcp.example": false,
	} {
		if isWebURL(u) != want {
			t.Errorf("%q: of the web: %t", u, !want)
		}
	}
}
