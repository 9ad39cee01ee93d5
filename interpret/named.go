package interpret

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// redactNamed replaces what stands behind the name of a secret and a colon or an equals sign: in a URL, a header, a command line, a
// configuration or JSON, also where its quotes or the sign itself are escaped. It reads s once, from one divider to the next.
func redactNamed(s string) string {
	const longestName = 64
	var b strings.Builder
	done := 0
	for i := 0; i < len(s); i++ {
		sign := dividerLen(s[i:])
		if sign == 0 {
			continue
		}
		first := max(done, i-longestName)
		end := first + len(trimQuotes(s[first:i]))
		name := nameAt(s[max(done, end-longestName):end])
		if list := secretList(s[i+sign:], name); !list && !secretName(name) {
			continue
		}
		from := i + sign
		from += len(s[from:]) - len(strings.TrimLeft(s[from:], ":=> "))
		from += len(nextLine.FindString(s[from:]))
		divider := s[end:from]
		if from < len(s) && (s[from] == '[' || s[from] == '{') && quoted(divider) {
			safe, n := redactNested(s[from:])
			b.WriteString(s[done:from])
			b.WriteString(safe)
			done, i = from+n, from+n-1
			continue
		}
		to := from + valueLen(s[from:])
		if safe := redactedValue(divider, s[from:to]); safe != "" {
			b.WriteString(s[done:from])
			b.WriteString(safe)
			done, i = to, to-1
		}
	}
	return b.String() + s[done:]
}

// nextLine is what stands before a value that its line has no room for: in YAML, or a folded header (RFC 9112, section 5.2).
var nextLine = regexp.MustCompile(`^[ \t]*\r?\n[ \t]+(?:- )?`)

// dividerLen returns the length of the divider that s begins with: a colon, an equals sign, one of full width, or one as a URL escapes it.
func dividerLen(s string) int {
	switch s[0] {
	case ':', '=':
		return 1
	case 0xef:
		if strings.HasPrefix(s, "：") || strings.HasPrefix(s, "＝") {
			return len("：")
		}
	case '%':
		n := 1
		for strings.HasPrefix(s[n:], "25") && n < 9 { // escaped again
			n += 2
		}
		if len(s) >= n+2 && s[n] == '3' && strings.ContainsRune("DdAa", rune(s[n+1])) {
			return n + 2
		}
	}
	return 0
}

// entities are quotes as HTML and XML escape them.
var entities = []string{"&quot;", "&#34;", "&#39;", "&#x27;", "&apos;"}

// trimQuotes takes from the end of s what may stand between a name and its divider.
func trimQuotes(s string) string {
	s = strings.TrimRight(s, " \"'`]\\")
	for _, e := range entities {
		s = strings.TrimSuffix(s, e)
	}
	return s
}

// quoted reports whether a divider begins with the quote that closes a name, as in JSON.
func quoted(divider string) bool {
	return strings.ContainsAny(divider, "\"'`") || hasAny(divider, entities)
}

// secretList reports whether a list of secrets begins here: under a name in the plural, which counts them where it stands before a number.
func secretList(s, name string) bool {
	s = strings.TrimLeft(s, " \n")
	return s != "" && (s[0] == '[' || s[0] == '{') && secretPlural(name)
}

// nameAt returns the name that s ends with. What a URL or JSON escapes before it is no part of it.
func nameAt(s string) string {
	name := s[strings.LastIndexFunc(s, func(r rune) bool { return r != '.' && r != '-' && !isWord(r) })+1:]
	switch before := strings.TrimSuffix(s, name); {
	case strings.HasSuffix(before, "%") && len(name) > 2:
		for strings.HasPrefix(name, "25") && len(name) > 4 {
			name = name[2:]
		}
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

// counting begins the name of a number of tokens, as language models count them.
var counting = regexp.MustCompile(`(?i)^(?:max|min|num|total|input|output|prompt|completion|count|budget)`)

// secretPlural reports whether a name is that of several secrets, or of one.
func secretPlural(name string) bool {
	return secretName(name) || secretName(strings.TrimSuffix(name, "s")) && !counting.MatchString(name)
}

// secretPath reports whether any step of a path is the name of a secret, or of several.
func secretPath(path string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(path, func(r rune) bool { return strings.ContainsRune("./[]\"' ", r) }), secretPlural)
}

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

var scheme = regexp.MustCompile(`^(?i:bearer|basic|digest|token|apikey|dpop)(?: +|[ \t]*\r?\n[ \t]+)`)

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
	for _, e := range entities {
		if strings.HasPrefix(s, e) {
			if n := strings.Index(s[len(e):], e); n >= 0 {
				return n + 2*len(e)
			}
			return len(s)
		}
	}
	named := len(scheme.FindString(s))
	for i := named; i < len(s); i++ {
		if strings.IndexByte(" \r\t\n\"',;&<>\\(){}[]", s[i]) >= 0 || s[i] == '%' && (strings.HasPrefix(s[i:], "%26") || strings.HasPrefix(s[i:], "%2526")) {
			return i // also where a URL in a URL has its next parameter
		}
	}
	return len(s)
}

// redactedValue returns what stands in the place of a value, "" if it is none to hide. After a colon a plain word is rather prose ("token:
// expected a string"), unless the name is quoted, as in JSON.
func redactedValue(divider, value string) string {
	bare := strings.Trim(value, `\"'`)
	quote := value[:len(value)-len(strings.TrimLeft(value, `\"'`))]
	for _, e := range entities {
		if strings.HasPrefix(value, e) {
			quote, bare = e, strings.TrimSuffix(strings.TrimPrefix(value, e), e)
		}
	}
	inJSON := quoted(divider)
	switch bare {
	case "", "null", "true", "false", "undefined", "None", redacted:
		return ""
	}
	assigned := strings.ContainsAny(divider, "=＝") || strings.HasSuffix(strings.ToUpper(divider), "3D")
	if !assigned && !(inJSON && (quote != "" || drawnNumber(bare))) && !random(bare) {
		return ""
	}
	if named := scheme.FindString(value); named != "" {
		return named + redacted
	}
	return quote + redacted + quote
}

// drawnNumber reports whether a value is a number that may be a secret: a shorter one counts something.
func drawnNumber(value string) bool {
	return len(value) >= 4 && strings.Trim(value, "0123456789") == ""
}

// counted is a word that says how many, as "8-character".
var counted = regexp.MustCompile(`^\d{1,3}-[a-z]+$`)

// random reports whether a value looks drawn rather than written: it has letters and digits or signs of Base64, or is long.
func random(value string) bool {
	if counted.MatchString(value) {
		return false
	}
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
