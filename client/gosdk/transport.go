package gosdk

import (
	"context"
	"math"
	"net/http"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/internal/adapt"
	"github.com/mcperr/mcperr/interpret"
)

// Dialer makes the transport of one session: the SDK uses each for one.
type Dialer func(context.Context) (mcp.Transport, error)

// transportOf says what a transport is to an observer: HTTP, or lines; known is false for one of neither the SDK's nor this package's.
func transportOf(t mcp.Transport) (over interpret.Transport, known bool) {
	switch t := t.(type) {
	case *mcp.StreamableClientTransport, *mcp.SSEClientTransport:
		return interpret.HTTP, true
	case *lineTransport, *mcp.CommandTransport, *mcp.IOTransport, *mcp.StdioTransport, *mcp.InMemoryTransport:
		return interpret.Stdio, true
	case *mcp.LoggingTransport:
		return transportOf(t.Transport)
	}
	return "", false
}

// HTTP is a server behind the Streamable HTTP transport.
type HTTP struct {
	Endpoint string
	Client   *http.Client      // nil: one with [http.DefaultTransport]. Its Transport is put below a [client.Tap]
	Header   http.Header       // goes with every request, a token for one; never to another origin. The SDK's own headers stand over it
	OAuth    auth.OAuthHandler // nil: a 401 is for [interpret.Authorize] among the loop's remedies, or ends in Ask

	// Listen asks for what the server sends of itself in the older protocol. Such a stream is asked for anew when it ends,
	// and never ends the session.
	Listen bool
}

// relisten is how long a listening stream that ended is silent before it is asked for anew.
const relisten = 10 * time.Second

// Dialer returns a [Dialer] of this server. Its sessions share a tap.
func (h HTTP) Dialer() Dialer {
	hc := new(http.Client)
	if h.Client != nil {
		*hc = *h.Client
	}
	tap := &client.Tap{Base: hc.Transport, OAuth: h.OAuth != nil, Relisten: relisten}
	hc.Transport = adapt.Headed(tap, h.Endpoint, h.Header)
	return func(context.Context) (mcp.Transport, error) {
		return &mcp.StreamableClientTransport{
			Endpoint: h.Endpoint, HTTPClient: hc, OAuthHandler: h.OAuth, DisableStandaloneSSE: !h.Listen,
			MaxRetries: math.MaxInt, // of streams that are taken up again: the tap ends those that come to nothing
		}, nil
	}
}
