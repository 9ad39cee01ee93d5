package input

import (
	"encoding/json"

	"github.com/mcperr/mcperr/interpret"
)

// History carries through a recording what a host would have learned on the way, server by server:
// the negotiated version, the era, what the client declared, and the names on the server's lists.
// It does nothing for cases, which say all this themselves. The zero value is ready.
type History struct {
	servers map[string]*learned
}

type learned struct {
	version      string
	era          interpret.Era
	capabilities []string
	known        interpret.Known
}

// Fill puts what is known by now into the request, where the recording does not say it.
func (h *History) Fill(r *Reply) {
	if !r.recorded() {
		return
	}
	q, of := &r.Exchange.Request, h.of(r)
	if q.Method != "initialize" && q.Method != "server/discover" {
		if q.Version == "" {
			q.Version = of.version
		}
		if q.Capabilities == nil {
			q.Capabilities = of.capabilities
		}
	}
	q.Era, q.Known = of.era, of.known
}

// Learn takes in what the reply says.
func (h *History) Learn(r *Reply, o *interpret.Outcome) {
	if !r.recorded() {
		return
	}
	q, of := &r.Exchange.Request, h.of(r)
	if o.Era != interpret.EraUnknown {
		of.era = o.Era
	}
	if o.Kind != interpret.OK {
		return
	}
	switch q.Method {
	case "initialize":
		of.version, of.capabilities = o.Version, q.Capabilities
	case "tools/list":
		of.known.Tools = names(q, o.Result)
	case "prompts/list":
		of.known.Prompts = names(q, o.Result)
	case "resources/list":
		of.known.Resources = names(q, o.Result)
	}
}

func (h *History) of(r *Reply) *learned {
	if h.servers == nil {
		h.servers = map[string]*learned{}
	}
	if h.servers[r.Server] == nil {
		h.servers[r.Server] = &learned{}
	}
	return h.servers[r.Server]
}

func (r *Reply) recorded() bool { return r.Asked && (r.Form == HAR || r.Form == Stdio) }

// names reads a list that stands on one page; of a longer one, nothing is known.
func names(q *interpret.Request, result []byte) *interpret.Names {
	type item struct{ Name, URI string }
	var list struct {
		Tools, Prompts, Resources []item
		NextCursor                string
	}
	if json.Unmarshal(result, &list) != nil || list.NextCursor != "" || q.Cursor {
		return nil
	}
	var all []string
	for _, items := range [][]item{list.Tools, list.Prompts, list.Resources} {
		for _, i := range items {
			if q.Method == "resources/list" {
				all = append(all, i.URI)
			} else {
				all = append(all, i.Name)
			}
		}
	}
	return interpret.NewNames(all...)
}
