package mcpgo_test

import (
	"context"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"

	"github.com/mcperr/mcperr/client/mcpgo"
	"github.com/mcperr/mcperr/internal/adapt/adapttest"
	"github.com/mcperr/mcperr/retry"
)

func TestObserverIsToldTransportAndVersion(t *testing.T) {
	refused := adapttest.Error(400, -32022, `{"supported":["2025-11-25"],"requested":"2026-07-28"}`)
	connect := func(t *testing.T, d mcpgo.Dialer, loop *retry.Loop) func() error {
		s, err := mcpgo.Dial(t.Context(), d, initialize, loop)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.Close() })
		return func() error { _, a := s.CallTool(t.Context(), call("t")); return a.Err() }
	}
	wrap := func(t *testing.T, d mcpgo.Dialer, loop *retry.Loop) func() error {
		below, err := d(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c := client.NewClient(mcpgo.Wrap(below, loop))
		if err = c.Start(t.Context()); err == nil {
			_, err = c.Initialize(t.Context(), initialize)
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		return func() error { _, err := c.CallTool(t.Context(), call("t")); return err }
	}
	for name, c := range map[string]struct {
		host   func(*testing.T, mcpgo.Dialer, *retry.Loop) func() error
		http   bool // else over pipes
		modern bool
		reply  []adapttest.Reply
		want   []string
	}{
		"Dial, lines": {host: connect, want: []string{
			`start server/discover over stdio, version ""`, `end server/discover over stdio, version "2025-11-25"`,
			`start tools/call over stdio, version "2025-11-25"`, `end tools/call over stdio, version "2025-11-25"`,
		}},
		"Dial, HTTP, with a handshake": {host: connect, http: true, want: []string{
			`start server/discover over http, version ""`, `end server/discover over http, version "2025-11-25"`,
			`start tools/call over http, version "2025-11-25"`, `end tools/call over http, version "2025-11-25"`,
		}},
		"Dial, HTTP, and another version": {host: connect, http: true, modern: true, reply: []adapttest.Reply{refused}, want: []string{
			`start server/discover over http, version ""`, `end server/discover over http, version "2026-07-28"`,
			`start tools/call over http, version "2026-07-28"`, `end tools/call over http, version "2026-07-28"`,
			`start server/discover over http, version "2025-11-25"`, `end server/discover over http, version "2025-11-25"`,
			`start tools/call over http, version "2025-11-25"`, `end tools/call over http, version "2025-11-25"`,
		}},
		"Wrap, lines": {host: wrap, want: []string{
			`start server/discover over stdio, version "2026-07-28"`, `end server/discover over stdio, version "2026-07-28"`,
			`start initialize over stdio, version ""`, `end initialize over stdio, version "2025-11-25"`,
			`start tools/call over stdio, version "2025-11-25"`, `end tools/call over stdio, version "2025-11-25"`,
		}},
		"Wrap, HTTP": {host: wrap, http: true, modern: true, want: []string{
			`start server/discover over http, version "2026-07-28"`, `end server/discover over http, version "2026-07-28"`,
			`start tools/call over http, version "2026-07-28"`, `end tools/call over http, version "2026-07-28"`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			p := &piped{answer: func(_ int, method string) string { return older(method) }}
			dial := mcpgo.Dialer(func(ctx context.Context) (transport.Interface, error) { return p.dial(ctx) })
			if c.http {
				s := adapttest.New(t, c.modern)
				s.Say("tools/call", c.reply...)
				dial = mcpgo.HTTP{Endpoint: s.URL}.Dialer()
			}
			var o adapttest.Told
			loop := fast()
			loop.Observer = &o
			if err := c.host(t, dial, loop)(); err != nil {
				t.Fatal(err)
			}
			o.Want(t, c.want...)
			if p.starts > 1 {
				t.Errorf("dialed %d times for one session", p.starts)
			}
		})
	}
}
