package gosdk

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcperr/mcperr/interpret"
)

// odd is told of a message that the SDK would end the session for. An answer ends its call, or the only one in flight if it does not say whose it
// is; what else a server sends so asks for nothing that could be answered.
func (c *lineConn) odd(line interpret.Message) {
	<-c.connected
	if line.Method != "" {
		return
	}
	if id, ok := idOf(c.whose(line.ID)); ok {
		if call := c.take(id); call != nil {
			call.Answer(bytes.Clone(line.Raw))
			var m map[string]json.RawMessage
			json.Unmarshal(line.Raw, &m)
			answer := &jsonrpc.Response{ID: id, Result: bytes.Clone(m["result"])}
			if answer.Result == nil {
				answer.Error = errOdd
			}
			c.deliver(answer, nil)
		}
	}
}

var errOdd = errors.New("the answer is no JSON-RPC as it must be written")
