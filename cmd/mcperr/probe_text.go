package main

import (
	"fmt"
	"strings"

	"github.com/mcperr/mcperr/cmd/mcperr/internal/input"
	"github.com/mcperr/mcperr/cmd/mcperr/internal/probe"
	"github.com/mcperr/mcperr/interpret"
)

// probeText shows a probe to a person, finding by finding.
type probeText struct{ e *env }

var verdictColor = map[probe.Verdict]string{probe.Holds: green, probe.Advice: yellow, probe.Deviates: red, probe.Skipped: dim}

func (v *probeText) begin(p *probe.Probe) {
	fmt.Fprintf(v.e.out, "%s\n%s\n\n", v.e.style(bold, probed(p.Limits())), strings.Join(wrap(announced(p), v.e.width), "\n"))
}

// announced says what a probe will send at most.
func announced(p *probe.Probe) string {
	o := p.Limits()
	calls := "calls no tool"
	if o.Tool != nil {
		calls = "calls the tool " + clean(o.Tool.Name, 40) + " once"
	}
	return fmt.Sprintf("sends at most %d messages, waits at most %v for an answer and %v in all, reads at most %d bytes of a reply, %s",
		p.Most(), o.Timeout, o.Limit, o.MaxBody, calls)
}

func (v *probeText) found(f probe.Finding) {
	e := v.e
	verdict := e.style(verdictColor[f.Verdict], fmt.Sprintf("%-9s", f.Verdict))
	if f.Verdict == probe.Skipped && !f.Asked {
		fmt.Fprintf(e.out, "%s %s: %s\n", verdict, f.Check.Asks, f.Why)
		return
	}
	fmt.Fprintf(e.out, "%s %s\n", verdict, e.style(bold, f.Check.Asks))
	if f.Asked {
		e.row("came", cameTo(&f))
		e.row("means", withGloss(f.Outcome.Kind.String(), kindSays[f.Outcome.Kind]))
		if who := fixedBy(&f); who != "" {
			e.row("who can fix", withGloss(who, fixerSays[f.Outcome.Fixer()]))
		}
	}
	if f.Why != "" {
		e.row("because", f.Why)
	}
	if f.Want.Says != "" {
		e.row("wanted", f.Want.Says)
		e.row("", f.Want.Ref)
	}
	for i, s := range f.Faults {
		e.row(first(i, "but"), s)
	}
	for i, s := range f.Notes {
		e.row(first(i, "note"), s)
	}
}

func (v *probeText) end(r probe.Report) {
	fmt.Fprintf(v.e.out, "\n%s\n", v.e.style(bold, summed(&r)))
}

// summed is a report in a line.
func summed(r *probe.Report) string {
	who := "no session could be opened"
	if r.Reached {
		who = fmt.Sprintf("%s, %s era, over %s", clean(r.Server.Version, 40), r.Server.Era, r.Server.Transport)
	}
	return fmt.Sprintf("%s: %d hold, %d advice, %d deviate, %d skipped; %s in %s", who,
		r.Count(probe.Holds), r.Count(probe.Advice), r.Count(probe.Deviates), r.Count(probe.Skipped), plural(r.Sent, "message"), duration(r.Took))
}

// cameTo says in one line what came back.
func cameTo(f *probe.Finding) string {
	s := arrived(&input.Reply{Exchange: f.Exchange}, &f.Outcome)
	if s == "0 lines" {
		return "nothing"
	}
	return s
}

// fixedBy says who could fix what came, "" if nothing is to be fixed.
func fixedBy(f *probe.Finding) string {
	if f.Outcome.Kind == interpret.OK || !f.Asked {
		return ""
	}
	return f.Outcome.Fixer().String()
}
