package interpret

import (
	"regexp"
	"strings"
	"unicode"
)

// redactNamed replaces what stands behind the name of a secret and a colon or an equals sign: in a URL, a header, a command line, a
// configuration or JSON, also where its quotes are escaped. It reads s once, from one divider to the next.
func redactNamed(s string) string {
	const longestName = 64
	var b strings.Builder
	done := 0
	for i := 0; i < len(s); i++ {
		if s[i] != ':' && s[i] != '=' {
			continue
		}
		end := len(strings.TrimRight(s[max(done, i-longestName):i], " \"'`]\\")) + max(done, i-longestName)
		name := nameAt(s[max(done, end-longestName):end])
		if !secretName(name) {
			continue
		}
		from := i + len(s[i:]) - len(strings.TrimLeft(s[i:], ":=> "))
		to := from + valueLen(s[from:])
		if safe := redactedValue(s[end:from], s[from:to]); safe != "" {
			b.WriteString(s[done:from])
			b.WriteString(safe)
			done, i = to, to-1
		}
	}
	return b.String() + s[done:]
}

// nameAt returns the name that s ends with. What a URL or JSON escapes before it is no part of it.
func nameAt(s string) string {
	name := s[strings.LastIndexFunc(s, func(r rune) bool { return r != '.' && r != '-' && !isWord(r) })+1:]
	switch before := strings.TrimSuffix(s, name); {
	case strings.HasSuffix(before, "%") && len(name) > 2:
		return name[2:]
	case strings.HasSuffix(before, `\`):
		return strings.TrimPrefix(name, "u0026")
	}
	return name
}

// secretEnd is the last word of the name of a secret, or its last two.
var secretEnd = regexp.MustCompile(`(?i)(?:^|[\W_])(?:token|secret|password|passwd|passphrase|passcode|pwd|pass|otp|credentials?|signature|authorization|auth|jwt|bearer|cookie|` +
	`(?:api|access|secret|private|auth|account|signing|encryption|master|subscription|license|service|session)[._-]?key|session[._-]?id)$`)

// secretName reports whether a member, header or parameter of this name holds a secret: by the last of its words, so that max_tokens does not.
func secretName(name string) bool { return name != "" && secretEnd.MatchString(snake(name)) }

// snake puts a divider before every word of a name in camel case: accessToken becomes access_Token, APIKey API_Key.
func snake(name string) string {
	var b strings.Builder
	r := []rune(name)
	for i, c := range r {
		if i > 0 && unicode.IsUpper(c) && (unicode.IsLower(r[i-1]) || unicode.IsDigit(r[i-1]) || unicode.IsUpper(r[i-1]) && i+1 < len(r) && unicode.IsLower(r[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(c)
	}
	return b.String()
}

var scheme = regexp.MustCompile(`^(?i:bearer|basic|digest|token|apikey|dpop) +`)

// valueLen returns the length of the value that s begins with: to its closing quote, which is escaped as its first one is, or to where a
// value without quotes ends. The name of a scheme is a part of it.
func valueLen(s string) int {
	open := len(s) - len(strings.TrimLeft(s, `\`))
	if open < len(s) && (s[open] == '"' || s[open] == '\'') {
		for i := open + 1; i < len(s); i++ {
			if s[i] == s[open] && backslashes(s, i) <= open {
				return i + 1
			}
		}
		return len(s)
	}
	named := len(scheme.FindString(s))
	if n := strings.IndexAny(s[named:], " \n\"',;&<>\\(){}[]"); n >= 0 {
		return named + n
	}
	return len(s)
}

// redactedValue returns what stands in the place of a value, "" if it is none to hide. After a colon a plain word is rather prose ("token:
// expected a string"), unless the name is quoted, as in JSON.
func redactedValue(divider, value string) string {
	bare := strings.Trim(value, `\"'`)
	quote := value[:len(value)-len(strings.TrimLeft(value, `\"'`))]
	inJSON := strings.ContainsAny(divider, "\"'`")
	switch bare {
	case "", "null", "true", "false", "undefined", "None", redacted:
		return ""
	}
	if !strings.Contains(divider, "=") && !(inJSON && quote != "") && !random(bare) {
		return ""
	}
	if named := scheme.FindString(value); named != "" {
		return named + redacted
	}
	return quote + redacted + quote
}

// random reports whether a value looks drawn rather than written: it has letters and digits or signs of Base64, or is long.
func random(value string) bool {
	letters, others := 0, 0
	for _, r := range value {
		switch {
		case unicode.IsLetter(r):
			letters++
		case strings.ContainsRune("0123456789+/=_$!#%^*", r):
			others++
		}
	}
	return len(value) >= 6 && letters > 0 && others > 0 || len(value) >= 20
}
