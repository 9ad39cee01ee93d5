package interpret

import (
	"net/http"
	"slices"
	"strings"
)

// challenge is one challenge of WWW-Authenticate (RFC 9110, 11.6.1).
type challenge struct {
	scheme string
	params [][2]string // names in lower case
}

func (c challenge) bearer() bool { return strings.EqualFold(c.scheme, "Bearer") }

func insufficient(c challenge) bool { return c.get("error") == "insufficient_scope" }

// get returns the first parameter of that name, "" if there is none.
func (c challenge) get(name string) string {
	for _, p := range c.params {
		if p[0] == name {
			return p[1]
		}
	}
	return ""
}

// demand returns a parameter of the challenges that count, "" if none has it: those that say insufficient_scope first, then any Bearer.
func demand(list []challenge, name string) string {
	for _, counts := range []func(challenge) bool{insufficient, challenge.bearer} {
		for _, c := range list {
			if v := c.get(name); v != "" && counts(c) {
				return v
			}
		}
	}
	return ""
}

// Bounds of the scopes of a challenge: nobody grants more than a handful, and what is longer is no name of one.
const (
	maxScopes = 256
	longScope = 256 // bytes
)

// scopes returns the scopes of a parameter, in order, none twice.
func scopes(param string) []string {
	var out []string
	for s := range strings.FieldsSeq(param) {
		if len(s) <= longScope && !slices.Contains(out, s) {
			out = append(out, s)
		}
		if len(out) == maxScopes {
			break
		}
	}
	return out
}

// maxChallenges bounds the challenges of a reply, and the parameters of each; no server has a tenth of that.
const maxChallenges = 64

// challenges reads the challenges of a reply, in order. What is no challenge is passed over: a quoted string where none belongs, and one that
// nothing closes, end their field.
func challenges(h http.Header) []challenge {
	list := []challenge{}
	for _, v := range h.Values("WWW-Authenticate") {
		s := fieldScanner(v)
		for begins := true; ; {
			comma := s.skip(" \t\r\n,")
			word := s.token()
			if word == "" {
				if s == "" || s[0] == '"' {
					break
				}
				s.bare() // some of a text that should have stood in quotes
				continue
			}
			value, is := s.param()
			if is == isScheme && !begins && !comma {
				is = isCredential // a token68 without padding, or the rest of a text that should have stood in quotes
			}
			begins = is == isQuoted // some leave out the comma after a string
			switch {
			case is == isScheme && len(list) == maxChallenges:
				return list
			case is == isScheme:
				list = append(list, challenge{scheme: word})
			case (is == isParam || is == isQuoted) && len(list) > 0:
				if c := &list[len(list)-1]; len(c.params) < maxChallenges {
					c.params = append(c.params, [2]string{strings.ToLower(word), value})
				}
			}
		}
	}
	return list
}

// fieldScanner is the rest of a field value that is being read.
type fieldScanner string

// skip drops what is of the set and reports whether a comma was.
func (s *fieldScanner) skip(set string) (comma bool) {
	rest := strings.TrimLeft(string(*s), set)
	comma = strings.Contains(string(*s)[:len(*s)-len(rest)], ",")
	*s = fieldScanner(rest)
	return comma
}

// token reads token or token68 characters, "" if none stands here.
func (s *fieldScanner) token() string {
	i := strings.IndexFunc(string(*s), func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("!#$%&'*+-.^_`|~/", r))
	})
	if i < 0 {
		i = len(*s)
	}
	word := string((*s)[:i])
	*s = (*s)[i:]
	return word
}

// bare reads a value without quotes. Some servers write a URL so, which is no token: it ends at white space or a comma.
func (s *fieldScanner) bare() string {
	i := strings.IndexAny(string(*s), " \t\r\n,")
	if i < 0 {
		i = len(*s)
	}
	value := string((*s)[:i])
	*s = (*s)[i:]
	return value
}

const (
	isScheme = iota
	isParam
	isQuoted     // a param whose value is a quoted string
	isCredential // a token68, which belongs to the scheme before it
	isBroken
)

// param decides what the word before was, and reads the parameter's value if it was a name.
func (s *fieldScanner) param() (value string, is int) {
	s.skip(" \t\r\n")
	if !strings.HasPrefix(string(*s), "=") {
		return "", isScheme
	}
	rest := strings.TrimLeft(string(*s), "=")
	if pads := len(*s) - len(rest); pads > 1 || rest == "" || strings.HasPrefix(rest, ",") {
		*s = fieldScanner(rest)
		return "", isCredential
	}
	*s = fieldScanner(rest)
	s.skip(" \t\r\n")
	if !strings.HasPrefix(string(*s), `"`) {
		if value = s.bare(); strings.Contains(value, `"`) {
			return "", isBroken
		}
		return value, isParam
	}
	var b strings.Builder
	for i := 1; i < len(*s); i++ {
		switch c := (*s)[i]; {
		case c == '"':
			*s = (*s)[i+1:]
			return b.String(), isQuoted
		case c == '\\' && i+1 < len(*s):
			i++
			b.WriteByte((*s)[i])
		default:
			b.WriteByte(c)
		}
	}
	*s = ""
	return "", isBroken
}
