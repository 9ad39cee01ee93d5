package retry

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// Rule replaces the default action for the faults it matches.
// It matches if every member that is set matches, a list if one of its entries does; a rule without any matches every fault.
// Results are no faults: no rule matches [interpret.OK] or [interpret.Task].
// A rule chooses the action and nothing else: the gates of [Policy.Decide] come after it, so that no rule can resend what has no leave.
type Rule struct {
	Name     string             // shown in [Decision.Rule]; "" shows what the rule matches
	Codes    []int64            // JSON-RPC error codes
	Kinds    []interpret.Kind   // kinds of fault
	Remedies []interpret.Remedy // remedies that the reply calls for
	Statuses []int              // HTTP statuses
	Methods  []string           // JSON-RPC methods
	Tools    []string           // names of called tools: matches tools/call only

	Action   Action        // the zero value is Abort; Proceed acts as Abort, for a rule makes no result
	Tries    int           // resends this rule allows in one call; 0: no bound of its own
	MinDelay time.Duration // shortest wait before a resend of this rule; 0: none of its own
}

func (r *Rule) matches(req *interpret.Request, o *interpret.Outcome) bool {
	return set(r.Codes, o.Code, o.HasCode) &&
		set(r.Kinds, o.Kind, true) &&
		set(r.Remedies, o.Remedy, true) &&
		set(r.Statuses, o.Status, o.Status != 0) &&
		set(r.Methods, req.Method, true) &&
		set(r.Tools, req.Target, req.Method == "tools/call")
}

// set reports whether an unset list, or one entry of it, matches; there says whether v exists at all.
func set[T comparable](list []T, v T, there bool) bool {
	return len(list) == 0 || there && slices.Contains(list, v)
}

func (r *Rule) action() Action {
	if r.Action == Proceed {
		return Abort
	}
	return r.Action
}

// String returns the name, or what the rule matches if it has none.
func (r *Rule) String() string {
	return cmp.Or(r.Name, r.match())
}

// match spells what the rule matches, the same text for the same match: lists sorted, repeats dropped.
func (r *Rule) match() string {
	var parts []string
	for _, p := range []string{
		spell("codes", r.Codes), spell("kinds", r.Kinds), spell("remedies", r.Remedies),
		spell("statuses", r.Statuses), spell("methods", r.Methods), spell("tools", r.Tools),
	} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	if parts == nil {
		return "every fault"
	}
	return strings.Join(parts, " ")
}

func spell[T cmp.Ordered](name string, list []T) string {
	if len(list) == 0 {
		return ""
	}
	list = slices.Compact(slices.Sorted(slices.Values(list)))
	return name + fmt.Sprintf("%v", list)
}
