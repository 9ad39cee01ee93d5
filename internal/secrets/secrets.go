// Package secrets finds the credentials among what a host sends to a server, so that they can be taken out of what the server says.
//
// It goes by names where there are any, and else by how a value looks. A value of fewer than eight bytes is never one: it stands in other words.
package secrets

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/mcperr/mcperr/interpret"
)

// shortest is how many bytes a secret has at least.
const shortest = 8

// list collects secrets.
type list []string

func (l *list) add(values ...string) {
	for _, v := range values {
		if v = strings.TrimSpace(v); len(v) >= shortest && !slices.Contains(*l, v) {
			*l = append(*l, v)
		}
	}
}

// Header returns the credentials of headers: of Authorization and Cookie what is behind a scheme or a name, with what Basic encodes; of a header
// with the name of a secret its value; and of any other whose name does not say that it is harmless a value that was drawn rather than written.
func Header(h http.Header) []string {
	var l list
	for name, values := range h {
		name = http.CanonicalHeaderKey(name)
		for _, v := range values {
			switch {
			case strings.HasSuffix(name, "Authorization"):
				l.authorization(v)
			case name == "Cookie":
				for pair := range strings.SplitSeq(v, ";") {
					key, value, _ := strings.Cut(pair, "=")
					l.named(key, value)
				}
			case !harmless(name):
				l.named(name, v)
			}
		}
	}
	return l
}

// authorization takes a credential with its scheme (RFC 9110, section 11.4), and without.
func (l *list) authorization(v string) {
	scheme, rest, ok := strings.Cut(strings.TrimSpace(v), " ")
	if !ok {
		l.add(v)
		return
	}
	l.add(rest)
	if pair, err := base64.StdEncoding.DecodeString(strings.TrimSpace(rest)); err == nil && strings.EqualFold(scheme, "Basic") {
		user, password, _ := strings.Cut(string(pair), ":")
		l.user(user, password)
	}
}

// user takes a password, and a user that is one: a token stands in either place.
func (l *list) user(user, password string) {
	l.add(password)
	if password == "" || !written(user) {
		l.add(user)
	}
}

// named takes a value by its name, or by how it looks.
func (l *list) named(name, v string) {
	if Named(name) || !written(v) {
		l.add(v)
		l.authorization(v)
	}
}

// URL returns the credentials of an address: the password, a user that is a token, what Basic makes of both, and the values of parameters with
// the name of a secret. A part of the path is none.
func URL(u *url.URL) []string {
	var l list
	if u == nil {
		return nil
	}
	if u.User != nil {
		password, _ := u.User.Password()
		l.user(u.User.Username(), password)
		l.add(base64.StdEncoding.EncodeToString([]byte(u.User.Username() + ":" + password)))
	}
	for name, values := range u.Query() {
		if hides("?" + name + "=0") {
			l.add(values...)
		}
	}
	return l
}

// Env returns the secrets of an environment, of which each entry is NAME=value: by the name, and the passwords of addresses.
func Env(env []string) []string {
	var l list
	for _, entry := range env {
		name, v, _ := strings.Cut(entry, "=")
		switch {
		case name == "PWD" || name == "OLDPWD": // a directory
		case Named(name):
			l.add(v)
		default:
			l.address(v)
		}
	}
	return l
}

// Args returns the secrets of a command's arguments: what stands behind the name of a secret, as --token=x, --token x, TOKEN=x or "Authorization: x",
// and the passwords of addresses.
func Args(args []string) []string {
	var l list
	named := false // by the flag before
	for _, arg := range args {
		if named && !strings.HasPrefix(arg, "-") {
			l.add(arg)
		}
		flag, v, joined := strings.Cut(arg, "=")
		named = !joined && strings.HasPrefix(flag, "-") && Named(strings.TrimLeft(flag, "-"))
		header, credential, _ := strings.Cut(arg, ":")
		switch {
		case joined && Named(strings.TrimLeft(flag, "-")):
			l.add(v)
		case Named(header):
			l.authorization(credential)
		case joined:
			l.address(v)
		}
		l.address(arg)
	}
	return l
}

func (l *list) address(v string) {
	if !strings.Contains(v, "://") {
		return
	}
	if u, err := url.Parse(v); err == nil {
		l.add(URL(u)...)
	}
}

// keyName is the last word of a name that interpret takes for one only together with the word before: its scrubber reads prose.
var keyName = regexp.MustCompile(`(?i)(?:^|[._-])(?:keys?|tokens?|secrets?|passwords?)$`)

// Named reports whether a name is that of a secret.
func Named(name string) bool {
	name = strings.TrimSpace(name)
	return name != "" && (keyName.MatchString(name) || hides(name+"=0"))
}

// hides reports whether a scrubber finds something to hide in a text, for what a name says is for it to know.
func hides(text string) bool { return new(interpret.Scrubber).Redact(text) != text }

// harmlessNames are headers that hold no credential, whatever they hold.
var harmlessNames = regexp.MustCompile(`^(?:Accept.*|Baggage|Cache-Control|Connection|Content-.*|Date|Dnt|Expect|Forwarded|Host|Idempotency-Key|` +
	`If-.*|Mcp-.*|Origin|Pragma|Priority|Range|Referer|Sec-(?:Ch|Fetch|Gpc)(?:-.*)?|Te|Traceparent|Tracestate|Trailer|Transfer-Encoding|Upgrade.*|` +
	`User-Agent|Via|X-Forwarded-.*|.*-(?:Version|Id))$`)

// harmless reports whether the name of a header says that it holds no credential. An id is none, but of a session.
func harmless(name string) bool {
	return harmlessNames.MatchString(name) && !hides(name+"=0")
}

// writtenWord is a word of one case or a number, and a word with a short number behind it.
var writtenWord = regexp.MustCompile(`^(?:\d+|(?:[A-Z]?[a-z]{0,15}|[A-Z]{1,16})\d{0,4})$`)

// written reports whether a value is made of words and numbers, as names and settings are.
func written(v string) bool {
	for part := range strings.FieldsFuncSeq(v, func(r rune) bool { return strings.ContainsRune(" -_./,;:=@+()*", r) }) {
		if !writtenWord.MatchString(part) {
			return false
		}
	}
	return true
}
