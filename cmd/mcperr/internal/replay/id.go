package replay

import (
	"bytes"
	"encoding/json"
	"strings"
)

// replaceID gives the answers in a body, which stand under the id old, another id. In an event stream they are in its data lines.
func replaceID(contentType string, body, old, id []byte) []byte {
	if !strings.HasPrefix(contentType, "text/event-stream") {
		return setID(body, old, id)
	}
	var b bytes.Buffer
	for line := range bytes.Lines(body) {
		if data, ok := bytes.CutPrefix(line, []byte("data:")); ok {
			line = append([]byte("data:"), setID(data, old, id)...)
		}
		b.Write(line)
	}
	return b.Bytes()
}

// setID replaces the id of an answer, and nothing else in it. Any other message, or what is none, stays as it is:
// the wrong id of a recording stays wrong.
func setID(message, old, id []byte) []byte {
	dec := json.NewDecoder(bytes.NewReader(message))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return message
	}
	from, to := -1, 0
	for dec.More() {
		name, err := dec.Token()
		var value json.RawMessage
		if err != nil || dec.Decode(&value) != nil || name == "method" {
			return message
		}
		if name == "id" && len(old) > 0 && bytes.Equal(value, old) {
			to = int(dec.InputOffset())
			from = to - len(value)
		}
	}
	if from < 0 {
		return message
	}
	return bytes.Join([][]byte{message[:from], id, message[to:]}, nil)
}
