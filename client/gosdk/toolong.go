package gosdk

import (
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// tooLong is told of a line that was over the limit, as much as its head shows. It ends the call whose answer that was, or the only one in flight
// if the head does not say whose; a request of the server's is refused, for our own may be waiting for it.
func (c *lineConn) tooLong(raw string, asks bool) {
	<-c.connected
	if asks {
		if id, ok := idOf(raw); ok {
			refusal := &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: "the request is over the client's limit"}
			go c.Connection.Write(c.reading, &jsonrpc.Response{ID: id, Error: refusal}) // it may wait for a server that waits for us
		}
		return
	}
	if id, ok := idOf(c.whose(raw)); ok {
		if call := c.take(id); call != nil {
			c.deliver(&jsonrpc.Response{ID: id, Error: call.Cut()}, nil)
		}
	}
}

// whose returns the id, as it was sent, of the call that an id on the wire stands for; "" if there is none. Another id than any of ours is
// that of a call that was given up.
func (c *lineConn) whose(raw string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, call := range c.calls {
		if call.ID() == raw || (raw == "" || raw == "null") && len(c.calls) == 1 {
			return call.ID()
		}
	}
	return ""
}

// idOf reads an id, raw JSON. ok is false if it is none.
func idOf(raw string) (id jsonrpc.ID, ok bool) {
	var v any
	if json.Unmarshal([]byte(raw), &v) != nil || v == nil {
		return id, false
	}
	id, err := jsonrpc.MakeID(v)
	return id, err == nil
}
