package interpret

import (
	"encoding/json"
	"html"
	"net/url"
	"strconv"
	"testing"
)

// A page of HTML may show JSON, and JSON a URL: no encoder hides a secret from the host, nor does one after another.
func TestSecretIsFoundBehindTwoEncoders(t *testing.T) {
	const key = `Ab3/xY+9z=Q&k "é` + "\U0001f600<'>\n\\."
	body := func(quoted string) string { return quoted[1 : len(quoted)-1] }
	encoders := map[string]func(string) string{
		"nothing":       func(s string) string { return s },
		"JSON":          func(s string) string { return body(quote(s)) },
		"JSON in ASCII": func(s string) string { return body(inASCII(quote(s))) },
		"JSON for HTML": func(s string) string { b, _ := json.Marshal(s); return body(string(b)) },
		"Go":            func(s string) string { return body(strconv.QuoteToASCII(s)) },
		"HTML":          html.EscapeString,
		"a query":       url.QueryEscape,
		"a path":        url.PathEscape,
	}
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
