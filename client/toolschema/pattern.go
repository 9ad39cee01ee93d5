package toolschema

import (
	"regexp"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// verdict of a part of a schema on a value. What it leaves to those who read it, and they differ on, is unsure.
type verdict int

const (
	no verdict = iota
	unsure
	yes
)

// pattern is one of a schema. Those are to be in the dialect of ECMA-262, and in truth are in that of the language the server is written in; Go has
// a third.
type pattern struct {
	source string
	re     *regexp.Regexp // nil if Go has no such pattern (look-around, back references, long repetitions), or another dialect another
	wide   bool           // it has what is of all alphabets in one dialect, and of ASCII in the other
}

// newPattern is the engine of the validator: no pattern makes a schema a bad one.
func newPattern(source string) (jsonschema.Regexp, error) {
	p := &pattern{source: source, wide: wide.MatchString(source)}
	if re, err := regexp.Compile(source); err == nil && !foreign.MatchString(source) {
		p.re = re
	}
	return p, nil
}

var (
	foreign = regexp.MustCompile(`\\[AazZQEC]|\\x\{|\[\[:|&&|\{,|\(\?[a-zA-Z]*U`)
	wide    = regexp.MustCompile(`\\[sSdDwWbB]|\(\?[a-zA-Z]*i`)
)

// matches is sure of what all dialects agree on. They do not on ends of lines, on the letters of other alphabets, and on what is two units of UTF-16.
func (p *pattern) matches(s string) verdict {
	if p.re == nil {
		return unsure
	}
	for _, r := range s {
		switch {
		case r >= ' ' && r < 0x7f || r == '\t':
		case r < 0xa0, r == '\u2028', r == '\u2029', r == utf8.RuneError, r > 0xffff:
			return unsure
		case p.wide:
			return unsure
		}
	}
	if p.re.MatchString(s) {
		return yes
	}
	return no
}

func (p *pattern) MatchString(s string) bool { return p.matches(s) != no }
func (p *pattern) String() string            { return p.source }
