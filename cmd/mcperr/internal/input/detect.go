package input

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// detect names the form of b by what it begins with; of JSON, by the names of its members.
func detect(b []byte) (Form, error) {
	head := bytes.TrimSpace(b)
	switch {
	case bytes.HasPrefix(head, []byte("HTTP/")):
		return HTTP, nil
	case head[0] == '{':
		return detectObject(head), nil
	case head[0] == '[':
		return detectArray(head)
	case eventLine.Match(head) && dataLine.Match(head):
		return Stream, nil
	case holdsMessage(head):
		return Stdio, nil
	}
	return "", fmt.Errorf("no form fits: the input begins with %q. Give a JSON-RPC message, an event stream, an HTTP response with its status line (curl -i), "+
		"a stdio transcript, a corpus case or a HAR; or --form to say how to read it", begin(head))
}

var (
	eventLine = regexp.MustCompile(`^(?:(?:data|event|id|retry)(?::|[\r\n])|:)`)
	dataLine  = regexp.MustCompile(`(?:^|[\r\n])data:`)
)

// detectObject tells messages, transcripts, cases and recordings apart. What is broken JSON goes by the members before the break.
func detectObject(b []byte) Form {
	o, end, err := members(b)
	has := func(name string) bool { _, ok := o[name]; return ok }
	switch {
	case has("log"):
		return HAR
	case has("response") && !has("jsonrpc"):
		return HAR
	case has("jsonrpc"), has("result"), has("error"), has("method"):
		// a message
	case has("reply"), has("source"), has("about"):
		return Case
	}
	if err == nil && len(bytes.TrimSpace(b[end:])) > 0 && !bytes.Contains(b[:end], []byte("\n")) && bytes.Contains(b[end:], []byte("\n")) {
		return Stdio // more lines than one
	}
	if err != nil {
		if _, rest, lines := bytes.Cut(b, []byte("\n")); lines && holdsMessage(rest) {
			return Stdio // a broken line before others
		}
	}
	return Message
}

// detectArray takes an array for cases, or for entries of a recording.
func detectArray(b []byte) (Form, error) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.Token() // the bracket
	if !dec.More() {
		return "", errors.New("the array is empty: there is no reply in it")
	}
	if first := bytes.TrimLeft(b[1:], " \t\r\n"); first[0] == '{' {
		if f := detectObject(first); f == Case || f == HAR {
			return f, nil
		}
	}
	return "", errors.New("an array, but not of corpus cases: its first element has no member \"reply\". " +
		"Of a JSON-RPC batch, give the messages one by one; --form message reads the array as one body")
}

// members reads the members of the object that b begins with and says where it ends. After an error, it returns those before the fault.
func members(b []byte) (o map[string]json.RawMessage, end int64, err error) {
	o = map[string]json.RawMessage{}
	dec := json.NewDecoder(bytes.NewReader(b))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return o, 0, errors.Join(err, errors.New("not an object"))
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return o, 0, err
		}
		var value json.RawMessage
		o[name.(string)] = nil
		if err := dec.Decode(&value); err != nil {
			return o, 0, err
		}
		o[name.(string)] = value
	}
	_, err = dec.Token()
	return o, dec.InputOffset(), err
}

// holdsMessage reports whether some line is a JSON-RPC message.
func holdsMessage(b []byte) bool {
	return slices.ContainsFunc(lines(b), func(line []byte) bool {
		return bytes.Contains(line, []byte(`"jsonrpc"`)) && json.Valid(line)
	})
}

// begin quotes the head of the input, for an error.
func begin(b []byte) string {
	const n = 16
	if len(b) > n {
		return string(b[:n])
	}
	return string(b)
}
