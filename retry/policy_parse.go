package retry

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/mcperr/mcperr/interpret"
)

// ParsePolicy reads the JSON form of a policy: one object with members named like those of [Policy] in lower camel case,
// each of which may be left out for the default. Numbers and durations are above zero, lists have an entry, a rule has an
// action and something to match, the floor is one of [interpret.Versions], and no two rules of one name say different things about the same
// match. Anything else is a [*PolicyError], which says where it stands and what is allowed there. So it is stricter than a [Policy] made in Go,
// whose rules may match every fault: in a file that is more often a member left out.
func ParsePolicy(b []byte) (*Policy, error) {
	r := newPolicyReader(b)
	p := r.policy()
	r.end()
	if r.err != nil {
		return nil, r.err
	}
	return p, nil
}

// PolicyError is a fault in the JSON form of a policy.
type PolicyError struct {
	Line, Column int    // from 1; columns are characters
	Member       string // as "rules[0].kinds[1]"; "" for the policy itself
	Problem      string
	Allowed      string // what may stand there; "" where the problem says it
}

// Error returns all of it in one line.
func (e *PolicyError) Error() string {
	s := fmt.Sprintf("policy:%d:%d: ", e.Line, e.Column)
	if e.Member != "" {
		s += e.Member + ": "
	}
	s += e.Problem
	if e.Allowed != "" {
		s += "; allowed: " + e.Allowed
	}
	return s
}

func (r *policyReader) policy() *Policy {
	p := new(Policy)
	r.object([]member{
		{"floor", func() { r.version(&p.Floor) }},
		{"attempts", func() { r.count(&p.Attempts) }},
		{"sends", func() { r.count(&p.Sends) }},
		{"scopeRounds", func() { r.count(&p.ScopeRounds) }},
		{"inputRounds", func() { r.count(&p.InputRounds) }},
		{"resumes", func() { r.count(&p.Resumes) }},
		{"firstDelay", func() { r.duration(&p.FirstDelay) }},
		{"topDelay", func() { r.duration(&p.TopDelay) }},
		{"hintCap", func() { r.duration(&p.HintCap) }},
		{"timeBudget", func() { r.duration(&p.TimeBudget) }},
		{"deposit", func() { r.number(&p.Deposit) }},
		{"burst", func() { r.number(&p.Burst) }},
		{"rules", func() { p.Rules = r.rules() }},
	})
	return p
}

func (r *policyReader) rules() (rules []Rule) {
	type called struct{ name, match string }
	type saying struct {
		at     int
		action Action
	}
	said := make(map[called]saying)
	r.list(func() {
		at := r.start()
		rule := r.rule()
		rules = append(rules, rule)
		matched := rule
		if rule.Tools != nil {
			matched.Methods = nil // tools/call, named or not
		}
		key, this := called{rule.Name, matched.match()}, saying{at, rule.action()}
		first, twice := said[key]
		switch {
		case !twice:
			said[key] = this
		case first.action != this.action:
			line, column := r.position(first.at)
			r.fail(at, fmt.Sprintf("%q contradicts the rule at %d:%d, which matches the same and says %s", rule.String(), line, column, first.action), "one of the two, or another name")
		}
	})
	return rules
}

func (r *policyReader) rule() (rule Rule) {
	at, acts := r.start(), false
	r.object([]member{
		{"name", func() { r.text(&rule.Name) }},
		{"codes", func() { rule.Codes = readList(r, r.code) }},
		{"kinds", func() { rule.Kinds = readList(r, func() interpret.Kind { return oneOf(r, "kind", faults()) }) }},
		{"remedies", func() {
			rule.Remedies = readList(r, func() interpret.Remedy { return oneOf(r, "remedy", interpret.Remedies()) })
		}},
		{"statuses", func() { rule.Statuses = readList(r, r.status) }},
		{"methods", func() { rule.Methods = readList(r, func() (s string) { r.text(&s); return s }) }},
		{"tools", func() { rule.Tools = readList(r, func() (s string) { r.text(&s); return s }) }},
		{"action", func() { rule.Action, acts = r.action(), true }},
		{"tries", func() { r.count(&rule.Tries) }},
		{"minDelay", func() { r.duration(&rule.MinDelay) }},
	})
	switch {
	case !acts:
		r.fail(at, "a rule needs an action", ruleActions)
	case rule.match() == new(Rule).match():
		r.fail(at, "a rule needs something to match", "codes, kinds, remedies, statuses, methods, tools")
	case rule.Tools != nil && rule.Methods != nil && !slices.Contains(rule.Methods, "tools/call"):
		r.fail(at, "tools are matched in tools/call only, which is not among the methods", "tools/call among the methods, or no methods")
	}
	return rule
}

// faults returns the kinds that a rule may name.
func faults() []interpret.Kind {
	return slices.DeleteFunc(interpret.Kinds(), func(k interpret.Kind) bool { return k == interpret.OK || k == interpret.Task })
}

const ruleActions = "abort, surface, ask, retry"

func (r *policyReader) action() Action {
	return map[string]Action{"abort": Abort, "surface": Surface, "ask": Ask, "retry": Retry}[oneOf(r, "action", []string{"abort", "surface", "ask", "retry"})]
}

func (r *policyReader) code() int64 {
	at, raw := r.value()
	n, err := strconv.ParseInt(string(raw), 10, 64)
	if const53 := int64(1) << 53; err != nil || n >= const53 || n <= -const53 {
		r.fail(at, fmt.Sprintf("%s is no code", shown(raw)), "an integer of at most 53 bits")
	}
	return n
}

func (r *policyReader) status() int {
	at, raw := r.value()
	n, err := strconv.Atoi(string(raw))
	if err != nil || n < 100 || n > 599 {
		r.fail(at, fmt.Sprintf("%s is no HTTP status", shown(raw)), "an integer from 100 to 599")
	}
	return n
}

func (r *policyReader) count(to *int) {
	at, raw := r.value()
	n, err := strconv.ParseInt(string(raw), 10, 32)
	if err != nil || n < 1 {
		r.fail(at, fmt.Sprintf("%s is no count", shown(raw)), "an integer above zero, or no such member for the default")
	}
	*to = int(n)
}

func (r *policyReader) number(to *float64) {
	at, raw := r.value()
	n, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || !(n > 0) || raw[0] == '"' {
		r.fail(at, fmt.Sprintf("%s is no amount", shown(raw)), "a number above zero, or no such member for the default")
	}
	*to = n
}

func (r *policyReader) duration(to *time.Duration) {
	at, raw := r.value()
	s, ok := unquote(raw)
	d, err := time.ParseDuration(s)
	if !ok || err != nil || d <= 0 {
		r.fail(at, fmt.Sprintf("%s is no duration", shown(raw)), `a string above zero like "1.5s", "500ms" or "2m"`)
	}
	*to = d
}

func (r *policyReader) version(to *string) {
	at, raw := r.value()
	s, ok := unquote(raw)
	if !ok || !slices.Contains(interpret.Versions(), s) {
		r.fail(at, fmt.Sprintf("%s is no protocol version that is spoken here", shown(raw)), join(interpret.Versions()))
	}
	*to = s
}

func (r *policyReader) text(to *string) {
	at, raw := r.value()
	s, ok := unquote(raw)
	if !ok || s == "" {
		r.fail(at, fmt.Sprintf("%s is no text", shown(raw)), "a string that is not empty")
	}
	*to = s
}

// oneOf reads a string that has to be in a set.
func oneOf[T ~string](r *policyReader, what string, set []T) T {
	at, raw := r.value()
	s, ok := unquote(raw)
	if !ok || !slices.Contains(set, T(s)) {
		r.fail(at, fmt.Sprintf("unknown %s %s", what, shown(raw)), join(set))
	}
	return T(s)
}

func join[T ~string](set []T) string {
	var b bytes.Buffer
	for i, s := range set {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(string(s))
	}
	return b.String()
}

// shown returns raw JSON short enough for an error.
func shown(raw []byte) string {
	const most = 40
	if utf8.RuneCount(raw) <= most {
		return string(raw)
	}
	return string([]rune(string(raw))[:most]) + "…"
}

// end makes sure that nothing follows.
func (r *policyReader) end() {
	if r.err != nil {
		return
	}
	if at := r.start(); at < len(r.src) {
		r.fail(at, fmt.Sprintf("%s after the policy", shown(r.src[at:])), "nothing")
	}
}
