package interpret

import (
	"bytes"
	"io"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// This is the one file that imports the tokenizer.

// tokens walks one JSON text. It allows what the strict readers above it judge for themselves (names twice, bytes that are no UTF-8)
// and refuses whatever is no JSON. The first error sticks: every later call does nothing.
type tokens struct {
	*decoder
	src []byte
	err error
}

// decoder is what a walk needs of the tokenizer. Most replies are small, and making one costs more than reading them, so they are kept.
type decoder struct {
	dec *jsontext.Decoder
	buf bytes.Buffer
}

var (
	decoders = sync.Pool{New: func() any { return &decoder{dec: new(jsontext.Decoder)} }}
	lenient  = []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
)

// newTokens starts at the beginning of src, which must not change while the walk goes on. The walk ends with done.
func newTokens(src []byte) tokens {
	d := decoders.Get().(*decoder)
	d.buf = *bytes.NewBuffer(src) // read in place, so values keep the memory of src
	d.dec.Reset(&d.buf, lenient...)
	return tokens{decoder: d, src: src}
}

// done gives the decoder back, without the bytes it has read.
func (t *tokens) done() {
	t.buf = bytes.Buffer{}
	t.dec.Reset(&t.buf)
	decoders.Put(t.decoder)
}

// kind peeks at the next token: one of n f t " 0 { } [ ], or 0 at the end and after an error.
func (t *tokens) kind() byte {
	if t.err != nil {
		return 0
	}
	return byte(t.dec.PeekKind())
}

// enter reads an opening brace or bracket, leave the closing one.
func (t *tokens) enter() { t.skip() }
func (t *tokens) leave() { t.skip() }

func (t *tokens) skip() {
	if t.err == nil {
		_, t.err = t.dec.ReadToken()
	}
}

// more reports whether the object or array that was entered has another member.
func (t *tokens) more() bool {
	k := t.kind()
	if k == 0 && t.err == nil {
		t.skip() // PeekKind hides the error, ReadToken tells it
		if t.err == nil {
			t.err = io.ErrUnexpectedEOF
		}
	}
	return k != 0 && k != '}' && k != ']'
}

// value reads the next value whole and returns its bytes, a part of src.
func (t *tokens) value() []byte {
	if t.err != nil {
		return nil
	}
	v, err := t.dec.ReadValue()
	if err != nil {
		t.err = err
		return nil
	}
	end := int(t.dec.InputOffset())
	return t.src[end-len(v) : end : end]
}

// name reads a member's name. It allocates only where the name is escaped.
func (t *tokens) name() []byte { return text(t.value()) }

// atName reports whether the next token is the name of a member.
func (t *tokens) atName() bool {
	kind, n := t.dec.StackIndex(t.dec.StackDepth())
	return kind == '{' && n%2 == 0
}

// rest returns what stands after the value, white space trimmed.
func (t *tokens) rest() []byte {
	return bytes.Trim(t.src[t.dec.InputOffset():], " \t\r\n")
}

// tooDeep reports whether the walk ended at the tokenizer's limit of 10 000 levels.
func (t *tokens) tooDeep() bool {
	return t.err != nil && strings.Contains(t.err.Error(), "max depth")
}

// text returns the characters of a JSON string, nil for any other value. Bytes that are no UTF-8 become U+FFFD.
func text(raw []byte) []byte {
	if len(raw) < 2 || raw[0] != '"' {
		return nil
	}
	if inner := raw[1 : len(raw)-1]; plain(inner) {
		return inner
	}
	b, _ := jsontext.AppendUnquote(nil, raw) // an error tells of bytes that were replaced
	return b
}

// plain reports whether the inside of a JSON string is its own characters.
func plain(s []byte) bool {
	for _, c := range s {
		if c == '\\' || c >= 0x80 {
			return false
		}
	}
	return true
}

// quote returns s as a JSON string.
func quote(s string) string {
	b, _ := jsontext.AppendQuote(nil, s)
	return string(b)
}

// members walks the members of the object raw, in order, lenient about names twice. It does nothing if raw is no object.
// visit must keep name no longer than the call; it returns false to stop.
func members(raw []byte, visit func(name, value []byte) bool) {
	if !isObject(raw) {
		return
	}
	t := newTokens(raw)
	defer t.done()
	for t.enter(); t.more(); {
		name := t.name()
		if v := t.value(); t.err != nil || !visit(name, v) {
			return
		}
	}
}

// elements walks the values of the array raw as members does those of an object.
func elements(raw []byte, visit func(value []byte) bool) {
	if !isArray(raw) {
		return
	}
	t := newTokens(raw)
	defer t.done()
	for t.enter(); t.more(); {
		if v := t.value(); t.err != nil || !visit(v) {
			return
		}
	}
}

// member returns the first member of the object raw that has the name, nil if there is none.
func member(raw []byte, name string) (value []byte) {
	members(raw, func(n, v []byte) bool {
		if string(n) == name {
			value = v
		}
		return value == nil
	})
	return value
}

// valid reports whether raw is one JSON value and nothing else.
func valid(raw []byte) bool {
	t := newTokens(raw)
	defer t.done()
	t.value()
	return t.err == nil && len(t.rest()) == 0
}
