package interpret

import "slices"

// Rule is one row of the rule tables as they are printed: all but the predicate.
type Rule struct {
	ID       string  // stable slug, as in [Outcome.Why]
	Stage    string  // the table it stands in
	Ref      string  // where the specification or an RFC says so: a URL; "" where only recorded servers do
	Codes    []int64 // JSON-RPC codes the row is about; empty: any
	Statuses []int   // HTTP statuses the row is about; empty: any
	Says     string  // the condition, as a sentence
	Kind     Kind
	Basis    Basis
	Remedy   Remedy
	Ran      Ran   // of a row of the proof, in the stage "ran"
	Leave    Leave // the same
}

// row is a Rule with its predicate. Codes and Statuses are compared before when is asked; a nil when is always true.
type row struct {
	Rule
	when func(*reading) bool
}

// stage is an ordered table of rows: the first that matches names the kind.
type stage struct {
	name string
	when func(*reading) bool // a stage is passed over where this is false
	rows []row
}

// stages is the order of reading. To find the rule for a code, grep for the number; to add one, add a row to the table of its stage.
var stages = []stage{
	{"cancel", func(r *reading) bool { return r.x.Failure != nil }, cancelRules},
	{"status", func(r *reading) bool { return r.isHTTP() && r.x.Status != 0 }, statusRules},
	{"local", func(r *reading) bool { return !r.answered() }, localRules},
	{"no request", (*reading).noRequest, noRequestRules},
	{"verb", func(r *reading) bool { return r.req.Method == "" }, verbRules},
	{"result", func(r *reading) bool { return r.bodyWins() && !r.fault() }, resultRules},
	{"notification", (*reading).accepted, notificationRules},
	{"version", (*reading).fault, versionRules},
	{"era", func(r *reading) bool { return r.req.Era == EraUnknown }, eraRules},
	{"session", (*reading).isHTTP, sessionRules},
	{"size and time", func(r *reading) bool { return r.is4xx() && !r.bodyWins() }, bodylessRules},
	{"left out", (*reading).readable, omittedRules},
	{"-32602", func(r *reading) bool { return r.readable() && r.coded(-32602) }, code32602},
	{"-32601", func(r *reading) bool { return r.readable() && r.coded(-32601) }, code32601},
	{"code", (*reading).readable, codeRules},
	{"fallback", func(*reading) bool { return true }, fallbackRules},
}

// Rules returns every row, in the order of reading, those of the proof last. The slices in it are shared and must not be changed.
func Rules() []Rule {
	var all []Rule
	add := func(stage string, w Rule) {
		w.Stage = stage
		all = append(all, w)
	}
	for _, s := range stages {
		for _, w := range s.rows {
			add(s.name, w.Rule)
		}
	}
	add("local", waitingForUs)
	for _, w := range append(slices.Clone(ranRules), ranUnknown) {
		w.Rule.Ran, w.Rule.Leave = w.ran, w.leave
		add("ran", w.Rule)
	}
	return all
}

// find returns the first row that matches, and the stage it stands in. The last row of the last stage always does.
func (r *reading) find() (*row, *stage) {
	for i := range stages {
		s := &stages[i]
		if !s.when(r) {
			continue
		}
		for j := range s.rows {
			if w := &s.rows[j]; w.matches(r) {
				return w, s
			}
		}
	}
	panic("interpret: the fallback rules must end with a row that always matches")
}

func (w *row) matches(r *reading) bool {
	if len(w.Statuses) > 0 && !slices.Contains(w.Statuses, r.x.Status) {
		return false
	}
	if len(w.Codes) > 0 && !r.coded(w.Codes...) {
		return false
	}
	return w.when == nil || w.when(r)
}

// Where the rows' references point.
const (
	spec       = "https://modelcontextprotocol.io/specification/"
	specModern = spec + "2026-07-28/"
	specLegacy = spec + "2025-11-25/"
	rfc9110    = "https://www.rfc-editor.org/rfc/rfc9110#section-"
	rfc6585    = "https://www.rfc-editor.org/rfc/rfc6585#section-"
	jsonrpc    = "https://www.jsonrpc.org/specification#"
	recorded   = "" // by nobody: servers do so
)
