package live_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/live"
)

// connect connects over either transport, with the versions that are given.
func (w way) connect(t *testing.T, versions ...string) *client.Client {
	t.Helper()
	opts := client.Options{Protocol: versions}
	if w.stdio {
		cmd, _ := w.server.Command(t)
		return connect(t, pipe(cmd), opts)
	}
	return connect(t, client.HTTP{URL: w.server.Start(t).URL}, opts)
}

func TestNewestCommonVersionIsSpoken(t *testing.T) {
	each(t, func(w way) bool { return w.version == legacyVersion }, func(t *testing.T, w way) { // once a transport: each server has the handshake
		c := w.connect(t)
		if answer := c.Connect(limit(t)); answer.Err() != nil {
			t.Fatal(answer.Err())
		}
		want := legacyVersion
		if w.server.Modern {
			want = modernVersion
		}
		if got := c.Server().Version; got != want {
			t.Errorf("speaks %s, want %s", got, want)
		}
	})
}

func TestOlderVersionIsAgreedOn(t *testing.T) {
	each(t, func(w way) bool { return small(w) && w.version == legacyVersion }, func(t *testing.T, w way) {
		c := w.connect(t, "2025-06-18", "2025-03-26")
		if got := text(t, c.CallTool(limit(t), "add", map[string]any{"a": 1, "b": 2})); got != "3" || c.Server().Version != "2025-06-18" {
			t.Errorf("1 + 2 = %s in %s", got, c.Server().Version)
		}
	})
}

func TestNoCommonVersionNamesBothLists(t *testing.T) {
	each(t, func(w way) bool { return !w.server.Modern }, func(t *testing.T, w way) {
		err := w.connect(t, modernVersion).Connect(limit(t)).Err()
		var versions *client.VersionError
		if !errors.As(err, &versions) || !slices.Equal(versions.Ours, []string{modernVersion}) {
			t.Fatalf("%v", err)
		}
	})
}

// The server is replaced, at its address, in the middle of a client's life. The call finds its way and is made once.
func TestServerThatChangesIsFollowed(t *testing.T) {
	renegotiated := []interpret.Kind{interpret.UnsupportedVersion, interpret.OK}
	for _, change := range []struct {
		before, after string
		kinds         []interpret.Kind
	}{
		{"go-sdk-stateless", "go-sdk", renegotiated}, // 2026-07-28 is refused with the versions that are spoken
		{"mcp-go", "go-sdk", renegotiated},
		{"go-sdk", "go-sdk-stateless", []interpret.Kind{interpret.OK}}, // a server without sessions does not mind an unknown one
		{"ts-sdk1", "ts-sdk2", []interpret.Kind{interpret.OK}},
	} {
		t.Run(change.before+" to "+change.after, func(t *testing.T) {
			ctx := limit(t)
			process := named(t, change.before).Start(t)
			c := connect(t, client.HTTP{URL: process.URL}, client.Options{})
			if got := text(t, c.CallTool(ctx, "counter", nil)); got != "1" {
				t.Fatalf("counted %s", got)
			}
			process.Kill()
			process.Restart(named(t, change.after))
			answer := c.CallTool(ctx, "counter", nil)
			if got := text(t, answer); got != "2" {
				t.Errorf("counted %s, want 2", got)
			}
			if got := kinds(answer); !slices.Equal(got, change.kinds) {
				t.Errorf("attempts %v, want %v", got, change.kinds)
			}
			if got := c.Server().Version; got != legacyVersion {
				t.Errorf("speaks %s", got)
			}
		})
	}
}

// What a server spoke once is remembered for the next client, until it turns out to be wrong.
func TestStaleVerdictIsProbedAgain(t *testing.T) {
	ctx := limit(t)
	process := named(t, "ts-sdk2").Start(t)
	opts := client.Options{Verdicts: new(client.Verdicts)}
	spoken := func() string {
		c := connect(t, client.HTTP{URL: process.URL}, opts)
		if answer := c.CallTool(ctx, "add", map[string]any{"a": 1, "b": 2}); answer.Err() != nil {
			t.Fatalf("%v; attempts %v", answer.Err(), kinds(answer))
		}
		verdict, ok := opts.Verdicts.Get(client.HTTP{URL: process.URL}.Name())
		if !ok || verdict.Version != c.Server().Version || verdict.Since.IsZero() {
			t.Errorf("remembered %+v of a server that speaks %s", verdict, c.Server().Version)
		}
		return c.Server().Version
	}
	if got := spoken(); got != modernVersion {
		t.Errorf("speaks %s", got)
	}
	process.Kill()
	process.Restart(named(t, "ts-sdk1"))
	if got := spoken(); got != legacyVersion {
		t.Errorf("speaks %s", got)
	}
}

func named(t *testing.T, name string) live.Server {
	t.Helper()
	for _, server := range live.Servers() {
		if server.Name == name {
			return server
		}
	}
	t.Fatalf("no server %q", name)
	return live.Server{}
}
