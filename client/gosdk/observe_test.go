package gosdk_test

import (
	"context"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client/gosdk"
	"github.com/mcperr/mcperr/internal/adapt/adapttest"
	"github.com/mcperr/mcperr/retry"
)

func TestObserverIsToldTransportAndVersion(t *testing.T) {
	starts := 0
	pipes := piped(&starts, func(_ int, method, _ string) string { return older(method) })
	refused := adapttest.Error(400, -32022, `{"supported":["2025-11-25"],"requested":"2026-07-28"}`)
	connect := func(t *testing.T, d gosdk.Dialer, loop *retry.Loop) func() error {
		s, err := gosdk.Dial(t.Context(), sdk(), d, loop)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return func() error { _, a := s.CallTool(t.Context(), tool()); return a.Err() }
	}
	install := func(t *testing.T, d gosdk.Dialer, loop *retry.Loop) func() error {
		c := sdk()
		gosdk.Install(c, loop)
		transport, _ := d(t.Context())
		cs, err := c.Connect(t.Context(), transport, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { cs.Close() })
		return func() error { _, err := cs.CallTool(t.Context(), tool()); return err }
	}
	for name, c := range map[string]struct {
		host           func(*testing.T, gosdk.Dialer, *retry.Loop) func() error
		modern, legacy bool // over HTTP; else over pipes
		reply          []adapttest.Reply
		want           []string
	}{
		"Dial, lines": {host: connect, want: []string{
			`start server/discover over stdio, version ""`, `end server/discover over stdio, version "2025-11-25"`,
			`start tools/call over stdio, version "2025-11-25"`, `end tools/call over stdio, version "2025-11-25"`,
		}},
		"Dial, HTTP, with a handshake": {host: connect, legacy: true, want: []string{
			`start server/discover over http, version ""`, `end server/discover over http, version "2025-11-25"`,
			`start tools/call over http, version "2025-11-25"`, `end tools/call over http, version "2025-11-25"`,
		}},
		"Dial, HTTP, and another version": {host: connect, modern: true, reply: []adapttest.Reply{refused}, want: []string{
			`start server/discover over http, version ""`, `end server/discover over http, version "2026-07-28"`,
			`start tools/call over http, version "2026-07-28"`, `end tools/call over http, version "2026-07-28"`,
			`start server/discover over http, version "2025-11-25"`, `end server/discover over http, version "2025-11-25"`,
			`start tools/call over http, version "2025-11-25"`, `end tools/call over http, version "2025-11-25"`,
		}},
		"Install, lines": {host: install, want: []string{
			`start tools/call over stdio, version "2025-11-25"`, `end tools/call over stdio, version "2025-11-25"`,
		}},
		"Install, HTTP": {host: install, modern: true, want: []string{
			`start tools/call over http, version "2026-07-28"`, `end tools/call over http, version "2026-07-28"`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			dial := pipes
			if c.modern || c.legacy {
				s := adapttest.New(t, c.modern)
				s.Say("tools/call", c.reply...)
				dial = gosdk.HTTP{Endpoint: s.URL}.Dialer()
			}
			var o adapttest.Told
			loop := fast()
			loop.Observer = &o
			if err := c.host(t, dial, loop)(); err != nil {
				t.Fatal(err)
			}
			o.Want(t, c.want...)
		})
	}
}

// A transport of the host's own has its name from what is sent over it.
func TestObserverLearnsAnUnknownTransport(t *testing.T) {
	s := adapttest.New(t, true)
	var o adapttest.Told
	loop := fast()
	loop.Observer = &o
	dials := 0
	session, err := gosdk.Dial(t.Context(), sdk(), func(ctx context.Context) (mcp.Transport, error) {
		dials++
		below, err := gosdk.HTTP{Endpoint: s.URL}.Dialer()(ctx)
		return struct{ mcp.Transport }{below}, err
	}, loop)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	o.Want(t, `start server/discover over http, version ""`, `end server/discover over http, version "2026-07-28"`)
	if dials != 1 {
		t.Errorf("dialed %d times for one session", dials)
	}
}
