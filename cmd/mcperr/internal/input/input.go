// Package input finds the replies in a file: JSON-RPC messages, event streams, raw HTTP responses, stdio transcripts,
// cases of the corpus and HAR recordings. Each form has a reader of its own; Read chooses among them.
// It only takes apart: what a reply means is for package interpret.
package input

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/mcperr/mcperr/interpret"
)

// Form is a form of input. The zero value is not known yet: Read looks at the bytes.
type Form string

// The forms.
const (
	Message Form = "message" // one JSON-RPC message, or whatever came in its place
	Stream  Form = "stream"  // a body of text/event-stream
	HTTP    Form = "http"    // raw HTTP responses: status line, headers, body
	Stdio   Form = "stdio"   // lines of a server's standard output, of its input too
	Case    Form = "case"    // a case of the corpus, or an array of them
	HAR     Form = "har"     // a HAR recording, or one entry of it
)

// Forms returns all of them.
func Forms() []Form { return []Form{Message, Stream, HTTP, Stdio, Case, HAR} }

// Reply is one reply of the input with the request that it answers.
type Reply struct {
	ID       string // of the case, else the input's name, numbered if there are several
	Form     Form
	Server   string // the address of a recording's request
	Exchange interpret.Exchange
	Asked    bool     // the input holds the request too; if not, Exchange.Request says no more than its transport
	Answers  string   // the id of the reply's first answer, raw JSON; "" if there is none
	Assumed  []string // what was read into the input, for people
	NoStatus bool     // the HTTP status is made up, for the input has none
}

// Options say what the bytes do not.
type Options struct {
	Name     string // of the input, for ids
	Form     Form
	Stdio    bool  // a single message came over stdio
	MaxBytes int64 // bounds what is decompressed of the input, all bodies together; 0: 64 MiB
}

// DefaultMaxBytes bounds an input and what is decompressed from it. Recordings of a browser are large, a mistake is larger.
const DefaultMaxBytes = 64 << 20

// Read finds the replies in b, which it keeps. The error names the place and what would help.
func Read(b []byte, o Options) ([]Reply, error) {
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	b = bytes.TrimPrefix(b, []byte("\ufeff"))
	if o.Form == "" {
		if len(bytes.TrimSpace(b)) == 0 {
			return nil, fmt.Errorf("the input is empty; to explain an empty body, put its status line and headers in front")
		}
		var err error
		if o.Form, err = detect(b); err != nil {
			return nil, err
		}
	}
	if o.Stdio && o.Form == Message {
		o.Form, b = Stdio, oneLine(b)
	}
	replies, err := readers[o.Form](b, o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", described[o.Form], err)
	}
	for i := range replies {
		r := &replies[i]
		r.Form = o.Form
		if r.ID == "" {
			if r.ID = o.Name; len(replies) > 1 {
				r.ID = fmt.Sprintf("%s#%d", o.Name, i+1)
			}
		}
	}
	return replies, nil
}

var readers = map[Form]func([]byte, Options) ([]Reply, error){
	Message: readMessage, Stream: readStream, HTTP: readHTTP, Stdio: readStdio, Case: readCases, HAR: readHAR,
}

var described = map[Form]string{
	Message: "JSON-RPC message", Stream: "event stream", HTTP: "HTTP response", Stdio: "stdio transcript", Case: "corpus case", HAR: "HAR",
}

// readMessage takes any bytes as the body of a reply.
func readMessage(b []byte, _ Options) ([]Reply, error) { return bare(b, "application/json"), nil }

// readStream takes any bytes as an event stream.
func readStream(b []byte, _ Options) ([]Reply, error) { return bare(b, "text/event-stream"), nil }

// bare makes a reply of a body that came without its status line.
func bare(body []byte, contentType string) []Reply {
	x := interpret.Exchange{Status: http.StatusOK, Header: http.Header{"Content-Type": {contentType}}, Body: body}
	return []Reply{{Exchange: x, Answers: answers(x), NoStatus: true, Assumed: []string{"HTTP 200, " + contentType}}}
}

// answers returns the id of the first answer in the body of an HTTP reply, "" if there is none.
func answers(x interpret.Exchange) string {
	limits := interpret.Limits{Bytes: int64(len(x.Body)) + 1}
	for m := range interpret.Scan(bytes.NewReader(x.Body), x.Header.Get("Content-Type"), x.Request, limits) {
		if !m.Junk && m.Method == "" && m.ID != "" && m.ID != "null" {
			return m.ID
		}
	}
	return ""
}

// oneLine puts a message on one line, as stdio has it.
func oneLine(b []byte) []byte {
	var line bytes.Buffer
	if json.Compact(&line, b) != nil {
		return b
	}
	return line.Bytes()
}
