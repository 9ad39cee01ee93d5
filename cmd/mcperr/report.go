package main

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/mcperr/mcperr/cmd/mcperr/internal/input"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// Widths of the report, and how much of a server's text it shows.
const (
	labelWidth   = 12
	textShown    = 160 // characters of a message or a body
	assumedShown = 640 // of what was read into an input, which may quote it
	valuesShown  = 8   // of a list that the server sent
)

// report prints one reply for people. Whatever comes from the server is cleaned and bounded on its way.
func (e *env) report(r *input.Reply, a *analysis, i, of int) {
	o, d := &a.outcome, &a.decision
	if i > 0 {
		fmt.Fprintln(e.out)
	}
	if of > 1 {
		fmt.Fprintf(e.out, "%s\n", e.style(dim, clean(r.ID, e.width)))
	}
	fmt.Fprintf(e.out, "%s  %s\n", e.style(bold+";"+actionColor[d.Action], o.Kind.String()), kindSays[o.Kind])
	if r.Asked {
		e.row("asked", asked(&r.Exchange.Request))
	}
	e.row("arrived", arrived(r, o))
	e.row("who can fix", withGloss(o.Fixer().String(), fixerSays[o.Fixer()]))
	e.row("action", withGloss(d.Action.String(), actionSays[d.Action]))
	if d.Remedy != "" {
		gloss := remedySays[d.Remedy]
		if d.Action != retry.Retry && d.Action != retry.Ask {
			gloss += " (for the next call)"
		}
		e.row("remedy", withGloss(string(d.Remedy), gloss))
	}
	if w := wait(o, d); w != "" {
		e.row("delay", w)
	}
	e.row("because", d.Reason)
	if !strings.HasPrefix(d.Rule, "default/") && d.Rule != "" {
		e.row("policy rule", d.Rule)
	}
	e.row("origin", withGloss(string(o.Origin), originSays[o.Origin]))
	e.row("ran", withGloss(o.Ran.String(), ranSays[o.Ran]))
	e.row("basis", withGloss(string(o.Basis), basisSays[o.Basis]))
	for _, f := range found(o) {
		e.row(f[0], f[1])
	}
	for i, id := range o.Why {
		e.ruleRows(first(i, "rules"), id)
	}
	if len(o.Deviations) == 0 {
		e.row("deviations", "none")
	}
	for i, d := range o.Deviations {
		e.row(first(i, "deviations"), withGloss(string(d), deviationSays[d]))
	}
	for i, s := range r.Assumed {
		e.row(first(i, "assumed"), clean(s, assumedShown))
	}
}

// first is the label of the first of several rows.
func first(i int, label string) string {
	if i > 0 {
		return ""
	}
	return label
}

// ruleRows prints a rule that fired: its id, what it says, and where the specification says so.
// What stands behind a colon in an id is a word of the server.
func (e *env) ruleRows(label, why string) {
	e.row(label, clean(why, textShown))
	id, _, _ := strings.Cut(why, ":")
	if rule, ok := ruleByID(id); ok {
		e.row("", rule.Says)
		e.row("", reference(rule.Ref))
	}
}

// row prints a label and a text, wrapped at the width.
func (e *env) row(label, text string) {
	for i, l := range wrap(text, e.width-labelWidth-2) {
		if i > 0 {
			label = ""
		}
		fmt.Fprintf(e.out, "  %s%s\n", e.style(dim, pad(label, labelWidth)), l)
	}
}

func withGloss(word, gloss string) string {
	if gloss == "" {
		return word
	}
	return word + " – " + gloss
}

// asked says in one line what was sent.
func asked(q *interpret.Request) string {
	var parts []string
	for _, p := range []string{q.HTTPMethod, q.Method, q.Target} {
		if p != "" {
			parts = append(parts, clean(p, textShown))
		}
	}
	if q.Method == "" && q.HTTPMethod == "" {
		parts = []string{"what is no request"}
	}
	if q.ID != "" {
		parts = append(parts, "id", clean(q.ID, textShown))
	}
	if q.Version != "" {
		parts = append(parts, "in", clean(q.Version, textShown))
	}
	return strings.Join(parts, " ")
}

// arrived says in one line what came back.
func arrived(r *input.Reply, o *interpret.Outcome) string {
	x := &r.Exchange
	var parts []string
	switch {
	case x.Status != 0 && !r.NoStatus:
		parts = append(parts, fmt.Sprintf("HTTP %d", x.Status))
	case x.Request.Transport == interpret.Stdio && x.Failure == nil:
		parts = append(parts, plural(len(x.Lines), "line"))
	}
	switch {
	case o.HasCode:
		parts = append(parts, strings.TrimSpace(fmt.Sprintf("error %d %s", o.Code, quoted([]byte(o.Message)))))
	case o.Message != "":
		parts = append(parts, "error "+quoted([]byte(o.Message)))
	case o.Result != nil:
		parts = append(parts, "result "+quoted(o.Result))
	case len(bytes.TrimSpace(x.Body)) > 0:
		parts = append(parts, "body "+quoted(x.Body))
	case x.Status != 0:
		parts = append(parts, "empty body")
	}
	if f := x.Failure; f != nil {
		parts = append(parts, failed(f))
	}
	return strings.Join(parts, ", ")
}

// quoted shows foreign text between marks that cannot stand in it unseen.
func quoted(b []byte) string {
	b = b[:min(len(b), 8*textShown)] // enough, whatever is cleaned away
	return "‹" + strings.NewReplacer("‹", "<", "›", ">").Replace(clean(string(b), textShown)) + "›"
}

func failed(f *interpret.Failure) string {
	s := string(f.What)
	if f.ExitCode != nil {
		s += fmt.Sprintf(" with code %d", *f.ExitCode)
	}
	switch f.Delivery {
	case interpret.DeliveryNotSent:
		s += " before the request was written"
	case interpret.DeliveryAnswering:
		s += " while the reply came"
	default:
		s += " after the request was written"
	}
	return s
}

// found lists the facts that the reply carried, as label and value.
func found(o *interpret.Outcome) (rows [][2]string) {
	add := func(label, value string) {
		if value != "" {
			rows = append(rows, [2]string{label, value})
		}
	}
	add("supported", joined(o.Supported))
	add("requested", clean(o.Requested, textShown))
	add("scopes", joined(o.Scopes))
	add("schemes", joined(o.Schemes))
	add("metadata", clean(o.ResourceMetadata, textShown))
	add("location", clean(o.Location, textShown))
	add("uri", clean(o.URI, textShown))
	add("capability", joined(o.RequiredCapabilities))
	for _, r := range o.InputRequests[:min(len(o.InputRequests), valuesShown)] {
		add("wants", clean(r.Method+" ("+r.Key+")", textShown))
	}
	for _, v := range o.Elicitations[:min(len(o.Elicitations), valuesShown)] {
		add("page", clean(v.URL, 4*textShown))
	}
	for _, h := range o.Hints() {
		add("hint", hint(h))
	}
	return rows
}

// hint writes what was wrong with one field.
func hint(h interpret.Hint) string {
	var parts []string
	for _, p := range [][2]string{
		{"", h.Path}, {"", h.Problem}, {"expected ", h.Expected}, {"allowed ", h.Allowed}, {"received ", h.Received}, {"suggested ", h.Suggestion},
	} {
		if p[1] != "" {
			parts = append(parts, p[0]+clean(p[1], textShown))
		}
	}
	return strings.Join(parts, " · ")
}

// joined lists values, the first few of many.
func joined[T ~string](values []T) string {
	var parts []string
	for _, v := range values[:min(len(values), valuesShown)] {
		parts = append(parts, clean(string(v), textShown))
	}
	if more := len(values) - valuesShown; more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, ", ")
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// duration prints a delay to the precision that matters.
func duration(d time.Duration) string {
	if d >= time.Second {
		return d.Round(100 * time.Millisecond).String()
	}
	return d.Round(time.Millisecond).String()
}

var actionColor = map[retry.Action]string{retry.Proceed: green, retry.Retry: cyan, retry.Surface: yellow, retry.Ask: purple, retry.Abort: red}

// wait says when the next send may go out: what the server asked for, and what the policy made of it.
func wait(o *interpret.Outcome, d *retry.Decision) string {
	switch {
	case o.RetryAfter > 0 && d.Delay > 0:
		return fmt.Sprintf("%s – the server asked for %s", duration(d.Delay), duration(o.RetryAfter))
	case o.RetryAfter > 0:
		return fmt.Sprintf("none – the server asked for %s", duration(o.RetryAfter))
	case d.Delay > 0:
		return duration(d.Delay)
	}
	return ""
}
