package client

import (
	"bytes"
	"encoding/json"
	"io"
)

// headBytes is how much of a line's beginning is kept while it is read: enough for the id of most answers.
const headBytes = 512

// lineHead keeps the beginning of the line that is being read from below.
type lineHead struct {
	below io.Reader
	head  []byte
}

func (l *lineHead) Read(p []byte) (int, error) {
	n, err := l.below.Read(p)
	part := p[:n]
	if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
		l.head, part = l.head[:0], part[i+1:]
	}
	l.head = append(l.head, part[:min(len(part), headBytes-len(l.head))]...)
	return n, err
}

// id returns the id of the line's JSON object, raw, if it stands in the head and before the result; "" otherwise.
func (l *lineHead) id() string {
	dec := json.NewDecoder(bytes.NewReader(l.head))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return ""
	}
	for {
		name, err := dec.Token()
		if err != nil {
			return ""
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return ""
		}
		if name == "id" {
			return string(value)
		}
	}
}
