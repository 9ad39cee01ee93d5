package probe

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"github.com/mcperr/mcperr/interpret"
)

// reply is what came for one message, and how a client reads it.
type reply struct {
	x interpret.Exchange
	o interpret.Outcome
	m *message // the JSON-RPC message that answers, whatever its id; nil: none came

	own    *strings.Replacer
	early  bool // a refusal need not know the id
	behind bool // a sound request was sent behind it
}

// message is an answer as it stands on the wire, so that what an interpreter forgives can still be seen.
type message struct {
	ID     json.RawMessage `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *rpcError       `json:"error"`
}

// rpcError is an error as it stands on the wire.
type rpcError struct {
	Code json.RawMessage `json:"code"`
	Data json.RawMessage `json:"data"`
}

// UnmarshalJSON takes an error that is no object for one without any member.
func (e *rpcError) UnmarshalJSON(b []byte) error {
	type plain rpcError
	if json.Unmarshal(b, (*plain)(e)) != nil {
		*e = rpcError{}
	}
	return nil
}

func newReply(x interpret.Exchange) *reply {
	r := &reply{x: x, o: interpret.Reply(x)}
	for _, raw := range messages(x) {
		var m message
		if json.Unmarshal(raw, &m) == nil && (m.Result != nil || m.Error != nil) {
			r.m = &m
			if x.Request.ID == "" || string(m.ID) == x.Request.ID {
				break
			}
		}
	}
	return r
}

// messages returns every JSON-RPC message of a reply that is no request and no notification.
func messages(x interpret.Exchange) (all [][]byte) {
	body, media := x.Body, x.Header.Get("Content-Type")
	if x.Request.Transport == interpret.Stdio {
		body, media = bytes.Join(x.Lines, []byte("\n")), ""
	}
	req := interpret.Request{Transport: x.Request.Transport} // without an id it is read to the end
	for m, err := range interpret.Scan(bytes.NewReader(body), media, req, interpret.Limits{}) {
		if err == nil && m.Raw != nil && m.Method == "" && !m.Junk {
			all = append(all, bytes.Clone(m.Raw))
		}
	}
	return all
}

// result decodes the result, if there is one, into v.
func (r *reply) result(v any) bool {
	return r.m != nil && r.m.Result != nil && json.Unmarshal(r.m.Result, v) == nil
}

// data decodes the error's data into v.
func (r *reply) data(v any) bool {
	return r.m != nil && r.m.Error != nil && r.m.Error.Data != nil && json.Unmarshal(r.m.Error.Data, v) == nil
}

// anonymous reports whether the answer bears no id, or null.
func (r *reply) anonymous() bool {
	return r.m != nil && (len(r.m.ID) == 0 || string(r.m.ID) == "null")
}

// html is the beginning of a page.
var html = regexp.MustCompile(`(?i)^\s*(?:<!--.*?-->\s*)?<(?:!doctype html|html|head|body)\b`)

func (r *reply) html() bool {
	return strings.Contains(strings.ToLower(r.x.Header.Get("Content-Type")), "text/html") || html.Match(r.x.Body)
}

func (r *reply) empty() bool {
	return len(bytes.TrimSpace(r.x.Body)) == 0 && len(r.x.Lines) == 0
}

// lookedAt is how many bytes of a reply are searched for what should not be there.
const lookedAt = 64 << 10

// text is what came, up to a bound, without what we said ourselves: a server may quote that.
func (r *reply) text() string {
	b := r.x.Body
	if r.x.Lines != nil {
		b = bytes.Join(r.x.Lines, []byte("\n"))
	}
	return r.own.Replace(string(b[:min(len(b), lookedAt)]))
}

// said is text with the escapes of JSON strings undone, so that a line of a trace is a line.
func (r *reply) said() string {
	return strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\"`, `"`, `\/`, "/", `\u003c`, "<", `\u003e`, ">", `\u0026`, "&", `\\`, `\`).Replace(r.text())
}

// refused reports whether the reply is no plain success: only in those do words betray the inside of a server.
func (r *reply) refused() bool { return r.o.Kind != interpret.OK }
