package retry

import (
	"encoding/json"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// policyJSON and ruleJSON are the JSON form: what is zero is left out, what is negative too.
type policyJSON struct {
	Floor       string       `json:"floor,omitempty"`
	Attempts    int          `json:"attempts,omitempty"`
	Sends       int          `json:"sends,omitempty"`
	ScopeRounds int          `json:"scopeRounds,omitempty"`
	InputRounds int          `json:"inputRounds,omitempty"`
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
func (p Policy) MarshalJSON() ([]byte, error) {
	j := policyJSON{
		Floor:       p.Floor,
		Attempts:    max(p.Attempts, 0),
		Sends:       max(p.Sends, 0),
		ScopeRounds: max(p.ScopeRounds, 0),
		InputRounds: max(p.InputRounds, 0),
		FirstDelay:  durationText(max(p.FirstDelay, 0)),
		TopDelay:    durationText(max(p.TopDelay, 0)),
		HintCap:     durationText(max(p.HintCap, 0)),
		TimeBudget:  durationText(max(p.TimeBudget, 0)),
		Deposit:     max(p.Deposit, 0),
		Burst:       max(p.Burst, 0),
	}
	for _, r := range p.Rules {
		j.Rules = append(j.Rules, r.json())
	}
	return json.Marshal(j)
}

// UnmarshalJSON reads what [ParsePolicy] reads, positions counting from the start of the policy.
func (p *Policy) UnmarshalJSON(b []byte) error {
	read, err := ParsePolicy(b)
	if err == nil {
		*p = *read
	}
	return err
}

// MarshalJSON returns the form of one rule in a policy.
func (r Rule) MarshalJSON() ([]byte, error) { return json.Marshal(r.json()) }

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
