package client

import (
	"slices"
	"sync"

	"github.com/mcperr/mcperr/interpret"
)

// catalog is what a server's lists said, as far as whole lists were read. Its zero value knows nothing.
type catalog struct {
	mu       sync.Mutex
	names    interpret.Known
	tools    map[string]toolFacts // nil until the tools were listed
	revision int                  // lists of tools that were taken in
	emptied  bool                 // the last list of tools was empty where the one before was not
}

// toolFacts is what the client has to remember of a tool.
type toolFacts struct {
	mirrored   []paramHeader
	repeatable bool // by the server's own hints
}

// mirrored returns the arguments of a call that go into headers.
func (k *catalog) mirrored(m outgoing) []paramHeader {
	if m.method != "tools/call" {
		return nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.tools[m.params.text("name")].mirrored
}

// describe tells the interpreter what is known. A tool whose schema was never seen may have parameters to mirror.
func (k *catalog) describe(req *interpret.Request) {
	k.mu.Lock()
	defer k.mu.Unlock()
	req.Known = k.names
	if req.Method == "tools/call" {
		facts, listed := k.tools[req.Target]
		req.ParamHeaders = !listed || len(facts.mirrored) > 0
	}
}

// hinted reports whether the server says that a tool may run twice.
func (k *catalog) hinted(tool string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.tools[tool].repeatable
}

// revised returns how many lists of tools were taken in.
func (k *catalog) revised() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.revision
}

// setTools takes in a whole list of tools. One empty list makes nothing forgotten: a bridge whose backend is down answers so.
func (k *catalog) setTools(tools map[string]toolFacts) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.revision++
	if len(tools) == 0 && len(k.tools) > 0 && !k.emptied {
		k.emptied = true
		return
	}
	k.emptied = false
	k.tools = tools
	var names []string
	for name := range tools {
		names = append(names, name)
	}
	k.names.Tools = interpret.NewNames(names...)
}

func (k *catalog) setPrompts(names []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.names.Prompts = interpret.NewNames(names...)
}

func (k *catalog) setResources(uris []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.names.Resources = interpret.NewNames(uris...)
}

// stale forgets the names of a list that the server says has changed: a name that is not on an old list may exist by now.
// What is known of the tools themselves stays until they are listed again.
func (k *catalog) stale(notification string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch notification {
	case "notifications/tools/list_changed":
		k.names.Tools = nil
	case "notifications/prompts/list_changed":
		k.names.Prompts = nil
	case "notifications/resources/list_changed":
		k.names.Resources = nil
	}
}

// union returns a and what b adds to it, in order.
func union(a, b []string) []string {
	u := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(u, s) {
			u = append(u, s)
		}
	}
	return u
}
