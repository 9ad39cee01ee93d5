package client

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"testing"
)

// pipes is a network in memory, which the clock of a synctest bubble waits for.
type pipes struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case c := <-p.conns:
		return c, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error {
	p.once.Do(func() { close(p.closed) })
	return nil
}

func (p *pipes) Addr() net.Addr { return &net.UnixAddr{} }

func (p *pipes) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.conns <- theirs:
		return ours, nil
	case <-p.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// dialBubble returns a client of a script that is served within the bubble of the test, and closed with it.
func dialBubble(t *testing.T, s *script, opts Options) *Client {
	t.Helper()
	network := &pipes{conns: make(chan net.Conn), closed: make(chan struct{})}
	server, wire := &http.Server{Handler: s}, &http.Transport{DialContext: network.dial}
	go func() {
		if err := server.Serve(network); !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	}()
	t.Cleanup(func() {
		wire.CloseIdleConnections()
		server.Close()
	})
	return s.dialAs(t, HTTP{URL: "http://server.example/mcp", Client: &http.Client{Transport: wire}}, opts)
}
