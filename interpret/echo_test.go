package interpret

import (
	"strconv"
	"strings"
	"testing"
)

func TestWhatWeSentIsCut(t *testing.T) {
	sent := func(arguments string) *Request {
		return &Request{
			Method: "tools/call", Target: "send_mail", ID: `"call-7f"`,
			Body: []byte(`{"jsonrpc":"2.0","id":"call-7f","method":"tools/call","params":{"name":"send_mail","arguments":` + arguments + `,"_meta":{"progressToken":"token-1"}}}`),
		}
	}
	for _, c := range []struct {
		name, arguments, message, want string
	}{
		{"the name", `{}`, `Unknown tool: send_mail`, `Unknown tool: ‹›`},
		{"the id", `{}`, `request call-7f failed`, `request ‹› failed`},
		{"a value", `{"to":"no such tool"}`, `refused: no such tool`, `refused: ‹›`},
		{"a value deep inside", `{"a":[1,{"b":["no such tool"]}]}`, `refused: no such tool`, `refused: ‹›`},
		{"a name of the arguments", `{"no such tool":1}`, `refused: no such tool`, `refused: ‹›`},
		{"arguments that are no object", `"no such tool"`, `refused: no such tool`, `refused: ‹›`},
		{"every time", `{"a":"tool"}`, `tool, tool: tool`, `‹›, ‹›: ‹›`},
		{"the longest first", `{"a":"tool","b":"tool name"}`, `tool name`, `‹›`},
		{"three characters", `{"a":"abc"}`, `abc`, `‹›`},
		{"two only where quoted", `{"a":"ab"}`, "ab \"ab\" 'ab' `ab`", `ab ‹› ‹› ‹›`},
		{"three characters of more bytes", `{"a":"äöü"}`, `äöü`, `‹›`},
		{"what the protocol put there is not", `{}`, `tools/call: params.name, arguments, token-1`, `tools/call: params.name, arguments, token-1`},
		{"numbers are not", `{"a":12345}`, `12345`, `12345`},
		{"nothing was sent twice", `{"a":""}`, `a ""`, `a ""`},

		{"escaped", `{"a":"say \"no such tool\"\n"}`, `{"a":"say \"no such tool\"\n"}`, `{‹›:"‹›"}`},
		{"escaped twice", `{"a":"say \"no such tool\""}`, `{\"a\":\"say \\\"no such tool\\\"\"}`, `{\"a\":\"‹›\"}`},
		{"escaped for HTML", `{"a":"<no such tool>"}`, `\u003cno such tool\u003e`, `‹›`},
		{"escaped for HTML twice", `{"a":"<no such tool>"}`, `\\u003cno such tool\\u003e`, `‹›`},
		{"escaped to ASCII", `{"a":"é no such tool"}`, `\u00e9 no such tool`, `‹›`},
		{"escaped to ASCII beyond 16 bits", `{"a":"😀 no such tool"}`, `\ud83d\ude00 no such tool`, `‹›`},
		{"escaped to ASCII with a control character", `{"a":"\u0007é no such tool"}`, `\u0007\u00e9 no such tool`, `‹›`},
		{"quoted by Go", `{"a":"\u0001 no such tool"}`, `"\x01 no such tool"`, `"‹›"`},
		{"escaped in the request", `{"a":"no\u0020such tool"}`, `no such tool`, `‹›`},
	} {
		if got := strings.ReplaceAll(withoutEchoes(c.message, sent(c.arguments)), cutMark, "‹›"); got != c.want {
			t.Errorf("%s: %s\ngot  %s\nwant %s", c.name, c.message, got, c.want)
		}
	}
}

func TestLongQuotationsAreCut(t *testing.T) {
	long, short := strings.Repeat("x", longQuote+1), strings.Repeat("x", longQuote)
	for _, c := range []struct{ name, message, want string }{
		{"over forty characters", `a "` + long + `" b`, `a ‹› b`},
		{"forty", `a "` + short + `" b`, `a "` + short + `" b`},
		{"characters, not bytes", `a "` + strings.Repeat("ä", longQuote) + `" b`, `a "` + strings.Repeat("ä", longQuote) + `" b`},
		{"single quotes", `a '` + long + `' b`, `a ‹› b`},
		{"backquotes", "a `" + long + "` b", `a ‹› b`},
		{"several", `"` + long + `" and '` + long + `'`, `‹› and ‹›`},
		{"one inside another", `a "` + long + ` 'b' ` + `" c`, `a ‹› c`},
		{"an apostrophe opens nothing", `the tool's ` + long + ` isn't there`, `the tool's ` + long + ` isn't there`},
		{"nor closes", `a 'the tool's ` + long + `' b`, `a ‹› b`},
		{"unclosed", `a "` + long, `a "` + long},
		{"escaped quotes close each other", `{\"a\":\"` + long + `\",\"b\":1}`, `{\"a\":\‹›,\"b\":1}`},
		{"one that closed opens none", `'send' is no tool here; this server has others, which stand on the list 'tools'`,
			`'send' is no tool here; this server has others, which stand on the list 'tools'`},
		{"nor after what was cut", `'` + cutMark + `' was not found among the tools of this server, see 'tools/list'`,
			`'‹›' was not found among the tools of this server, see 'tools/list'`},
		{"a long one after a short one", `'a' b '` + long + `'`, `'a' b ‹›`},
		{"but not a name of the protocol's", `Missing _meta field "io.modelcontextprotocol/clientCapabilities"`,
			`Missing _meta field "io.modelcontextprotocol/clientCapabilities"`},
		{"an escaped one", `[{\"path\":\"io.modelcontextprotocol/clientCapabilities\"}]`, `[{\"path\":\"io.modelcontextprotocol/clientCapabilities\"}]`},
		{"though a text that begins so", `"io.modelcontextprotocol/clientCapabilities is missing, says who"`, `‹›`},
		{"and no plain ones", `a "` + long + `\" b" c`, `a ‹› c`},
	} {
		if got := strings.ReplaceAll(cutLongQuotes(c.message), cutMark, "‹›"); got != c.want {
			t.Errorf("%s: %s\ngot  %s\nwant %s", c.name, c.message, got, c.want)
		}
	}
}

func TestWordsAreLookedForInTheFirstPart(t *testing.T) {
	if got := withoutEchoes(strings.Repeat("x", wordsLimit)+" unknown tool", &Request{}); len(got) != wordsLimit {
		t.Errorf("%d bytes", len(got))
	}
}

// Whatever the model's arguments are, an echo of them is not what decides.
func FuzzEcho(f *testing.F) {
	f.Add("no such tool", uint8(0))
	f.Add("client does not support \"sampling\" 😀\n\\", uint8(6))
	f.Add("missing required argument é<", uint8(15))
	f.Fuzz(func(t *testing.T, argument string, how uint8) {
		argument = strings.ToValidUTF8(argument, "�")
		req := &Request{Method: "tools/call", Target: "x", Body: []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"a":` + quote(argument) + `}}}`)}
		echo := argument
		forms := []func(string) string{nil, quote, func(s string) string { return inASCII(quote(s)) }, strconv.Quote}
		for ; how > 0; how /= 4 { // 0 and 1 to 15: as it is, escaped once, escaped twice
			if form := forms[how%4]; form != nil && how < 16 {
				q := form(echo)
				echo = q[1 : len(q)-1]
			}
		}
		if len(echo) > wordsLimit-20 {
			return
		}
		got := withoutEchoes(`refused: "`+echo+`"`, req)
		for _, p := range []*topic{saysNoTool, saysNoPrompt, saysNoResource, saysArgument, saysCapability, saysOutput, saysTask, saysMeta, saysSession, saysHandshake} {
			if p.in(got) && p.in(echo) {
				t.Fatalf("an echo speaks: %q", got)
			}
		}
	})
}
