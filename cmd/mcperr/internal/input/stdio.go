package input

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/mcperr/mcperr/interpret"
)

// A wireMessage is what pairs a line with others. The id is compared as JSON text.
type wireMessage struct {
	id     string // "" if absent or null
	method string
	answer bool
}

// wire reads one line; ok is false for what is no JSON object.
func wire(line []byte) (m wireMessage, ok bool) {
	o, _, err := members(line)
	if err != nil {
		return m, false
	}
	if id := string(o["id"]); id != "null" {
		m.id = id
	}
	json.Unmarshal(o["method"], &m.method)
	_, result := o["result"]
	_, fault := o["error"]
	m.answer = m.method == "" && (result || fault)
	return m, true
}

// readStdio reads a transcript. Requests of a client, if it holds them, are paired with their answers by id;
// of a server's output alone, every answer is a reply. Lines that are neither belong to the reply that follows them.
func readStdio(b []byte, _ Options) ([]Reply, error) {
	var (
		replies []Reply
		asked   = map[string]interpret.Request{}
		before  [][]byte // lines since the last answer
		order   []string // ids asked, in order
	)
	for _, line := range lines(b) {
		m, ok := wire(line)
		if ok && ofClient(m.method) {
			if r, err := interpret.ParseRequest(line, nil); err == nil && m.id != "" {
				r.Transport = interpret.Stdio
				asked[m.id] = r
				order = append(order, m.id)
			}
			continue
		}
		before = append(before, line)
		if !ok || !m.answer {
			continue
		}
		r := Reply{Exchange: interpret.Exchange{Lines: before}, Answers: m.id}
		r.Exchange.Request.Transport = interpret.Stdio
		if q, ok := asked[m.id]; ok {
			r.Exchange.Request, r.Asked = q, true
			delete(asked, m.id)
		}
		replies, before = append(replies, r), nil
	}
	if replies != nil {
		last := &replies[len(replies)-1].Exchange
		last.Lines = append(last.Lines, before...)
	} else if len(asked) == 0 {
		x := interpret.Exchange{Request: interpret.Request{Transport: interpret.Stdio}, Lines: before}
		replies = append(replies, Reply{Exchange: x})
	}
	return append(replies, unanswered(asked, order)...), nil
}

// unanswered makes a reply of every request that got none: the output ended.
func unanswered(asked map[string]interpret.Request, order []string) (replies []Reply) {
	for _, id := range order {
		q, ok := asked[id]
		if !ok {
			continue
		}
		delete(asked, id)
		x := interpret.Exchange{Request: q, Failure: &interpret.Failure{What: interpret.FailedEOF, Delivery: interpret.DeliveryWritten}}
		replies = append(replies, Reply{Exchange: x, Asked: true, Assumed: []string{fmt.Sprintf("the output ended before an answer to id %s", id)}})
	}
	return replies
}

// ofClient reports whether only a client sends the method. What both sides send (ping, notifications) is the server's here.
func ofClient(method string) bool {
	switch method {
	case "initialize", "server/discover", "tools/list", "tools/call", "resources/list", "resources/templates/list", "resources/read",
		"resources/subscribe", "resources/unsubscribe", "prompts/list", "prompts/get", "completion/complete", "logging/setLevel",
		"subscriptions/listen", "notifications/initialized", "notifications/roots/list_changed":
		return true
	}
	return false
}

// lines splits at newlines, which are taken off with a carriage return before them; the end of the last line is no line of its own.
func lines(b []byte) (all [][]byte) {
	for line := range bytes.Lines(b) {
		all = append(all, bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r")))
	}
	return all
}
