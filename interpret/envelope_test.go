package interpret

import (
	"fmt"
	"strings"
	"testing"
)

func TestIntegers(t *testing.T) {
	for raw, want := range map[string]int64{
		"0": 0, "-0": 0, "1": 1, "-32601": -32601, "1.0": 1, "-32601.0": -32601, "1e3": 1000, "-326.01e2": -32601, "10e-1": 1,
		"9007199254740991": 1<<53 - 1, "-9007199254740991": -(1<<53 - 1),
	} {
		if got, ok := integer([]byte(raw)); !ok || got != want {
			t.Errorf("%s: got %d, %t", raw, got, ok)
		}
	}
	for _, raw := range []string{
		"", "1.5", "1e-3", "9007199254740992", "-9007199254740992", "9007199254740993", "99999999999999999999", "1e400", "-1e400",
		`"1"`, "null", "true", "[1]", "{}",
	} {
		if got, ok := integer([]byte(raw)); ok || got != 0 {
			t.Errorf("%s: got %d, %t, want none", raw, got, ok)
		}
	}
}

func TestIDsAreComparedAsText(t *testing.T) {
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`1`, `1`, true}, {`1`, `2`, false}, {`1`, `"1"`, false}, {`1`, `1.0`, false}, {`1`, `01`, false},
		{`9007199254740993`, `9007199254740992`, false}, {`9007199254740993`, `9007199254740993`, true},
		{`"a"`, `"a"`, true}, {`"a"`, `"\u0061"`, true}, {`"a"`, `"A"`, false}, {`"é"`, `"\u00e9"`, true}, {`"é"`, `"e\u0301"`, false},
		{`"/"`, `"\/"`, true}, {`""`, `""`, true}, {`""`, ``, false}, {`null`, `null`, true}, {`null`, `"null"`, false},
	} {
		if sameID([]byte(c.a), []byte(c.b)) != c.same || sameID([]byte(c.b), []byte(c.a)) != c.same {
			t.Errorf("%s and %s: want the same: %t", c.a, c.b, c.same)
		}
	}
}

func TestMessages(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a result", `{"jsonrpc":"2.0","id":1,"result":{}}`, "rpc good"},
		{"an error", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"m"}}`, "rpc faulty 1"},
		{"a request", `{"jsonrpc":"2.0","id":1,"method":"ping"}`, "rpc method"},
		{"both", `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1}}`, "rpc both 1"},
		{"a null beside a result", `{"jsonrpc":"2.0","id":1,"result":{},"error":null}`, "rpc good"},
		{"a null beside an error", `{"jsonrpc":"2.0","id":1,"result":null,"error":{"code":1}}`, "rpc faulty 1"},
		{"two nulls", `{"jsonrpc":"2.0","id":1,"result":null,"error":null}`, "rpc good"},
		{"an error that is null", `{"jsonrpc":"2.0","id":1,"error":null}`, "rpc"},
		{"neither", `{"jsonrpc":"2.0","id":1}`, "rpc"},
		{"an error that is no object", `{"jsonrpc":"2.0","id":1,"error":"boom"}`, "rpc faulty"},
		{"a code that is a string", `{"jsonrpc":"2.0","id":1,"error":{"code":"1"}}`, "rpc faulty"},
		{"a code that is a whole float", `{"jsonrpc":"2.0","id":1,"error":{"code":-3.2601e4}}`, "rpc faulty -32601"},
		{"without a version", `{"id":1,"result":{}}`, "rpc good"},
		{"of another version", `{"jsonrpc":"1.0","id":1,"result":{}}`, "rpc good"},
		{"without an id or a version", `{"result":{}}`, "json"},
		{"white space around it", " \r\n\t" + `{"jsonrpc":"2.0","id":1,"result":{}}` + " \n", "rpc good"},
		{"a byte order mark", "\ufeff" + `{"jsonrpc":"2.0","id":1,"result":{}}`, "rpc good"},
		{"two of them", "\ufeff\ufeff" + `{"jsonrpc":"2.0","id":1,"result":{}}`, ""},
		{"an array", `[{"jsonrpc":"2.0","id":1,"result":{}}]`, "json"},
		{"a scalar", `"2.0"`, "json"},
		{"other JSON", `{"error":"not found"}`, "json"},
		{"half of it", `{"jsonrpc":"2.0","id":1,"result":{`, ""},
		{"a comma too many", `{"jsonrpc":"2.0","id":1,"result":{},}`, ""},
		{"NaN", `{"jsonrpc":"2.0","id":1,"result":{"n":NaN}}`, ""},
		{"nothing", ``, ""},

		{"a member twice", `{"jsonrpc":"2.0","id":1,"id":1,"result":{}}`, "rpc duplicate_member good"},
		{"one that nothing defines", `{"jsonrpc":"2.0","id":1,"x":1,"x":1,"result":{}}`, "rpc duplicate_member good"},
		{"a member of the error twice", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"code":2}}`, "rpc duplicate_member faulty 2"},
		{"a member at the top of the result twice", `{"jsonrpc":"2.0","id":1,"result":{"isError":true,"is\u0045rror":false}}`, "rpc duplicate_member good"},
		{"a member inside the content twice", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","type":"text"}]}}`, "rpc good"},
		{"a member of the data twice", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"data":{"a":1,"a":2}}}`, "rpc faulty 1"},
		{"a name in another case is another name", `{"jsonrpc":"2.0","id":1,"ID":2,"result":{}}`, "rpc folded good"},
		{"by Unicode's rules, too", `{"jsonrpc":"2.0","id":1,"result":{"iſError":true}}`, "rpc folded good"},
		{"something after it", `{"jsonrpc":"2.0","id":1,"result":{}}x`, "rpc trailing_data good"},
		{"NUL after it", `{"jsonrpc":"2.0","id":1,"result":{}}` + "\x00", "rpc trailing_data good"},
		{"another message after it", `{"jsonrpc":"2.0","id":1,"result":{}}{}`, "rpc trailing_data good"},
		{"bytes that are no UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"\xff\"}}", "rpc good"},
		{"as deep as can be", `{"jsonrpc":"2.0","id":1,"result":{"a":` + strings.Repeat("[", 9998) + strings.Repeat("]", 9998) + `}}`, "rpc good"},
		{"deeper", `{"jsonrpc":"2.0","id":1,"result":{"a":` + strings.Repeat("[", 9999) + strings.Repeat("]", 9999) + `}}`, "rpc deep good"},
		{"deeper, and nothing known of it before", `{"result":` + strings.Repeat("[", 10_001), "deep good"},
		{"as many names as can be", `{"jsonrpc":"2.0","id":1,"result":{` + names(maxNames) + `}}`, "rpc good"},
		{"one more", `{"jsonrpc":"2.0","id":1,"result":{` + names(maxNames+1) + `}}`, "rpc deep good"},
	} {
		m := readMessage([]byte(c.text))
		if got := seenAs(&m); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

// seenAs tells what a message was read as.
func seenAs(m *message) string {
	var list []string
	for _, w := range []struct {
		word string
		is   bool
	}{
		{"json", m.form == notRPC}, {"rpc", m.form == isRPC}, {"deep", m.deep}, {string(m.unread), m.unread != ""}, {"folded", m.folded},
		{"method", m.hasMethod}, {"both", m.both()}, {"faulty", m.faulty()}, {"good", m.good()}, {fmt.Sprint(m.rpc.code), m.rpc.hasCode},
	} {
		if w.is && (m.form != notJSON || m.deep) && (m.form == isRPC || w.word == "json" || m.deep) {
			list = append(list, w.word)
		}
	}
	return strings.Join(list, " ")
}

func names(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf(`"n%d":0`, i)
	}
	return strings.Join(list, ",")
}

// A name is remembered as what it says, even where it was written over later.
func TestManyNamesTwice(t *testing.T) {
	for _, n := range []int{1, 15, 16, 17, 100, maxNames - 1} {
		m := readMessage([]byte(`{"jsonrpc":"2.0","id":1,"result":{` + names(n) + `,"n` + fmt.Sprint(n-1) + `":1}}`))
		if m.unread != DuplicateMember {
			t.Errorf("the last of %d names twice: %q", n, m.unread)
		}
	}
}
