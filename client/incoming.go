package client

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// answersAtOnce bounds the server's requests that are being answered; further ones are refused unheard.
const answersAtOnce = 16

// replyTime bounds the sending of an answer.
const replyTime = 10 * time.Second

// incoming takes a notification or a request of the server. It does not block: a request is answered by a goroutine of its own,
// for the server's stream must go on being read, and with an error at once if nobody here can answer it.
func (c *Client) incoming(s *session, m interpret.Message) {
	if m.ID == "" {
		c.known.stale(m.Method)
		if c.opts.Notified != nil {
			c.opts.Notified(m.Method, bytes.Clone(m.Params))
		}
		return
	}
	select {
	case c.busy <- struct{}{}:
	default:
		return // a flood of requests; who sends it gets no memory of ours for it
	}
	params := bytes.Clone(m.Params)
	c.background(func() {
		defer func() { <-c.busy }()
		result, fault := c.handle(s.quitCtx, m.Method, params)
		c.reply(s, encodeAnswer(json.RawMessage(m.ID), result, fault))
	})
}

// handle calls the host's function for a method.
func (c *Client) handle(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, *rpcError) {
	h := c.opts.Handlers[method]
	switch {
	case h == nil && method == "ping":
		return json.RawMessage("{}"), nil
	case h == nil:
		return nil, &rpcError{-32601, "Method not found"}
	}
	v, err := h(ctx, params)
	if err != nil {
		return nil, &rpcError{-32603, err.Error()}
	}
	raw, err := marshal(v)
	if err != nil {
		return nil, &rpcError{-32603, "the client's answer cannot be sent"}
	}
	return raw, nil
}

// reply posts an answer of ours. Whatever comes of it, it is not sent again: the server may have acted on it.
func (c *Client) reply(s *session, body []byte) {
	ctx, cancel := context.WithTimeout(s.quitCtx, replyTime)
	defer cancel()
	c.link.post(ctx, s, interpret.Request{Transport: c.link.transport(), Body: body}, s.headers(), body)
}
