package interpret

import (
	"slices"
	"strings"
)

// Values under the name of a secret that are lists and objects, and texts that stand where a secret might.

// aboutSecret are names of members that say something of a secret and do not hold it, as in a schema.
var aboutSecret = []string{"type", "format", "title", "description", "message", "msg", "detail", "error", "reason", "code", "issue", "expected", "pattern", "name",
	"minlength", "maxlength", "min", "max", "minimum", "maximum", "length", "exp", "iat", "expires_in", "expires_at", "expiresin", "expiresat"}

// redactNested hides the strings and numbers of the list or the object that s begins with, and returns it and how long it was. It keeps
// prose, and what says something of a secret.
func redactNested(s string) (string, int) {
	var b strings.Builder
	depth, done, name := 0, 0, ""
	for i := 0; i < len(s); {
		switch c := s[i]; {
		case c == '[' || c == '{':
			depth++
			i++
		case c == ']' || c == '}':
			i++
			if depth--; depth == 0 {
				return b.String() + s[done:i], i
			}
		case c == '"' || c == '\'' || c == '\\' || c == '&':
			n := max(valueLen(s[i:]), len(s[i:])-len(strings.TrimLeft(s[i:], `\`)), 1)
			value := s[i : i+n]
			bare := strings.Trim(value, `\"'`)
			if next := strings.TrimLeft(s[i+n:min(len(s), i+n+8)], " \n"); strings.HasPrefix(next, ":") {
				name = strings.ToLower(bare)
			} else if bare != "" && bare != redacted && !slices.Contains(aboutSecret, name) && !prose(bare) {
				quote := value[:len(value)-len(strings.TrimLeft(value, `\"'`))]
				b.WriteString(s[done:i] + quote + redacted + quote)
				done = i + n
			}
			i += n
		case c >= '0' && c <= '9':
			n := len(s[i:]) - len(strings.TrimLeft(s[i:], "0123456789.eE+-"))
			if drawnNumber(s[i:i+n]) && !slices.Contains(aboutSecret, name) {
				b.WriteString(s[done:i] + redacted)
				done = i + n
			}
			i += n
		default:
			i++
		}
	}
	return b.String() + s[done:], len(s)
}

// proseWords are words with which people tell of a secret, and which are none.
var proseWords = strings.Fields("a an and are argument as at be been blank boolean but by can cannot contain contains could denied does empty expected expired flag for format given " +
	"has have if in incorrect instead integer invalid is it length malformed mismatch missing must needs no not null number object of on only option or parameter " +
	"property rejected required requires revoked set short should string that the this to too type unauthorized undefined unexpected unknown unrecognized unset " +
	"unsupported using value was weak were when which with wrong you your")

func proseWord(w string) bool {
	return slices.Contains(proseWords, strings.ToLower(strings.Trim(w, `.,;:!?()'"`)))
}

// prose reports whether a text tells something rather than being a secret: some words, none of them drawn, one of them common at least.
func prose(s string) bool {
	words := strings.Fields(s)
	return len(words) > 1 && slices.ContainsFunc(words, proseWord) && !slices.ContainsFunc(words, drawn)
}

// drawn is [random] for a word of a sentence.
func drawn(w string) bool { return random(strings.Trim(w, `.,;:!?()'"`)) }
