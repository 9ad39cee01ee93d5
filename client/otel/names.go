package otel

import (
	"slices"
	"strconv"
	"sync"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// mostNames bounds how many names become labels: of tools and prompts together, of methods, and of codes.
const mostNames = 100

// other stands for a value that is one too many, as in the conventions.
const other = "_OTHER"

// names is a set that does not grow without bound. Its zero value is empty; it is safe for concurrent use.
type names struct {
	mu  sync.Mutex
	all map[string]struct{}
}

func (n *names) has(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	_, ok := n.all[name]
	return ok
}

// add adds a name, if there is room for it, and reports whether the set has it.
func (n *names) add(name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, ok := n.all[name]; ok {
		return true
	}
	if len(n.all) >= mostNames {
		return false
	}
	if n.all == nil {
		n.all = make(map[string]struct{})
	}
	n.all[name] = struct{}{}
	return true
}

// label is a name if there is room for it.
func (n *names) label(name string) string {
	if n.add(name) {
		return name
	}
	return other
}

// method is the method's name as a label.
func (b *Observer) method(a *retry.Attempt) string { return b.methods.label(a.Method) }

// code is the reply's code as a label: a server may send any number.
func (b *Observer) code(a *retry.Attempt) string { return b.codes.label(strconv.FormatInt(a.Code, 10)) }

// target is the tool or prompt as a label, "" if there is none or nothing says that the server has it.
func (b *Observer) target(a *retry.Attempt) string {
	if a.Target == "" || a.Method != "tools/call" && a.Method != "prompts/get" {
		return ""
	}
	if b.has != nil && b.has(a.Target) || b.has == nil && b.known.has(key(a)) {
		return a.Target
	}
	return ""
}

// learn notes a tool or prompt that has answered. Words that refuse a name, or a tool that is not on the list, are no proof of it.
func (b *Observer) learn(a *retry.Attempt) {
	if b.has != nil || a.Target == "" || a.Method != "tools/call" && a.Method != "prompts/get" {
		return
	}
	if slices.Contains(proof, a.Kind) && a.Decision.Remedy != interpret.RefreshTools {
		b.known.add(key(a))
	}
}

// proof are the kinds that a thing itself answers with. [interpret.InvalidArguments] is none: some servers refuse unknown names so.
var proof = []interpret.Kind{interpret.OK, interpret.Task, interpret.InputRequired, interpret.URLElicitation, interpret.ToolError}

// key keeps tools and prompts of one name apart.
func key(a *retry.Attempt) string { return a.Method + " " + a.Target }
