package client

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"sync"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// Verdict is what was learned about a server's protocol, once a handshake or a discovery had succeeded.
type Verdict struct {
	Era     interpret.Era
	Version string    // that was agreed on
	Since   time.Time // when
}

// Verdicts keeps a verdict a server, so that a later connection need not probe.
// A verdict that fails is dropped and the server probed again; one whose version a client does not speak, by its choice or its policy's floor,
// is passed over. The zero value is empty and ready; it is safe for concurrent use.
// A server goes by [HTTP.Name] or [Stdio.Name], which may be stored with the verdict: of addresses and arguments they hold a digest only.
// A key that is short or known to be one of few could still be guessed from that.
type Verdicts struct {
	mu sync.Mutex
	m  map[string]Verdict
}

// Get returns the verdict about a server; ok is false if there is none.
func (v *Verdicts) Get(server string) (verdict Verdict, ok bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	verdict, ok = v.m[server]
	return verdict, ok
}

// Set keeps a verdict, as one that a host had stored.
func (v *Verdicts) Set(server string, verdict Verdict) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.m == nil {
		v.m = make(map[string]Verdict)
	}
	v.m[server] = verdict
}

// Drop forgets a server.
func (v *Verdicts) Drop(server string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	delete(v.m, server)
}

// All returns a copy, for a host that wants to store it.
func (v *Verdicts) All() map[string]Verdict {
	v.mu.Lock()
	defer v.mu.Unlock()
	return maps.Clone(v.m)
}

// digested returns a label with a digest of the parts, each of which counts as one.
func digested(label string, parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return fmt.Sprintf("%s#%x", label, h.Sum(nil)[:16])
}
