package adapt

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcperr/mcperr/retry"
)

// MarkName is the member of a result's _meta in which the mark stands that finds its answer again, for an SDK that decodes results where no
// adapter can see it.
const MarkName = "io.github.mcperr/answer"

// marked are the answers to results that bear a mark. Nobody can tell when such a result is gone.
var marked = kept{most: 256, bytes: 32 << 20}

// Mark returns a result with a mark by which [Marked] finds the answer, for as long as it is one of the last 256, and those are of at most
// 32 MiB. A mark cannot be guessed, and takes the place of one that a server has written. What is no object comes back as it is.
func Mark(result []byte, a *retry.Answer) []byte {
	mark := rand.Text()
	out := withMark(result, mark)
	if out == nil {
		return result
	}
	marked.keep(mark, a)
	return out
}

// Marked returns the answer to a result that bears a mark, nil if it is no longer known, or is none.
func Marked(mark string) *retry.Answer { return marked.get(mark) }

// Unmarked returns a result without its mark, as JSON; one that has no JSON comes back as it is.
func Unmarked(result any, mark string) any {
	raw, err := json.Marshal(result)
	if err != nil {
		return result
	}
	before, after, ok := bytes.Cut(raw, fmt.Appendf(nil, "%q:%q", MarkName, mark))
	if !ok {
		return json.RawMessage(raw)
	}
	if rest, more := bytes.CutPrefix(after, []byte{','}); more {
		after = rest
	} else {
		before = bytes.TrimSuffix(before, []byte{','})
	}
	return json.RawMessage(slices.Concat(before, after))
}

// withMark returns an object with the mark in its _meta, nil if it is none or its _meta is none. Every other value stays byte for byte;
// _meta goes to the end, and the mark to the end of it: who reads names without regard to case, or twice, takes the last.
func withMark(object []byte, mark string) []byte {
	dec := json.NewDecoder(bytes.NewReader(object))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	out, meta := []byte{'{'}, []byte("{}")
	for dec.More() {
		name, err := dec.Token()
		var value json.RawMessage
		if err != nil || dec.Decode(&value) != nil {
			return nil
		}
		if name == "_meta" {
			meta = value
			continue
		}
		key, err := json.Marshal(name)
		if err != nil {
			return nil
		}
		out = append(append(append(append(out, key...), ':'), value...), ',')
	}
	if string(meta) == "null" {
		meta = []byte("{}")
	}
	inner, ok := bytes.CutPrefix(meta, []byte("{"))
	if !ok {
		return nil
	}
	inner = bytes.TrimSpace(bytes.TrimSuffix(inner, []byte("}")))
	if len(inner) > 0 {
		inner = append(bytes.Clone(inner), ',')
	}
	return fmt.Appendf(out, `"_meta":{%s%q:%q}}`, inner, MarkName, mark)
}
