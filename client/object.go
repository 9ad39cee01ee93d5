package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// object is a JSON object whose members keep their order and their exact bytes.
// A server's requestState must come back byte for byte, and a host's large numbers must arrive as the host wrote them,
// so params are never decoded further than their names.
type object []member

type member struct {
	name  string
	value json.RawMessage
}

// toObject marshals a host's params: nil is the empty object, anything but an object is an error. Of a value that has no JSON at all, as no model
// can have written it, that is an [unmarshalable].
func toObject(params any) (object, error) {
	if params == nil {
		return nil, nil
	}
	raw, ok := params.(json.RawMessage)
	if !ok {
		var err error
		if raw, err = marshal(params); err != nil {
			if syntax, ok := errors.AsType[*json.SyntaxError](err); ok { // of raw JSON somewhere in it
				return nil, syntax
			}
			return nil, unmarshalable{err}
		}
	}
	if raw == nil || string(bytes.TrimSpace(raw)) == "null" {
		return nil, nil
	}
	o, err := parseObject(raw)
	if err != nil {
		if syntax := json.Unmarshal(raw, new(json.RawMessage)); syntax != nil {
			err = syntax // says it better
		}
		return nil, err
	}
	return o, nil
}

// unmarshalable is why a Go value is no JSON.
type unmarshalable struct{ error }

func (e unmarshalable) Unwrap() error { return e.error }

// marshal is json.Marshal without the escaping of HTML, which would change what a host wrote.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// parseObject reads one JSON object. A name that comes twice is an error: two readers could read it apart.
func parseObject(raw []byte) (object, error) {
	o, err := members(raw)
	if err != nil {
		return nil, err
	}
	seen := make(map[string]bool, len(o))
	for _, m := range o {
		if seen[m.name] {
			return nil, fmt.Errorf("member %q comes twice", m.name)
		}
		seen[m.name] = true
	}
	return o, nil
}

// members reads one JSON object with whatever repetitions it has.
func members(raw []byte) (object, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil {
		return nil, err
	} else if t != json.Delim('{') {
		return nil, errors.New("not a JSON object")
	}
	var o object
	for dec.More() {
		t, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		o = append(o, member{t.(string), value}) // the decoder gives nothing else where a name is due
	}
	if _, err := dec.Token(); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF { // More would be false at a bracket that nobody opened
		return nil, errors.New("bytes after the JSON object")
	}
	return o, nil
}

// get returns the raw value of a member, nil if there is none. Names are exact.
func (o object) get(name string) json.RawMessage {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// text returns a member that is a string, "" otherwise.
func (o object) text(name string) string {
	var s string
	if json.Unmarshal(o.get(name), &s) != nil {
		return ""
	}
	return s
}

// with returns a copy that has the member, in its old place if it was there.
func (o object) with(name string, value json.RawMessage) object {
	o = slices.Clone(o)
	for i := range o {
		if o[i].name == name {
			o[i].value = value
			return o
		}
	}
	return append(o, member{name, value})
}

// without returns a copy that lacks the members.
func (o object) without(names ...string) object {
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool { return slices.Contains(names, m.name) })
}

// encode writes the object, every value as it came.
func (o object) encode() json.RawMessage {
	b := []byte{'{'}
	for i, m := range o {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(quote(b, m.name), ':')
		b = append(b, m.value...)
	}
	return append(b, '}')
}

// quote appends s as a JSON string.
func quote(b []byte, s string) []byte {
	q, err := marshal(s)
	if err != nil { // a string always marshals
		panic(err)
	}
	return append(b, q...)
}

// text returns s as raw JSON.
func text(s string) json.RawMessage { return quote(nil, s) }

// is reports whether a member is true.
func (o object) is(name string) bool { return string(o.get(name)) == "true" }
