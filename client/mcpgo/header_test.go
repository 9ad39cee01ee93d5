package mcpgo_test

import (
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/mcperr/mcperr/client/mcpgo"
	"github.com/mcperr/mcperr/internal/adapt/adapttest"
)

// TestHeaderGoesToItsOriginAlone: with each request that a session sends, and with none that another server gets.
func TestHeaderGoesToItsOriginAlone(t *testing.T) {
	s, other := adapttest.New(t, false), adapttest.New(t, false)
	away := func(path string) adapttest.Reply {
		return adapttest.Reply{Status: http.StatusTemporaryRedirect, Header: map[string]string{"Location": path}}
	}
	host := http.Header{"authorization": {"Bearer hunter2"}, "X-Key": {"hunter2"}, "Accept": {"text/plain"}, "Mcp-Protocol-Version": {"1999-01-01"}}
	//lint:ignore SA1019 it is the older protocol that is spoken here
	listen := []transport.StreamableHTTPCOption{transport.WithContinuousListening(), transport.WithHTTPLogger(slog.New(slog.DiscardHandler))}
	session, err := mcpgo.Dial(t.Context(), mcpgo.HTTP{Endpoint: s.URL + "/mcp", Header: host, Options: listen}.Dialer(), initialize, fast())
	if err != nil {
		t.Fatal(err)
	}
	s.Await(http.MethodGet)
	s.Say("tools/call", away("/mcp/moved"))
	if _, a := session.CallTool(t.Context(), call("t")); a.Err() != nil {
		t.Error(a.Err())
	}
	s.Say("tools/call", away(other.URL))
	if _, a := session.CallTool(t.Context(), call("t")); a.Err() == nil {
		t.Error("a call went to another origin")
	}
	s.Say("DELETE", away(other.URL)) // which net/http follows
	session.Close()

	for _, r := range s.All() {
		h := r.Header
		if h.Get("Authorization") != "Bearer hunter2" || h.Get("X-Key") != "hunter2" {
			t.Errorf("%s %s without the host's headers: %v", r.Verb, r.Method, h)
		}
		if r.Method == "tools/call" && (h.Get("Accept") == "text/plain" || h.Get("Mcp-Protocol-Version") != "2025-11-25") {
			t.Errorf("%s %s with the host's in place of the protocol's: %v", r.Verb, r.Method, h)
		}
	}
	if n := len(s.Got("tools/call")); n != 3 || len(s.Got("DELETE")) != 1 {
		t.Errorf("%d calls, of %d requests", n, len(s.All()))
	}
	for _, r := range other.All() {
		if r.Header.Get("Authorization") != "" || r.Header.Get("X-Key") != "" {
			t.Errorf("another origin got %v", r.Header)
		}
	}
	if host.Get("X-Key") != "hunter2" || len(host) != 4 {
		t.Errorf("the host's own were changed: %v", host)
	}
}

// TestCredentialsThatAServerEchoes: the host gave them to the adapter, so they are in no error and no text for a model.
func TestCredentialsThatAServerEchoes(t *testing.T) {
	const key = "correct horse battery"
	s := adapttest.New(t, false)
	s.Say("tools/call", adapttest.Reply{Status: 200, Body: `{"jsonrpc":"2.0","id":$ID,"error":{"code":-32602,"message":"who is ` + key + `?"}}`},
		adapttest.Reply{Status: 403, Body: key})
	session, err := mcpgo.Dial(t.Context(), mcpgo.HTTP{Endpoint: s.URL, Header: http.Header{"X-Api-Key": {key}}}.Dialer(), initialize, fast())
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	for range 2 {
		_, a := session.CallTool(t.Context(), call("t"))
		if text := fmt.Sprintf("%+v\n%s", a.Err(), a.ForModel()); a.Err() == nil || strings.Contains(text, key) {
			t.Error(text)
		}
	}
}
