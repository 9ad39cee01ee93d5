package client

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// outgoing is one message on its way to the server.
type outgoing struct {
	method string
	params object
	state  interpret.StateUse // of the requestState among the params
}

func (m outgoing) notification() bool { return strings.HasPrefix(m.method, "notifications/") }

// send sends one message in a session and returns what came of it. A request gets an id of its own each time:
// ids are small integers, counted up and never used again, for some servers keep them in 32 bits and some remember them.
func (c *Client) send(ctx context.Context, s *session, m outgoing) interpret.Exchange {
	var id int64
	if !m.notification() {
		id = c.ids.Add(1)
	}
	h, params := s.headers(), withMeta(m.params, retry.Meta(ctx))
	if !s.plan.handshake {
		params = s.identity.modernParams(params, s.version())
		mirrorHeaders(h, m.method, params, c.known.mirrored(m))
	}
	body := encodeRequest(id, m.method, params)
	req := c.describe(s, m, h, body)
	if id == 0 {
		return c.link.post(ctx, s, req, h, body)
	}
	req.ID = strconv.FormatInt(id, 10)
	return c.link.exchange(ctx, s, req, h, body)
}

// withMeta adds what an observer wants in _meta, as trace context is.
func withMeta(params object, extra map[string]string) object {
	if len(extra) == 0 {
		return params
	}
	meta, err := parseObject(params.get("_meta"))
	if err != nil {
		meta = nil
	}
	for _, name := range slices.Sorted(maps.Keys(extra)) {
		meta = meta.with(name, text(extra[name]))
	}
	return params.with("_meta", meta.encode())
}

// describe says what an interpreter may know of a message: what its bytes say, and what is known of the server.
func (c *Client) describe(s *session, m outgoing, h http.Header, body []byte) interpret.Request {
	req, err := interpret.ParseRequest(body, h)
	if err != nil { // what encodeRequest wrote is always a request
		req.Method, req.Body, req.Headers = m.method, body, h
	}
	req.Transport = c.link.transport()
	req.Era, req.Session, req.State = s.era(), s.id != "", m.state
	if req.Version == "" {
		req.Version = s.version()
	}
	if s.plan.handshake && req.Capabilities == nil {
		req.Capabilities = s.declared
	}
	c.known.describe(&req)
	return req
}
