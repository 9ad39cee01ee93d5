package mcpgo

import (
	"context"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/internal/adapt"
)

// Dialer makes the transport of one session.
type Dialer func(context.Context) (transport.Interface, error)

// HTTP is a server behind the Streamable HTTP transport.
type HTTP struct {
	Endpoint string
	Client   *http.Client                      // nil: one with [http.DefaultTransport]. Its Transport is put below a [client.Tap]
	Header   http.Header                       // goes with every request, a token for one; never to another origin. What mcp-go sets stands over it
	Options  []transport.StreamableHTTPCOption // of the host; not [transport.WithHTTPBasicClient], which would take the tap out
	OAuth    bool                              // [transport.WithHTTPOAuth] is among the options
}

// relisten is how long a listening stream that ended is silent before it is asked for anew.
const relisten = 10 * time.Second

// Dialer returns a [Dialer] of this server. Its sessions share a tap.
func (h HTTP) Dialer() Dialer {
	below := h.Client
	if below == nil {
		below = new(http.Client)
	}
	tap := &client.Tap{Base: below.Transport, OAuth: h.OAuth, Relisten: relisten}
	return func(context.Context) (transport.Interface, error) {
		hc := *below // mcp-go's options write into it
		hc.Transport = adapt.Headed(tap, h.Endpoint, h.Header)
		return transport.NewStreamableHTTP(h.Endpoint, append([]transport.StreamableHTTPCOption{transport.WithHTTPBasicClient(&hc)}, h.Options...)...)
	}
}

// Command is a server run as a child process, one for each session. A nil env is this process's own; it adds to that otherwise.
func Command(command string, env []string, args ...string) Dialer {
	return func(context.Context) (transport.Interface, error) {
		return transport.NewStdio(command, env, args...), nil
	}
}
