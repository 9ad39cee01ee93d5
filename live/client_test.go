package live_test

import (
	"context"
	"encoding/json"
	"os/exec"
	"testing"
	"time"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/live"
	"github.com/mcperr/mcperr/live/internal/ledger"
	"github.com/mcperr/mcperr/retry"
)

// way is one way to talk to a server: over a transport, in an era.
type way struct {
	server  live.Server
	stdio   bool
	version string
}

func (w way) String() string {
	transport := "http"
	if w.stdio {
		transport = "stdio"
	}
	return w.server.Name + "/" + transport + "/" + w.version
}

// each runs a test for every way to talk to the servers that is chosen, two or more at a time: they mostly wait for servers to start.
func each(t *testing.T, chosen func(way) bool, test func(*testing.T, way)) {
	for _, server := range live.Servers() {
		for _, stdio := range []bool{false, true} {
			if stdio && !server.Stdio || !stdio && !server.HTTP {
				continue
			}
			for _, version := range []string{legacyVersion, modernVersion} {
				w := way{server, stdio, version}
				if (version == legacyVersion && server.Legacy || version == modernVersion && server.Modern) && chosen(w) {
					t.Run(w.String(), func(t *testing.T) {
						t.Parallel()
						test(t, w)
					})
				}
			}
		}
	}
}

// connection is a client and the server that it talks to.
type connection struct {
	*client.Client
	ledger  ledger.Ledger
	process *live.Process // nil over stdio
}

// dial starts the server and a client that speaks the way's version and no other.
func (w way) dial(t *testing.T, opts client.Options) connection {
	t.Helper()
	opts.Protocol = []string{w.version}
	if w.stdio {
		cmd, book := w.server.Command(t)
		return connection{connect(t, pipe(cmd), opts), book, nil}
	}
	process := w.server.Start(t)
	return connection{connect(t, client.HTTP{URL: process.URL}, opts), process.Ledger, process}
}

// pipe is the transport to a command. A cold Python on a busy machine takes longer to its first word than the usual probe waits.
func pipe(cmd *exec.Cmd) client.Stdio {
	return client.Stdio{Command: cmd.Path, Args: cmd.Args[1:], Env: cmd.Env, Probe: patience / 3}
}

func connect(t *testing.T, transport client.Transport, opts client.Options) *client.Client {
	t.Helper()
	c, err := client.New(transport, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

// patience bounds a wait: a server that does not answer fails a test and does not hang it. A busy machine takes half a minute to start one.
const patience = 3 * time.Minute

func limit(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// text returns the text of a tool's result.
func text(t *testing.T, answer *retry.Answer) string {
	t.Helper()
	if err := answer.Err(); err != nil {
		t.Fatalf("%v; attempts %+v", err, answer.Attempts)
	}
	var result struct {
		Content []struct {
			Text string `json:"text"`
		} `json:"content"`
	}
	if err := json.Unmarshal(answer.Outcome.Result, &result); err != nil || len(result.Content) == 0 {
		t.Fatalf("no text in %s: %v", answer.Outcome.Result, err)
	}
	return result.Content[0].Text
}

// ran returns how often an event stands in the ledger.
func (c connection) ran(t *testing.T, event string) int {
	t.Helper()
	n, err := c.ledger.Count(event)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// eventually waits for what another process does in its own time.
func eventually(t *testing.T, what string, happened func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !happened(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within %v", what, patience)
		}
	}
}
