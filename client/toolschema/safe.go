package toolschema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"
)

// decode reads one JSON value, numbers as they are written. It refuses those whose exponent alone would fill the memory of exact arithmetic.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("there is something behind the value")
	}
	return v, modest(v)
}

func modest(v any) error {
	const mostExponent = 308 // of a double
	switch v := v.(type) {
	case json.Number:
		if _, exponent, ok := strings.Cut(strings.ToLower(v.String()), "e"); ok {
			if n, err := strconv.Atoi(exponent); err != nil || n > mostExponent || n < -mostExponent {
				return errors.New("a number is out of all range")
			}
		}
	case []any:
		for _, e := range v {
			if err := modest(e); err != nil {
				return err
			}
		}
	case map[string]any:
		for _, e := range v {
			if err := modest(e); err != nil {
				return err
			}
		}
	}
	return nil
}

// mostParts bounds a schema with every reference written out: those of tools have some hundred parts.
const mostParts = 5000

var errTooLarge = fmt.Errorf("the schema has more than %d parts once its references are followed, or refers to itself", mostParts)

// affordable refuses a schema that takes long to check: a few kilobytes of references to references stand for as much work as one likes.
func affordable(doc any) error {
	w := weigher{doc: doc, known: map[string]int{}}
	if w.weigh(doc) > mostParts {
		return errTooLarge
	}
	return nil
}

type weigher struct {
	doc   any
	known map[string]int // by reference; too much while it is being weighed, so that a circle is too much
}

func (w *weigher) weigh(v any) (n int) {
	n = 1
	add := func(m int) { n = min(n+m, mostParts+1) }
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			add(w.weigh(e))
		}
	case map[string]any:
		for key, e := range v {
			if ref, ok := e.(string); ok && (key == "$ref" || key == "$dynamicRef" || key == "$recursiveRef") {
				add(w.refer(ref))
			} else {
				add(w.weigh(e))
			}
		}
	}
	return n
}

// refer weighs what a reference stands for. One that is no pointer into the document may stand for all of it.
func (w *weigher) refer(ref string) int {
	if n, ok := w.known[ref]; ok {
		return n
	}
	w.known[ref] = mostParts + 1
	n := mostParts + 1
	if target, ok := at(w.doc, ref); ok {
		n = w.weigh(target)
	}
	w.known[ref] = n
	return n
}

// at returns what a pointer stands for, the fragment of a reference within the document (RFC 6901).
func at(doc any, ref string) (any, bool) {
	fragment, ok := strings.CutPrefix(ref, "#")
	pointer, err := url.PathUnescape(fragment)
	if !ok || err != nil {
		return nil, false
	}
	if pointer == "" {
		return doc, true
	}
	if pointer, ok = strings.CutPrefix(pointer, "/"); !ok {
		return nil, false
	}
	for step := range strings.SplitSeq(pointer, "/") {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch v := doc.(type) {
		case map[string]any:
			if doc, ok = v[step]; !ok {
				return nil, false
			}
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(v) {
				return nil, false
			}
			doc = v[i]
		default:
			return nil, false
		}
	}
	return doc, true
}

// nothing is a loader that loads nothing: a server's schema makes no request and reads no file.
type nothing struct{}

func (nothing) Load(url string) (any, error) {
	return nil, fmt.Errorf("the schema refers to %q, and nothing is loaded", url)
}
