package gosdk

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/internal/adapt"
	"github.com/mcperr/mcperr/interpret"
)

// Wrap puts a [client.LineTap] around a transport that is not HTTP: a child process, pipes, memory.
// Beside what it records, it gives up a probe (server/discover) that stays unanswered for 5 s, as older servers leave it,
// so that the SDK goes on with the handshake.
func Wrap(t mcp.Transport) mcp.Transport { return &lineTransport{below: t} }

type lineTransport struct {
	below mcp.Transport
	lost  lost
}

func (t *lineTransport) Connect(ctx context.Context) (mcp.Connection, error) {
	c := &lineConn{ended: &t.lost, calls: make(map[any]waiting), incoming: make(chan incoming), connected: make(chan struct{})}
	if child, ok := t.below.(*child); ok {
		child.tooLong, child.odd = c.tooLong, c.odd
	}
	below, err := t.below.Connect(ctx)
	if err != nil {
		return nil, adapt.Unsent(err)
	}
	c.Connection = below
	c.reading, c.stop = context.WithCancel(context.Background())
	close(c.connected)
	return c, nil
}

// probe is how long server/discover may stay unanswered before a server counts as one of the older protocol.
const probe = 5 * time.Second

type lineConn struct {
	mcp.Connection
	ended     *lost
	tap       client.LineTap
	start     sync.Once
	connected chan struct{}   // closed when all members are there
	reading   context.Context // ends with Close
	stop      context.CancelFunc
	incoming  chan incoming

	mu    sync.Mutex
	calls map[any]waiting // by id
}

// waiting is a request without an answer yet.
type waiting struct {
	*client.LineCall
	unwatch func() bool // its context
}

type incoming struct {
	message jsonrpc.Message
	err     error
}

// Write sends a message, and records it if it is a request.
func (c *lineConn) Write(ctx context.Context, m jsonrpc.Message) error {
	line, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	call, err := c.tap.Request(ctx, line)
	r, _ := m.(*jsonrpc.Request)
	if err != nil {
		go c.deliver(&jsonrpc.Response{ID: r.ID, Error: err}, nil) // as an answer: an error of Write would end the session
		return nil
	}
	if call != nil {
		c.mu.Lock()
		c.calls[r.ID.Raw()] = waiting{call, context.AfterFunc(ctx, func() {
			c.take(r.ID).Fail(adapt.Failure(ctx, context.Cause(ctx), mcp.ErrConnectionClosed, interpret.DeliveryWritten))
		})}
		c.mu.Unlock()
	}
	if err := c.Connection.Write(ctx, m); err != nil {
		if call != nil {
			c.take(r.ID).Fail(adapt.Failure(ctx, err, mcp.ErrConnectionClosed, interpret.DeliveryUnknown))
		}
		return err
	}
	if call != nil && r.Method == "server/discover" {
		time.AfterFunc(probe, func() { c.giveUp(r.ID) })
	}
	return nil
}

// giveUp ends the wait for the answer to a probe.
func (c *lineConn) giveUp(id jsonrpc.ID) {
	if call := c.take(id); call != nil {
		err := errors.New("no answer to the probe")
		call.Fail(interpret.Failure{What: interpret.FailedTimeout, Delivery: interpret.DeliveryWritten, Err: err})
		c.deliver(&jsonrpc.Response{ID: id, Error: err}, nil)
	}
}

func (c *lineConn) take(id jsonrpc.ID) *client.LineCall {
	c.mu.Lock()
	defer c.mu.Unlock()
	w, ok := c.calls[id.Raw()]
	if ok {
		w.unwatch()
	}
	delete(c.calls, id.Raw())
	return w.LineCall
}

// Read returns the next message.
func (c *lineConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	c.start.Do(func() { go c.pump() })
	select {
	case in := <-c.incoming:
		return in.message, in.err
	case <-c.reading.Done():
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// pump reads what is below to its end.
func (c *lineConn) pump() {
	for {
		m, err := c.Connection.Read(c.reading)
		switch m := m.(type) {
		case *jsonrpc.Response:
			call := c.take(m.ID)
			if line, err := jsonrpc.EncodeMessage(m); err == nil {
				call.Answer(line)
			}
		case *jsonrpc.Request:
			if !m.IsCall() {
				c.tap.Heard(m.Method)
			}
		}
		if err != nil {
			c.lost(err)
			c.ended.come()
		}
		if !c.deliver(m, err) || err != nil {
			return
		}
	}
}

// lost ends every call in flight.
func (c *lineConn) lost(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for id, call := range c.calls {
		call.unwatch()
		call.Fail(adapt.Failure(c.reading, err, mcp.ErrConnectionClosed, interpret.DeliveryWritten))
		delete(c.calls, id)
	}
}

func (c *lineConn) deliver(m jsonrpc.Message, err error) bool {
	select {
	case c.incoming <- incoming{m, err}:
		return true
	case <-c.reading.Done():
		return false
	}
}

// Close ends the connection, and a Read that waits.
func (c *lineConn) Close() error {
	c.stop()
	return c.Connection.Close()
}
