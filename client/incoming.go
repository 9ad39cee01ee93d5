package client

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// Bounds of the server's requests that are being answered. Over the first one they are refused, over the second one dropped:
// who sends a flood of them gets no memory of ours for it.
const (
	answersAtOnce  = 16 // by the host's handlers
	refusalsAtOnce = 64 // by ourselves, pings among them
	refusalID      = 1 << 10
)

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
	h := c.opts.Handlers[m.Method]
	switch {
	case m.Junk: // it was too long to be read
		c.plainly(s, m.ID, nil, &rpcError{-32603, "the request is over the client's limit"})
	case h != nil:
		params := bytes.Clone(m.Params)
		answer := func() {
			result, fault := handle(s.quitCtx, h, params)
			c.reply(s, encodeAnswer(json.RawMessage(m.ID), result, fault))
		}
		if !c.inSlot(c.busy, &c.handling, answer) {
			c.plainly(s, m.ID, nil, &rpcError{-32603, "too many requests at once"})
		}
	case m.Method == "ping":
		c.plainly(s, m.ID, json.RawMessage("{}"), nil)
	default:
		c.plainly(s, m.ID, nil, &rpcError{-32601, "Method not found"})
	}
}

// plainly answers what takes nothing of the host, so that busy handlers do not hold it up.
func (c *Client) plainly(s *session, id string, result json.RawMessage, fault *rpcError) {
	if len(id) <= refusalID {
		c.inSlot(c.refusing, &c.work, func() { c.reply(s, encodeAnswer(json.RawMessage(id), result, fault)) })
	}
}

// inSlot runs f in the background, as one of a group, if a slot is free.
func (c *Client) inSlot(slots chan struct{}, group *sync.WaitGroup, f func()) bool {
	select {
	case slots <- struct{}{}:
	default:
		return false
	}
	release := func() { <-slots }
	if !c.goIn(group, func() { defer release(); f() }) {
		release()
	}
	return true
}

// handle calls the host's function.
func handle(ctx context.Context, h Handler, params json.RawMessage) (json.RawMessage, *rpcError) {
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
