package interpret

import (
	"io"
	"iter"
)

// Message is one JSON-RPC message of a reply, as [Scan] meets it.
type Message struct {
	Raw     []byte
	Method  string // "" of an answer
	ID      string // raw JSON, "" if absent
	EventID string
	Answer  bool // it answers the request, and nothing more is to be read
}

// Limits bound what Scan reads. Zero values are the defaults.
type Limits struct {
	Bytes int64
}

func Scan(rd io.Reader, req Request, l Limits) iter.Seq2[Message, error] { return nil }
