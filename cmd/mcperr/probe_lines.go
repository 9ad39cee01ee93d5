package main

import "github.com/mcperr/mcperr/cmd/mcperr/internal/probe"

// probeLines shows a probe to a program: a JSON line a check.
type probeLines struct {
	e     *env
	probe *probe.Probe
}

// probeLine is one of them. Names and verdicts are stable, sentences are not.
type probeLine struct {
	Check   string   `json:"check"`
	Asks    string   `json:"asks"`
	Verdict string   `json:"verdict"`
	Why     string   `json:"why,omitempty"` // it was skipped
	Faults  []string `json:"faults"`
	Notes   []string `json:"notes,omitempty"`

	Came   string `json:"came,omitempty"`
	Status int    `json:"status,omitempty"`
	Code   *int64 `json:"code,omitempty"`
	Kind   string `json:"kind,omitempty"`
	Who    string `json:"who,omitempty"`

	Wants     string `json:"wants,omitempty"`
	Ref       string `json:"ref,omitempty"`
	Version   string `json:"version,omitempty"`
	Era       string `json:"era,omitempty"`
	Transport string `json:"transport"`
}

func (v *probeLines) begin(p *probe.Probe) { v.probe = p }

func (v *probeLines) found(f probe.Finding) {
	s := v.probe.Server()
	l := probeLine{
		Check: f.Check.ID, Asks: f.Check.Asks, Verdict: string(f.Verdict), Why: f.Why, Faults: f.Faults, Notes: f.Notes,
		Wants: f.Want.Says, Ref: f.Want.Ref, Version: clean(s.Version, 40), Era: string(s.Era), Transport: s.Transport.String(),
	}
	if l.Faults == nil {
		l.Faults = []string{}
	}
	if f.Asked {
		l.Came, l.Status, l.Kind, l.Who = cameTo(&f), f.Exchange.Status, f.Outcome.Kind.String(), fixedBy(&f)
		if f.Outcome.HasCode {
			l.Code = &f.Outcome.Code
		}
	}
	v.e.json(l, "") // the writer keeps its error
}

func (v *probeLines) end(probe.Report) {}
