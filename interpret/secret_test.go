package interpret

import (
	"encoding/json"
	"html"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// encoders are ways in which servers write a text.
var encoders = map[string]func(string) string{
	"nothing":       func(s string) string { return s },
	"JSON":          func(s string) string { return inQuotes(quote(s)) },
	"JSON in ASCII": func(s string) string { return inQuotes(inASCII(quote(s))) },
	"JSON for HTML": func(s string) string { b, _ := json.Marshal(s); return inQuotes(string(b)) },
	"JSON of PHP":   func(s string) string { return strings.ReplaceAll(inQuotes(quote(s)), "/", `\/`) },
	"Go":            func(s string) string { return inQuotes(strconv.QuoteToASCII(s)) },
	"HTML":          html.EscapeString,
	"a query":       url.QueryEscape,
	"a path":        url.PathEscape,
}

func inQuotes(quoted string) string { return quoted[1 : len(quoted)-1] }

// A page of HTML may show JSON, and JSON a URL: no encoder hides a secret from the host, nor does one after another.
func TestSecretIsFoundBehindTwoEncoders(t *testing.T) {
	const key = `Ab3/xY+9z=Q&k "é` + "\U0001f600<'>\n\\."
	s := NewScrubber(key)
	for first, a := range encoders {
		for second, b := range encoders {
			written := b(a(key))
			if got := s.RedactOwn("x" + written + "y"); got != "x[redacted]y" {
				t.Errorf("%s after %s, %s: %q", second, first, written, got)
			}
		}
	}
}

func TestSecretsOfAllSortsAreFoundBehindThreeEncoders(t *testing.T) {
	const letters = "abcXYZ019"
	const others = "-_.~!*'();:@&=+$,/?#[]%\"<>\\^`{|} \u00e9\u4e16\U0001f600"
	names := slices.Sorted(maps.Keys(encoders))
	drawn := rand.New(rand.NewPCG(1, 6))
	pick := func(from []rune) rune { return from[drawn.IntN(len(from))] }
	for range 20_000 {
		var key strings.Builder
		key.WriteRune(pick([]rune(letters)))
		for range 6 + drawn.IntN(20) {
			key.WriteRune(pick([]rune([]string{letters, others}[drawn.IntN(2)])))
		}
		key.WriteRune(pick([]rune(letters)))
		s, written, by := NewScrubber(key.String()), key.String(), ""
		for range drawn.IntN(4) {
			name := names[drawn.IntN(len(names))]
			written, by = encoders[name](written), by+" "+name
		}
		if got := s.RedactOwn("x " + written + " y"); strings.ReplaceAll(got, " ", "") != "x[redacted]y" { // white space next to one may go with it
			t.Fatalf("%q, by%s: %q", key.String(), by, got)
		}
	}
}

func TestSecretsInText(t *testing.T) {
	for _, c := range []struct {
		name         string
		secrets      []string
		text, scrubs string
	}{
		{"white space that is shown otherwise", []string{"two  spaces99"}, "got two  spaces99", "got [redacted]"},
		{"a tab", []string{"tab\there99"}, "got tab\there99 and tab here99", "got [redacted] and [redacted]"},
		{"lines that end otherwise", []string{"-----BEGIN\r\nkey99\r\n\r\nEND"}, "got -----BEGIN\nkey99\n\nEND!", "got [redacted]!"},
		{"white space around it", []string{" tok_abc123\n"}, "got tok_abc123.", "got [redacted]."},
		{"characters that nobody sees", []string{"tok_abc123"}, "got tok_\u200babc\u00ad123.", "got [redacted]."},
		{"one that has such", []string{"tok_\u200babc123"}, "got tok_\u200babc123.", "got [redacted]."},
		{"two that overlap", []string{"abcdXYZ1", "XYZ1efgh99"}, "got abcdXYZ1efgh99.", "got [redacted]."},
		{"one in another", []string{"sesame", "open-sesame-42"}, "open-sesame-42 sesame", "[redacted] [redacted]"},
		{"a part of the mark", []string{"acte", "redacted"}, "acte, redacted", "[redacted], [redacted]"},
		{"a code point in braces", []string{`p"w3456`}, `p\u{22}w3456`, "[redacted]"},
		{"names of HTML", []string{"a/b=c d99"}, "a&sol;b&equals;c&nbsp;d99", "[redacted]"},
		{"escapes that are none", []string{"p%zz&x;w-99"}, `\u12 \x1 \U12 \u{} \u{x} %4 %zz & &; &x; \`, `\u12 \x1 \U12 \u{} \u{x} %4 %zz & &; &x; \`},
		{"what is left of one when escapes are gone is too short", []string{"%41%42"}, "AB %41%42", "AB [redacted]"},
		{"what is short and written alike", []string{"w-99"}, "the w-9, W-99", "the w-9, W-99"},
	} {
		s := NewScrubber(c.secrets...)
		got := s.Scrub(c.text)
		if got != c.scrubs {
			t.Errorf("%s: %q, want %q", c.name, got, c.scrubs)
		}
		if again := s.Scrub(got); again != got {
			t.Errorf("%s: twice is %q", c.name, again)
		}
	}
}

// Where a long text is cut, nothing of a secret stays: it is taken out before.
func TestSecretsAtACut(t *testing.T) {
	for _, key := range []string{strings.Repeat("abc.def-", 80), strings.Repeat("line of a key\n", 20), "five words of a phrase", "sw0rd-fish"} {
		s := NewScrubber(key)
		for at := -len(key) - 2; at <= 2; at += 1 + len(key)/10 {
			text := strings.Repeat("é ", (saidHead+at)/3) + key + strings.Repeat(" é", saidHead/2)
			text += key + strings.Repeat(" é", (saidTail+at)/3)
			said := Outcome{Kind: ToolError, Result: []byte(`{"content":[{"type":"text","text":` + quote(text) + `}],"isError":true}`)}.Said(s)
			if left := strings.NewReplacer("é", "", " ", "", "\n", "", redacted, "").Replace(said.Text + said.Tail); left != "" {
				t.Errorf("%q, %d: %q is left", key, at, left)
			}
		}
		for _, before := range []string{strings.Repeat(" ", 8600), strings.Repeat("\u200b", 2900), strings.Repeat("\x1b[0m", 2200)} {
			for at := range 20 {
				want := strings.TrimSpace(strings.Repeat("x", at) + " [redacted]")
				if got := s.Line(before+strings.Repeat("x", at)+" "+key, 120); !strings.HasPrefix(want, strings.TrimRight(got, "…")) {
					t.Errorf("%q: %q", key, got)
				}
			}
		}
	}
}

// A server knows what we send it. This would take minutes if looking for it took more than a few passes.
func TestSecretsAreFoundInLinearTime(t *testing.T) {
	var many []string
	for i := range 200 {
		many = append(many, "!w0rd/"+strconv.Itoa(i)+"=")
	}
	for _, secrets := range [][]string{many, {strings.Repeat("-", 200)}, {"a1" + strings.Repeat(`\`, 200)}, {strings.Repeat("&", 2000) + "w0rd"}, {strings.Repeat("a", 4000) + "-b"}} {
		s := NewScrubber(secrets...)
		for _, unit := range []string{"w0rd", "-", `\`, `a1` + strings.Repeat(`\`, 199), "&amp;", "a", "%25", "+", "&"} {
			s.RedactOwn(strings.Repeat(unit, 1<<20/len(unit)))
		}
	}
}
