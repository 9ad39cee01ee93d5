package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// json writes a value on the output, on one line or with indents. What does not print is written as an escape, so that a
// terminal shows it and obeys none of it; a program reads the same text.
func (e *env) json(v any, indent string) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := e.out.Write(escaped(b.Bytes()))
	return err
}

// escaped returns JSON with an escape for every character beyond ASCII that does not print, as C1 controls and bidi marks do not.
// Such characters stand in strings only, and so do bytes that are no UTF-8, which are read as U+FFFD anyway.
func escaped(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		switch {
		case r < 0x7f, unicode.IsPrint(r) && (r != utf8.RuneError || n > 1):
			out = append(out, b[:n]...)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
		b = b[n:]
	}
	return out
}
