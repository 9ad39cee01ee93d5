package gosdk

import (
	"runtime"
	"sync"
	"weak"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client"
)

// probes are the recorders of probes that failed, by the session that is being opened: the handshake that follows depends on what the probe
// came to. Where none follows, one goes with its session.
type probes struct{ m sync.Map } // of *client.Recorder, by weak.Pointer[mcp.ClientSession]

func (p *probes) keep(s *mcp.ClientSession, rec *client.Recorder) {
	if s == nil {
		return
	}
	key := weak.Make(s)
	p.m.Store(key, rec)
	runtime.AddCleanup(s, func(key weak.Pointer[mcp.ClientSession]) { p.m.Delete(key) }, key)
}

// take returns that of a session, once; nil if there is none.
func (p *probes) take(s *mcp.ClientSession) *client.Recorder {
	rec, _ := p.m.LoadAndDelete(weak.Make(s))
	runtime.KeepAlive(s) // the recorder goes with it
	kept, _ := rec.(*client.Recorder)
	return kept
}
