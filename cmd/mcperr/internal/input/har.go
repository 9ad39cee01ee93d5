package input

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// An entry is what a HAR 1.2 recording keeps of one exchange.
type entry struct {
	Started string `json:"startedDateTime"`
	Request struct {
		Method   string `json:"method"`
		URL      string `json:"url"`
		Headers  pairs  `json:"headers"`
		PostData struct {
			Text string `json:"text"`
		} `json:"postData"`
	} `json:"request"`
	Response *response `json:"response"`
}

type response struct {
	Status  int   `json:"status"`
	Headers pairs `json:"headers"`
	Content struct {
		Text     *string `json:"text"`
		Encoding string  `json:"encoding"`
		Size     int64   `json:"size"`
	} `json:"content"`
	Error string `json:"_error"` // of Chromium: net::ERR_CONNECTION_REFUSED
}

type pairs []struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (p pairs) header() http.Header {
	h := http.Header{}
	for _, kv := range p {
		if !strings.HasPrefix(kv.Name, ":") { // a pseudo header of HTTP/2
			h.Add(kv.Name, kv.Value)
		}
	}
	return h
}

// readHAR reads a recording, an entry, or an array of entries. What is no exchange with an MCP server is left out.
func readHAR(b []byte, _ Options) ([]Reply, error) {
	var entries []entry
	where := "log.entries"
	var err error
	switch o, _, _ := members(b); {
	case hasMember(o, "log"):
		var file struct {
			Log struct {
				Entries []entry `json:"entries"`
			} `json:"log"`
		}
		err = json.Unmarshal(b, &file)
		entries = file.Log.Entries
	case len(o) > 0:
		where = "entries"
		entries = make([]entry, 1)
		err = json.Unmarshal(b, &entries[0])
	default:
		where = ""
		err = json.Unmarshal(b, &entries)
	}
	if err != nil {
		return nil, jsonError(b, err)
	}
	var replies []Reply
	for i, e := range entries {
		if !e.mcp() {
			continue
		}
		r, err := e.reply()
		if err != nil {
			return nil, fmt.Errorf("%s[%d]: %w", where, i, err)
		}
		replies = append(replies, r)
	}
	if replies == nil {
		return nil, fmt.Errorf("none of its %d entries is an exchange with an MCP server: no JSON-RPC in a request body, no Mcp- header", len(entries))
	}
	return replies, nil
}

func hasMember(o map[string]json.RawMessage, name string) bool { _, ok := o[name]; return ok }

// mcp reports whether the entry speaks the protocol: by the request's body, or a header that only it has.
func (e *entry) mcp() bool {
	if strings.Contains(e.Request.PostData.Text, `"jsonrpc"`) {
		return true
	}
	for _, h := range e.Request.Headers {
		if strings.HasPrefix(strings.ToLower(h.Name), "mcp-") {
			return true
		}
	}
	return false
}

func (e *entry) reply() (r Reply, err error) {
	x := &r.Exchange
	r.Asked, r.Server = true, e.Request.URL
	// What cannot be parsed is a request that was none, which is what the server saw too.
	x.Request, _ = interpret.ParseRequest([]byte(e.Request.PostData.Text), e.Request.Headers.header())
	x.Request.HTTPMethod = e.Request.Method
	x.Received, _ = time.Parse(time.RFC3339, e.Started)
	switch v := e.Response; {
	case v == nil:
		return r, errors.New("it has no response")
	case v.Status == 0:
		x.Failure = browserFailure(v.Error)
		r.Assumed = append(r.Assumed, fmt.Sprintf("no reply arrived: %s, %s", x.Failure.What, v.Error))
		return r, nil
	default:
		x.Status, x.Header = v.Status, v.Headers.header()
		text := ""
		if v.Content.Text != nil {
			text = *v.Content.Text
		} else if v.Content.Size > 0 {
			r.Assumed = append(r.Assumed, fmt.Sprintf("an empty body: the recording was saved without the %d bytes that came", v.Content.Size))
		}
		x.Body = []byte(text)
		if v.Content.Encoding == "base64" {
			if x.Body, err = base64.StdEncoding.DecodeString(text); err != nil {
				return r, fmt.Errorf("response.content.text: %w", err)
			}
		}
		if v.Error != "" {
			x.Failure = browserFailure(v.Error)
			x.Failure.Delivery = interpret.DeliveryAnswering
		}
		return r, nil
	}
}

// browserFailure reads the network errors of Chromium, the one browser that records them.
func browserFailure(text string) *interpret.Failure {
	f := &interpret.Failure{What: interpret.FailedReset, Delivery: interpret.DeliveryWritten}
	for _, e := range []struct {
		part     string
		what     interpret.FailureWhat
		delivery interpret.Delivery
	}{
		{"CONNECTION_REFUSED", interpret.FailedRefused, interpret.DeliveryNotSent},
		{"NAME_NOT_RESOLVED", interpret.FailedDNS, interpret.DeliveryNotSent},
		{"CONNECTION_TIMED_OUT", interpret.FailedTimeout, interpret.DeliveryNotSent}, // while connecting
		{"CERT_", interpret.FailedTLS, interpret.DeliveryNotSent},
		{"SSL_", interpret.FailedTLS, interpret.DeliveryNotSent},
		{"ABORTED", interpret.FailedCancelled, interpret.DeliveryWritten},
		{"TIMED_OUT", interpret.FailedTimeout, interpret.DeliveryWritten},
		{"EMPTY_RESPONSE", interpret.FailedEOF, interpret.DeliveryWritten},
		{"INVALID_HTTP_RESPONSE", interpret.FailedProtocol, interpret.DeliveryWritten},
	} {
		if strings.Contains(text, e.part) {
			f.What, f.Delivery = e.what, e.delivery
			break
		}
	}
	return f
}
