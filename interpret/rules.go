package interpret

// Rule is one row of the rule tables as they are printed: data, not the predicate.
type Rule struct {
	ID       string  // stable slug, as in [Outcome.Why]
	Stage    string  // local, status, era, session, omitted, code, result, …
	Ref      string  // where the specification or an RFC says so: a URL
	Codes    []int64 // JSON-RPC codes the row is about; empty: any
	Statuses []int   // HTTP statuses the row is about; empty: any
	Says     string  // the condition, as a sentence
	Kind     Kind
	Basis    Basis
	Remedy   Remedy
}
