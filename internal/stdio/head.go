package stdio

import (
	"bytes"
	"encoding/json"
	"io"
)

// headBytes is how much of a line's beginning is kept while it is read: enough for the names and the id of most messages.
const headBytes = 512

// Head keeps the beginning of the line that is being read from below.
type Head struct {
	Below io.Reader
	head  []byte
}

// Read implements [io.Reader].
func (h *Head) Read(p []byte) (int, error) {
	n, err := h.Below.Read(p)
	part := p[:n]
	if i := bytes.LastIndexByte(part, '\n'); i >= 0 {
		h.head, part = h.head[:0], part[i+1:]
	}
	h.head = append(h.head, part[:min(len(part), headBytes-len(h.head))]...)
	return n, err
}

// About says as much of the line's JSON object as the head shows: its id, raw, "" if it does not show one; and whether the line asks or tells
// us something, so that it answers nothing whatever its id is. That is told by a method, or by params where neither a result nor an error
// stands.
func (h *Head) About() (id string, asks bool) {
	var params, answers bool
	dec := json.NewDecoder(bytes.NewReader(h.head))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return "", false
	}
	for {
		name, err := dec.Token()
		if err != nil {
			break
		}
		switch name {
		case "method":
			asks = true
		case "params":
			params = true
		case "result", "error":
			answers = true
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			break
		}
		if name == "id" && id == "" {
			id = string(value)
		}
	}
	return id, asks || params && !answers
}
