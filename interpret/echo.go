package interpret

import (
	"bytes"
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Servers echo requests, and a model chooses its arguments: before words are matched, what we sent is cut from them.

const (
	wordsLimit = 16 << 10 // bytes of a text that words are looked for in; more is a dump, not a message
	longQuote  = 40       // characters of a quoted string from which on it is taken for an echo
	shortEcho  = 3        // characters below which an echo is cut only where quoted
	cutMark    = "\x00"   // stands where something was cut, so that no phrase closes over the gap
)

// withoutEchoes returns s without the strings that the request sent, in their raw and escaped forms, and without long quotations.
func withoutEchoes(s string, req *Request) string {
	s = s[:min(len(s), wordsLimit)]
	return echoesOf(sentStrings(req), len(s)).cut(s)
}

// bodyWords returns what a body says that is no JSON-RPC: of JSON each string by itself, on lines that no phrase crosses, for the quotation
// marks of JSON quote nothing.
func bodyWords(body []byte, req *Request) string {
	body = bytes.TrimPrefix(body, bom)
	if !valid(body) {
		return withoutEchoes(string(body[:min(len(body), wordsLimit)]), req)
	}
	left := wordsLimit
	sent := echoesOf(sentStrings(req), left)
	var said []string
	eachString(body, false, func(s string) {
		if s = s[:min(len(s), left)]; s != "" {
			left -= len(s)
			said = append(said, sent.cut(s))
		}
	})
	return strings.Join(said, "\n")
}

// echoes finds the strings that a request sent. It is made once for all texts of a reply: there may be many strings, and many texts.
type echoes struct {
	whole  *strings.Replacer
	starts map[string][]string // by the first bytes, beginning of them
}

// echoesOf prepares for texts of limit bytes at the most.
func echoesOf(sent []string, limit int) *echoes {
	return &echoes{strings.NewReplacer(echoPairs(sent, limit)...), startsOf(sent)}
}

func (e *echoes) cut(s string) string {
	return cutLongQuotes(e.cutBeginnings(e.whole.Replace(s)))
}

// sentStrings collects target, id, and every string value and member name of the arguments.
func sentStrings(req *Request) []string {
	var sent []string
	add := func(s string) {
		if s != "" {
			sent = append(sent, s)
		}
	}
	add(req.Target)
	if id := text([]byte(req.ID)); id != nil {
		add(string(id))
	}
	params := member(req.Body, "params")
	members(params, func(name, v []byte) bool {
		switch string(name) {
		case "_meta": // the protocol's own
		case "arguments":
			eachString(v, true, add)
		default:
			eachString(v, false, add)
		}
		return true
	})
	return sent
}

// eachString visits every string value inside raw, and with names every member name too.
func eachString(raw []byte, names bool, visit func(string)) {
	t := newTokens(raw)
	defer t.done()
	for depth := 0; ; {
		switch t.kind() {
		case '{', '[':
			depth++
			t.enter()
		case '}', ']':
			depth--
			t.leave()
		case '"':
			if isName := t.atName(); names || !isName {
				visit(string(t.name()))
			} else {
				t.skip()
			}
		case 0:
			return
		default:
			t.skip()
		}
		if depth == 0 || t.err != nil {
			return
		}
	}
}

// echoPairs turns strings into the argument list of a strings.Replacer, longest first, for the first that matches wins.
// Strings longer than limit, the length of the text, are left to cutBeginnings.
func echoPairs(sent []string, limit int) []string {
	var forms []string
	for _, s := range sent {
		if len(s) > limit {
			continue
		}
		if utf8.RuneCountInString(s) < shortEcho {
			for _, q := range []string{`"`, `'`, "`"} {
				forms = append(forms, q+s+q)
			}
			continue
		}
		once := escapes(s)
		forms = append(forms, s)
		forms = append(forms, once...)
		for _, e := range once {
			forms = append(forms, escapes(e)...)
		}
	}
	slices.SortFunc(forms, func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	forms = slices.Compact(forms)
	pairs := make([]string, 0, 2*len(forms))
	for _, f := range forms {
		pairs = append(pairs, f, cutMark)
	}
	return pairs
}

// beginning is how many bytes of a sent string are taken for an echo of it that was cut short.
const beginning = 16

// startsOf finds sent strings of more than beginning bytes by how they begin, raw or as JSON.
func startsOf(sent []string) map[string][]string {
	const most = 64 // strings that begin alike: more of them are told apart by nobody
	starts := map[string][]string{}
	add := func(e string) {
		if len(e) > beginning && len(starts[e[:beginning]]) < most {
			starts[e[:beginning]] = append(starts[e[:beginning]], e)
		}
	}
	for _, e := range sent {
		e = e[:min(len(e), wordsLimit)]
		add(e)
		if strings.ContainsFunc(e, func(r rune) bool { return r < ' ' || r == '"' || r == '\\' }) {
			q := quote(e)
			add(q[1 : len(q)-1])
		}
	}
	return starts
}

// cutBeginnings removes the beginnings of sent strings, of beginning bytes and more: servers shorten what they echo.
func (e *echoes) cutBeginnings(s string) string {
	if len(e.starts) == 0 {
		return s
	}
	var out strings.Builder
	for i := 0; i < len(s); {
		longest := 0
		if i+beginning <= len(s) {
			for _, sent := range e.starts[s[i:i+beginning]] {
				longest = max(longest, commonPrefix(sent, s[i:]))
			}
		}
		if longest > 0 {
			out.WriteString(cutMark)
			i += longest
			continue
		}
		out.WriteByte(s[i])
		i++
	}
	return out.String()
}

func commonPrefix(a, b string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// escapes returns the ways in which servers write s inside quotes, where they differ from s:
// as JSON with as little escaped as can be, with < > & escaped, in ASCII only; and as a Go literal.
func escapes(s string) []string {
	var out []string
	add := func(quoted string) {
		if e := quoted[1 : len(quoted)-1]; len(e) <= wordsLimit && e != s && !slices.Contains(out, e) {
			out = append(out, e)
		}
	}
	least := quote(s)
	add(least)
	if b, err := json.Marshal(s); err == nil {
		add(string(b))
	}
	add(inASCII(least))
	add(strconv.Quote(s))
	return out
}

// inASCII escapes what is not ASCII in a JSON string.
func inASCII(quoted string) string {
	if plain([]byte(quoted)) {
		return quoted
	}
	const hex = "0123456789abcdef"
	b := make([]byte, 0, 2*len(quoted))
	for _, r := range quoted {
		if len(b) > wordsLimit {
			return quoted // as long as no message is
		}
		if r < utf8.RuneSelf {
			b = append(b, byte(r))
			continue
		}
		for _, u := range utf16.AppendRune(nil, r) {
			b = append(b, '\\', 'u', hex[u>>12], hex[u>>8&15], hex[u>>4&15], hex[u&15])
		}
	}
	return string(b)
}

// cutLongQuotes removes quoted strings of more than longQuote characters. A quote counts at the edge of a word only, so that an
// apostrophe opens nothing, and one that closed a string opens none. The protocol's own long names stay: they are no echo.
func cutLongQuotes(s string) string {
	var out strings.Builder
	unclosed := "" // quotes, each with its escapes, that nothing closes from here on: looked for once, not at every opening
	for i := 0; i < len(s); {
		key := s[i:i+1] + strconv.Itoa(backslashes(s, i))
		if strings.Contains("\"'`", key[:1]) && !strings.Contains(unclosed, key) && !wordBefore(s, i-backslashes(s, i)) {
			end := closingQuote(s, i)
			switch {
			case end < 0:
				unclosed += key
			case utf8.RuneCountInString(s[i+1:end]) > longQuote && !protocolName.MatchString(s[i+1:end]):
				out.WriteString(cutMark)
				i = end + 1
				continue
			default:
				out.WriteString(s[i : end+1])
				i = end + 1
				continue
			}
		}
		out.WriteByte(s[i])
		i++
	}
	return out.String()
}

// protocolName is a name of the protocol's that is long enough to be taken for an echo, with the backslashes before a quote that is escaped.
var protocolName = regexp.MustCompile(`^io\.modelcontextprotocol/[\w.-]+\\*$`)

// closingQuote returns the index of the quote that closes the one at i, -1 if none does. It is escaped as often as the one that opens.
func closingQuote(s string, i int) int {
	for j := i + 1; j < len(s); j++ {
		if s[j] == s[i] && !wordAfter(s, j+1) && backslashes(s, j) == backslashes(s, i) {
			return j
		}
	}
	return -1
}

// backslashes counts those before i, as far as anybody escapes.
func backslashes(s string, i int) (n int) {
	for n < 8 && n < i && s[i-1-n] == '\\' {
		n++
	}
	return n
}

func wordBefore(s string, i int) bool {
	r, _ := utf8.DecodeLastRuneInString(s[:i])
	return isWord(r) || strings.HasSuffix(s[:i], cutMark) // what was cut was a word, or ended in one
}

func wordAfter(s string, i int) bool {
	r, _ := utf8.DecodeRuneInString(s[i:])
	return isWord(r)
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
