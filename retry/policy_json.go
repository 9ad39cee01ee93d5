package retry

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/mcperr/mcperr/interpret"
)

// policyJSON and ruleJSON are the JSON form: what is zero is left out, what is negative too.
type policyJSON struct {
	Floor       string       `json:"floor,omitempty"`
	Attempts    int          `json:"attempts,omitempty"`
	Sends       int          `json:"sends,omitempty"`
	ScopeRounds int          `json:"scopeRounds,omitempty"`
	InputRounds int          `json:"inputRounds,omitempty"`
	Resumes     int          `json:"resumes,omitempty"`
	FirstDelay  durationText `json:"firstDelay,omitempty"`
	TopDelay    durationText `json:"topDelay,omitempty"`
	HintCap     durationText `json:"hintCap,omitempty"`
	TimeBudget  durationText `json:"timeBudget,omitempty"`
	Deposit     float64      `json:"deposit,omitempty"`
	Burst       float64      `json:"burst,omitempty"`
	Rules       []ruleJSON   `json:"rules,omitempty"`
}

type ruleJSON struct {
	Name     string             `json:"name,omitempty"`
	Codes    []int64            `json:"codes,omitempty"`
	Kinds    []interpret.Kind   `json:"kinds,omitempty"`
	Remedies []interpret.Remedy `json:"remedies,omitempty"`
	Statuses []int              `json:"statuses,omitempty"`
	Methods  []string           `json:"methods,omitempty"`
	Tools    []string           `json:"tools,omitempty"`
	Action   Action             `json:"action"`
	Tries    int                `json:"tries,omitempty"`
	MinDelay durationText       `json:"minDelay,omitempty"`
}

// durationText is a duration as ParseDuration reads it.
type durationText time.Duration

func (d durationText) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// MarshalJSON returns the form that [ParsePolicy] reads; members that are zero, and so the default, are left out.
//
// Not every policy made in Go has one. What ParsePolicy refuses is an error, and its own, a [*PolicyError] that counts in the JSON that is not
// returned: a rule that matches every fault, rules that contradict each other, a kind of a later version, a code of more than 53 bits.
// So is what JSON cannot hold, an infinite number or a name that is no UTF-8.
func (p Policy) MarshalJSON() ([]byte, error) {
	j := policyJSON{
		Floor:       p.Floor,
		Attempts:    max(p.Attempts, 0),
		Sends:       max(p.Sends, 0),
		ScopeRounds: max(p.ScopeRounds, 0),
		InputRounds: max(p.InputRounds, 0),
		Resumes:     max(p.Resumes, 0),
		FirstDelay:  durationText(max(p.FirstDelay, 0)),
		TopDelay:    durationText(max(p.TopDelay, 0)),
		HintCap:     durationText(max(p.HintCap, 0)),
		TimeBudget:  durationText(max(p.TimeBudget, 0)),
		Deposit:     p.Deposit,
		Burst:       p.Burst,
	}
	positive(&j.Deposit, 0)
	positive(&j.Burst, 0)
	for _, r := range p.Rules {
		j.Rules = append(j.Rules, r.json())
	}
	return written(j, p.Rules, func(b []byte) error { _, err := ParsePolicy(b); return err })
}

// written returns the JSON of a policy or a rule, if it can be read again and says the same then.
func written(j any, rules []Rule, read func([]byte) error) ([]byte, error) {
	for _, r := range rules {
		for _, s := range slices.Concat([]string{r.Name}, r.Methods, r.Tools) {
			if !utf8.ValidString(s) {
				return nil, fmt.Errorf("retry: a rule says %q, which is no UTF-8 as JSON is", s)
			}
		}
	}
	b, err := json.Marshal(j)
	if err == nil {
		err = read(b)
	}
	if err != nil {
		return nil, err
	}
	return b, nil
}

// UnmarshalJSON reads what [ParsePolicy] reads, positions counting from the start of the policy.
func (p *Policy) UnmarshalJSON(b []byte) error {
	read, err := ParsePolicy(b)
	if err == nil {
		*p = *read
	}
	return err
}

// MarshalJSON returns the form of one rule in a policy. As for a [Policy], it is an error if that could not be read again.
func (r Rule) MarshalJSON() ([]byte, error) {
	return written(r.json(), []Rule{r}, new(Rule).UnmarshalJSON)
}

// UnmarshalJSON reads one rule as [ParsePolicy] does, positions counting from the start of the rule.
// Whether it contradicts another can only be told of a whole policy.
func (r *Rule) UnmarshalJSON(b []byte) error {
	read := newPolicyReader(b)
	rule := read.rule()
	read.end()
	if read.err == nil {
		*r = rule
	}
	return read.err
}

func (r *Rule) json() ruleJSON {
	return ruleJSON{
		Name:     r.Name,
		Codes:    r.Codes,
		Kinds:    r.Kinds,
		Remedies: r.Remedies,
		Statuses: r.Statuses,
		Methods:  r.Methods,
		Tools:    r.Tools,
		Action:   r.action(),
		Tries:    max(r.Tries, 0),
		MinDelay: durationText(max(r.MinDelay, 0)),
	}
}
