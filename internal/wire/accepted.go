package wire

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// accepts reports whether a reply says all that counts with its head: an event stream under 2xx, to what expects no answer. Such a stream may stay open
// for what the server sends of itself, and nobody waits for that.
func accepts(resp *http.Response, req interpret.Request) bool {
	return resp.StatusCode >= 200 && resp.StatusCode < 300 && IsEventStream(resp.Header) && expectsNone(req)
}

// expectsNone reports whether no answer comes to what is sent: a notification, or an answer to a request of the server's. It is not sure of
// anything else without an id: a batch may hold requests, and a GET is sent for its stream.
func expectsNone(req interpret.Request) bool {
	switch {
	case req.HTTPMethod != "" && req.HTTPMethod != http.MethodPost:
		return false
	case req.Method != "":
		return req.IsNotification()
	}
	var m struct{ Method, Result, Error json.RawMessage }
	return json.Unmarshal(req.Body, &m) == nil && m.Method == nil && (m.Result != nil || m.Error != nil)
}

// glance reads what comes of such a stream in a moment, an error for one, and closes it. How the stream ends says nothing more.
func glance(body *bounded, resp *http.Response, req interpret.Request, opt Options) {
	stop := time.AfterFunc(linger, func() { resp.Body.Close() })
	defer stop.Stop()
	_ = readStream(body, resp, req, opt)
}
