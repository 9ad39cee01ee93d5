package retry

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// policyReader walks the JSON form of a policy and knows at each value where it stands. Its first error sticks, and stops the walk.
type policyReader struct {
	src  []byte
	dec  *jsontext.Decoder
	path []string // members and indexes down to the value that is read
	err  error    // a *PolicyError
}

func newPolicyReader(src []byte) *policyReader {
	// A name given twice is told here, by its place.
	return &policyReader{src: src, dec: jsontext.NewDecoder(bytes.NewBuffer(src), jsontext.AllowDuplicateNames(true))}
}

// member is one member that an object may have.
type member struct {
	name string
	read func()
}

// object reads an object with some of the members, each at most once.
func (r *policyReader) object(members []member) {
	if !r.open('{', "an object") {
		return
	}
	var names []string
	for _, m := range members {
		names = append(names, m.name)
	}
	seen := make(map[string]bool)
	for r.more() {
		at, raw := r.value()
		name, _ := unquote(raw)
		i := slices.Index(names, name)
		switch {
		case r.err != nil:
			return
		case i < 0:
			r.fail(at, fmt.Sprintf("unknown member %s", shown(raw)), strings.Join(names, ", "))
			return
		case seen[name]:
			r.fail(at, fmt.Sprintf("member %q is there twice", name), "each member once")
			return
		}
		seen[name] = true
		depth := len(r.path)
		if r.path = append(r.path, name); depth > 0 {
			r.path[depth] = "." + name
		}
		members[i].read()
		r.path = r.path[:depth]
	}
	r.token()
}

// list reads an array of at least one entry, each by read.
func (r *policyReader) list(read func()) {
	at := r.start()
	if !r.open('[', "an array") {
		return
	}
	n := 0
	for ; r.more(); n++ {
		r.path = append(r.path, fmt.Sprintf("[%d]", n))
		read()
		r.path = r.path[:len(r.path)-1]
	}
	if n == 0 {
		r.fail(at, "the list is empty", "at least one entry, or no such member")
	}
	r.token()
}

func readList[T any](r *policyReader, read func() T) (list []T) {
	r.list(func() { list = append(list, read()) })
	return list
}

// open reads an opening bracket, or says that something else stands there.
func (r *policyReader) open(kind jsontext.Kind, what string) bool {
	if r.err == nil && r.dec.PeekKind() != kind {
		if at, raw := r.value(); r.err == nil {
			r.fail(at, shown(raw)+" is not "+what, what)
		}
	}
	r.token()
	return r.err == nil
}

// more reports whether the object or array that was opened has another entry.
func (r *policyReader) more() bool {
	if r.err != nil {
		return false
	}
	k := r.dec.PeekKind()
	return k != '}' && k != ']' // at an error the next read tells it
}

func (r *policyReader) token() {
	if r.err == nil {
		if _, err := r.dec.ReadToken(); err != nil {
			r.syntax(err)
		}
	}
}

// value reads the next value, or member name, whole.
func (r *policyReader) value() (at int, raw []byte) {
	if r.err != nil {
		return 0, nil
	}
	v, err := r.dec.ReadValue()
	if err != nil {
		r.syntax(err)
		return 0, nil
	}
	return int(r.dec.InputOffset()) - len(v), bytes.Clone(v)
}

// start returns where the next value starts.
func (r *policyReader) start() int {
	i := int(r.dec.InputOffset())
	for i < len(r.src) && strings.IndexByte(" \t\r\n,:", r.src[i]) >= 0 {
		i++
	}
	return i
}

func (r *policyReader) syntax(err error) {
	at := len(r.src)
	if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		at, err = int(e.ByteOffset), e.Err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		at, err = len(r.src), errors.New("the policy ends too early")
	}
	r.fail(at, err.Error(), "")
}

// fail keeps the first problem, with its place.
func (r *policyReader) fail(at int, problem, allowed string) {
	if r.err == nil {
		line, column := r.position(at)
		r.err = &PolicyError{Line: line, Column: column, Member: strings.Join(r.path, ""), Problem: problem, Allowed: allowed}
	}
}

// position turns an offset into a line and a column, both from 1.
func (r *policyReader) position(at int) (line, column int) {
	before := r.src[:min(max(at, 0), len(r.src))]
	line = 1 + bytes.Count(before, []byte("\n"))
	return line, 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
}

func unquote(raw []byte) (string, bool) {
	if len(raw) == 0 || raw[0] != '"' {
		return "", false
	}
	s, err := jsontext.AppendUnquote(nil, raw)
	return string(s), err == nil
}
