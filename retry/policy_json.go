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
func (p *Policy) MarshalJSON() ([]byte, error) {
	if p == nil {
		p = new(Policy)
	}
	j := policyJSON{
		p.Floor, max(p.Attempts, 0), max(p.Sends, 0), max(p.ScopeRounds, 0), max(p.InputRounds, 0),
		durationText(max(p.FirstDelay, 0)), durationText(max(p.TopDelay, 0)), durationText(max(p.HintCap, 0)), durationText(max(p.TimeBudget, 0)),
		max(p.Deposit, 0), max(p.Burst, 0), nil,
	}
	for i := range p.Rules {
		j.Rules = append(j.Rules, p.Rules[i].json())
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

func (r *Rule) json() ruleJSON {
	return ruleJSON{
		r.Name, r.Codes, r.Kinds, r.Remedies, r.Statuses, r.Methods, r.Tools,
		r.action(), max(r.Tries, 0), durationText(max(r.MinDelay, 0)),
	}
}
