package interpret

import (
	"strings"
	"testing"
)

// What each text is after scrubbing, written by hand.
func TestScrub(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"EXAMPLE_API_KEY=sk-test-000000 was rejected by https://user:pw@api.example.com/v1?token=abc",
			"EXAMPLE_API_KEY=[redacted] was rejected by https://[redacted]@api.example.com/v1?token=[redacted]"},
		{"Authorization: Bearer test-000000 was rejected", "Authorization: Bearer [redacted] was rejected"},
		{"bad key sk-ant-abc123DEF, sorry", "bad key [redacted], sorry"},
		{"postgres://app@db.internal/x", "postgres://[redacted]@db.internal/x"},
		{"postgres://app:p@ss@db.internal/x", "postgres://[redacted]@db.internal/x"},
		{"GET https://x.example/a?page=2&api_key=q1&sort=asc", "GET https://x.example/a?page=2&api_key=[redacted]&sort=asc"},
		{"https://s3.example/o?X-Amz-Credential=AK%2F1&X-Amz-Signature=0f9a&X-Amz-Date=2026", "https://s3.example/o?X-Amz-Credential=[redacted]&X-Amz-Signature=[redacted]&X-Amz-Date=2026"},
		{`{"url":"https://x.example/?a=b\u0026token=q\u0026sig=r\u0026z=1"}`, `{"url":"https://x.example/?a=b\u0026token=[redacted]\u0026sig=[redacted]\u0026z=1"}`},
		{"https://maps.example/?key=abc", "https://maps.example/?key=[redacted]"},
		{`{"error":"denied","access_token":"abc def"}`, `{"error":"denied","access_token":"[redacted]"}`},
		{`{\"password\":\"x\",\"user\":\"ann\"}`, `{\"password\":\"[redacted]\",\"user\":\"ann\"}`},
		{`{'password': 'x', 'user': 'ann'}`, `{'password': '[redacted]', 'user': 'ann'}`},
		{"config error: token=abc", "config error: token=[redacted]"},
		{"Server=db;User Id=sa;Password=hunter;Timeout=3", "Server=db;User Id=sa;Password=[redacted];Timeout=3"},
		{"DefaultEndpointsProtocol=https;AccountKey=ab/c+d==;", "DefaultEndpointsProtocol=https;AccountKey=[redacted];"},
		{"curl -H 'X-Api-Key: 9f8e7d6c'", "curl -H 'X-Api-Key: [redacted]'"},
		{"Cookie: sid=abc; theme=dark", "Cookie: [redacted]"},
		{"Set-Cookie: sid=abc; Path=/; HttpOnly", "Set-Cookie: [redacted]"},
		{"Authorization: Basic dXNlcjpwdw==", "Authorization: Basic [redacted]"},
		{"sent Basic dXNlcjpwdw", "sent Basic [redacted]"},
		{"jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln expired", "jwt [redacted] expired"},
		{"ghp_0123456789abcdefghij and AKIAIOSFODNN7EXAMPLE", "[redacted] and [redacted]"},
		{"-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nend", "[redacted]\nend"},
		{"-----BEGIN PRIVATE KEY-----\nMIIE", "[redacted]"},
		{"clientSecret: s3cr3t!", "clientSecret: [redacted]"},

		// Not credentials.
		{"password: must be at least 8 characters", "password: must be at least 8 characters"},
		{"token: expected a string", "token: expected a string"},
		{"max_tokens=4096 is over the limit", "max_tokens=4096 is over the limit"},
		{"maxTokens: 4096a", "maxTokens: 4096a"},
		{"Bearer token is missing", "Bearer token is missing"},
		{"bearer authentication required", "bearer authentication required"},
		{`Bearer realm="mcp", error="invalid_token", resource_metadata="https://a.example/x"`, `Bearer realm="mcp", error="invalid_token", resource_metadata="https://a.example/x"`},
		{"basic HTTP usage", "basic HTTP usage"},
		{"the compass: 12north3", "the compass: 12north3"},
		{`"token": null`, `"token": null`},
		{"author: j0hn_doe", "author: j0hn_doe"},
		{"https://api.example.com:8443/users/a@b.example", "https://api.example.com:8443/users/a@b.example"},
		{"tool 'sk' failed, ask-me-anything", "tool 'sk' failed, ask-me-anything"},

		// What cannot be seen.
		{"a\x1b[31mred\x1b[0m\x1b]8;;https://evil.example\x07link\x1b]8;;\x1b\\ b", "aredlink b"},
		{"a\u200bb\u202ec\u2066d\ufeff\U000e0041e\u00adf\u3164g\ufe0f", "abcdefg"},
		{"s\u200bk-abcdef123", "[redacted]"},
		{"one\r\ntwo\rthree\u2028four\vfive\n\n\nsix", "one\ntwo\nthree\nfour\nfive\nsix"},
		{"a \t\u00a0\u3000 b  ", "a b"},
		{"caf\xe9", "caf\ufffd"},
		{"x\x00y\x7f\x9b1mz", "xy\ufffd1mz"},
		{"参数校验失败 🙂", "参数校验失败 🙂"},
	} {
		if got := new(Scrubber).Scrub(c.text); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.text, got, c.want)
		}
		if got := new(Scrubber).Scrub(c.want); got != c.want {
			t.Errorf("twice: %q becomes %q", c.want, got)
		}
	}
}

func TestScrubLiterals(t *testing.T) {
	s := NewScrubber("pa\"ss&word", "abc", "пароль")
	for _, c := range []struct{ text, want string }{
		{`got pa"ss&word`, "got [redacted]"},
		{`{"x":"pa\"ss\u0026word"}`, `{"x":"[redacted]"}`},
		{`pa\"ss&word`, "[redacted]"},
		{`?q=pa%22ss%26word`, "?q=[redacted]"},
		{"abc is too short to be a secret", "abc is too short to be a secret"},
		{"пар\u200bоль", "[redacted]"},
		{`\u043f\u0430\u0440\u043e\u043b\u044c`, "[redacted]"},
	} {
		if got := s.Scrub(c.text); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
	const key = `Ab3/xY+9z=Q&k "é` + "\U0001f600"
	s = NewScrubber(key, "half\xffbyte")
	for _, written := range []string{
		key, `Ab3\/xY+9z=Q&k \"é😀`, `Ab3/xY\u002B9z=Q\u0026k \u0022\u00E9\uD83D\uDE00`, `Ab3/xY+9z\u003dQ\u0026k \"é😀`,
		`Ab3\\\/xY+9z=Q\\u0026k \\\"\\u00e9\\ud83d\\ude00`, `Ab3/xY+9z=Q&amp;k &quot;é😀`, `Ab3&#x2F;xY&#43;9z&#61;Q&amp;k &#34;&#xE9;&#128512;`,
		`Ab3/xY+9z=Q&amp;amp;k &amp;quot;é😀`, `Ab3%2fxY%2b9z%3dQ%26k+%22%c3%a9%f0%9f%98%80`, `Ab3%252FxY%252B9z%253DQ%2526k%2520%2522%25C3%25A9%25F0%259F%2598%2580`,
		`Ab3/xY+9z=Q&k \"\u00e9\U0001f600`, "half\xffbyte",
	} {
		if got := s.RedactOwn("x" + written + "y"); got != "x[redacted]y" {
			t.Errorf("%s: %q", written, got)
		}
	}
	for _, other := range []string{`Ab3\/xY+9z=Q`, `ab3/xY+9z=Q&k "é😀`, `Ab3%2cxY+9z=Q&k "é😀`} {
		if got := s.RedactOwn(other); got != other {
			t.Errorf("%s: %q", other, got)
		}
	}
	if got := (*Scrubber)(nil).Scrub("token=abc"); got != "token=[redacted]" {
		t.Errorf("a nil scrubber: %q", got)
	}
}

// Of two scrubbers put together the longest value wins, whosever it is: nothing of it stays.
func TestScrubbersTogether(t *testing.T) {
	const text = "the keys open-sesame-42, sesame and swordfish"
	a, b, none := NewScrubber("sesame", "swordfish"), NewScrubber("open-sesame-42"), NewScrubber()
	for _, c := range []struct {
		s    *Scrubber
		want string
	}{
		{a.With(b), "the keys [redacted], [redacted] and [redacted]"},
		{b.With(a), "the keys [redacted], [redacted] and [redacted]"},
		{a.With(none).With(nil), "the keys open-[redacted]-42, [redacted] and [redacted]"},
		{none.With(b), "the keys [redacted], sesame and swordfish"},
		{(*Scrubber)(nil).With(b), "the keys [redacted], sesame and swordfish"},
		{(*Scrubber)(nil).With(nil), text},
		{(*Scrubber)(nil).With(none), text},
	} {
		if got := c.s.Scrub(text); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if both := a.With(b); both.With(a) != both || b.With(both) != both || a.With(nil) != a || a.Redact(text) == both.Redact(text) {
		t.Error("what adds nothing makes another scrubber, or a scrubber was changed")
	}
}

// Neither length nor repetition makes it slow: this would take minutes if a form were matched in quadratic time.
func TestScrubIsLinear(t *testing.T) {
	for _, unit := range []string{"token:", "token: ", `"token":"`, "a=", "://", "bearer ", "-----BEGIN PRIVATE KEY-----", "\x1b[", "cookie: a=", "?key=", `\`, "sk-",
		`"token":[`, `"token":{"`, `["token","`, `"name":"token",`, `"value":"a",`, "--token \"", "-u a:", "<token>", "<token>a", "a://b:c#", "a://b:", "%3D", "token%3Da%26", "token%3D", "token&quot;:&quot;", "token:\n ", "response=\"", "digest response=", "1234567:AA", "："} {
		new(Scrubber).Scrub(strings.Repeat(unit, 1<<14/len(unit)))
		new(Scrubber).Redact(`"token":[` + strings.Repeat(unit, 1<<14/len(unit)))
	}
}
