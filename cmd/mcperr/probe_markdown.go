package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/mcperr/mcperr/cmd/mcperr/internal/probe"
)

// probeMarkdown shows a probe as a report to paste into an issue. What the server wrote stands in code spans, where nothing is markup.
type probeMarkdown struct {
	e        *env
	findings []probe.Finding
	target   string
}

func (v *probeMarkdown) begin(p *probe.Probe) { v.target = probed(p.Limits()) }

func (v *probeMarkdown) found(f probe.Finding) { v.findings = append(v.findings, f) }

func (v *probeMarkdown) end(r probe.Report) {
	w := v.e.out
	fmt.Fprintf(w, "# Probe of %s\n\n", code(v.target))
	if r.Server.Name != "" {
		fmt.Fprintf(w, "It calls itself %s. ", code(r.Server.Name))
	}
	sum := summed(&r)
	if r.Reached {
		sum = "In " + sum
	}
	fmt.Fprintf(w, "%s.\n\n", strings.ToUpper(sum[:1])+sum[1:])
	g := grid{head: []string{"verdict", "question", "came", "means", "who can fix it"}}
	for i := range v.findings {
		f := &v.findings[i]
		came, means := "", ""
		switch {
		case f.Asked:
			came, means = code(cameTo(f)), code(f.Outcome.Kind.String())
		case f.Why != "":
			came = f.Why
		}
		g.add(emphasis(f.Verdict), f.Check.Asks, came, means, fixedBy(f))
	}
	g.markdown(w)
	for _, f := range v.findings {
		if len(f.Faults) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s %s\n", emphasis(f.Verdict), f.Check.Asks)
		for _, s := range append(f.Faults, f.Notes...) {
			fmt.Fprintf(w, "- %s\n", spans(s))
		}
		fmt.Fprintf(w, "- wanted: %s ([%s](%s))\n", f.Want.Says, f.Check.ID, f.Want.Ref)
	}
}

func emphasis(v probe.Verdict) string {
	if v == probe.Deviates {
		return "**" + string(v) + "**"
	}
	return string(v)
}

// code is a text in a code span.
func code(s string) string { return "`" + strings.ReplaceAll(s, "`", "'") + "`" }

var marked = regexp.MustCompile(`‹[^›]*›`)

// spans puts what a server wrote, which stands between marks, into code spans.
func spans(s string) string { return marked.ReplaceAllStringFunc(s, code) }
