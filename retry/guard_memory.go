package retry

import (
	"crypto/sha256"
	"fmt"
	"regexp"
	"strings"

	"github.com/mcperr/mcperr/interpret"
)

// digest names a call, a tool or a class of faults; what a model sends is not kept.
type digest [sha256.Size]byte

const (
	guarded     = 1024 // calls, and tools, that are remembered
	mostClasses = 8    // ways to fail that are told apart for one call
)

// failing is a call that has failed.
type failing struct {
	tool    digest
	classes []failures
	last    interpret.Outcome // without what the server sent
}

type failures struct {
	class digest
	n     int
}

func (f *failing) count(class digest, o *interpret.Outcome) int {
	f.last = interpret.Outcome{Kind: o.Kind, Origin: o.Origin, Basis: o.Basis, Code: o.Code, HasCode: o.HasCode, Status: o.Status}
	for i := range f.classes {
		if f.classes[i].class == class {
			f.classes[i].n++
			return f.classes[i].n
		}
	}
	if len(f.classes) == mostClasses {
		f.classes = f.classes[1:]
	}
	f.classes = append(f.classes, failures{class, 1})
	return 1
}

func (f *failing) most() (n int) {
	for _, c := range f.classes {
		n = max(n, c.n)
	}
	return n
}

// record returns the record of a call, and drops the oldest where there are too many.
func (g *Guard) record(call, tool digest) *failing {
	if f := g.calls[call]; f != nil {
		return f
	}
	if g.calls == nil {
		g.calls = make(map[digest]*failing)
	}
	for len(g.order) >= guarded {
		delete(g.calls, g.order[0])
		g.order = g.order[1:]
	}
	f := &failing{tool: tool}
	g.calls[call] = f
	g.order = append(g.order, call)
	return f
}

func (g *Guard) forget(tool digest) {
	delete(g.tools, tool)
	kept := g.order[:0]
	for _, call := range g.order {
		if g.calls[call].tool == tool {
			delete(g.calls, call)
		} else {
			kept = append(kept, call)
		}
	}
	g.order = kept
}

func toolKey(server, tool string) digest {
	return sha256.Sum256(fmt.Appendf(nil, "%q %q", server, tool))
}

func callKey(server, tool string, arguments []byte) digest {
	return sha256.Sum256(fmt.Appendf(nil, "%q %q %s", server, tool, canonical(arguments)))
}

// volatile are the parts of a message that differ from one time to the next: ids, numbers, times, addresses in memory.
var volatile = regexp.MustCompile(`(?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,27}\b|\b0x[0-9a-f]+\b|\b(?:[a-z]+[_-])?[0-9a-z]*\d[0-9a-z]*\b|[\d.:]+`)

// classOf returns the class of a fault: its kind and code, and what was said without its volatile parts.
func classOf(o *interpret.Outcome) digest {
	said := o.Said(nil)
	var b strings.Builder
	fmt.Fprintf(&b, "%s %d %d\n%s", o.Kind, o.Code, o.Status, said.Text)
	for _, h := range said.Hints {
		fmt.Fprintf(&b, "\n%s %s %s", h.Path, h.Problem, h.Expected)
	}
	return sha256.Sum256([]byte(strings.ToLower(volatile.ReplaceAllString(cutEnd(b.String(), 4<<10), "#"))))
}
