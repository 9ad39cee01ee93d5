package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

const aboutCodes = `
Prints what JSON-RPC codes and HTTP statuses can mean, and the kinds with who can fix them and what the default policy does.
All of it comes from the rule table that replies are read by; --rules prints that table itself.
`

// codes is the command of that name.
func codes(e *env, args []string) int {
	fs := newFlags(e, "codes", aboutCodes)
	version := fs.String("version", "", "only the codes that protocol `VERSION` defines")
	rules := fs.Bool("rules", false, "the rule table: every row in the order of reading, with its reference")
	markdown := fs.Bool("markdown", false, "the tables as the README has them")
	rest, code, done := parse(e, fs, args)
	if done {
		return code
	}
	switch {
	case len(rest) > 0:
		return e.fail(exitUsage, fmt.Errorf("codes: unexpected argument %q", rest[0]))
	case *version != "" && !slices.Contains(interpret.Versions(), *version):
		return e.fail(exitUsage, fmt.Errorf("codes: no version %q; there are %s", *version, strings.Join(interpret.Versions(), ", ")))
	}
	switch {
	case *rules && *markdown:
		printRulesMarkdown(e.out)
	case *rules:
		printRules(e)
	case *markdown:
		printMarkdown(e.out, *version)
	default:
		printGrids(e, *version)
	}
	return exitOK
}

func printMarkdown(w io.Writer, version string) {
	kindsGrid("`").markdown(w)
	fmt.Fprintln(w)
	codesGrid("`", version).markdown(w)
}

func printGrids(e *env, version string) {
	for i, g := range []*grid{codesGrid("", version), statusesGrid(""), kindsGrid("")} {
		if i > 0 {
			fmt.Fprintln(e.out)
		}
		g.print(e.out, e)
	}
}

// codesGrid says of each code that some version defines what it is called, where it is defined, and what it can come to mean.
func codesGrid(mark, version string) *grid {
	g := &grid{head: []string{"code", "name", "defined in", "can mean"}, most: []int{0, 28, 24}}
	for _, c := range definedCodes {
		if version == "" || c.definedIn(version) {
			g.add(fmt.Sprint(c.code), c.name, c.where(), kindsOf(mark, func(r *interpret.Rule) bool { return slices.Contains(r.Codes, c.code) }))
		}
	}
	g.add("any other", "the server's own", "no version", kindsOf(mark, func(r *interpret.Rule) bool {
		return r.Kind == interpret.UnknownError || r.Codes == nil && r.Kind == interpret.RateLimited && r.Statuses == nil
	}))
	return g
}

// statusesGrid says of each HTTP status that a rule names what it can come to mean.
func statusesGrid(mark string) *grid {
	g := &grid{head: []string{"status", "can mean"}}
	var all []int
	for _, r := range interpret.Rules() {
		all = append(all, r.Statuses...)
	}
	slices.Sort(all)
	for _, s := range slices.Compact(all) {
		if kinds := kindsOf(mark, func(r *interpret.Rule) bool { return slices.Contains(r.Statuses, s) }); kinds != "" {
			g.add(fmt.Sprint(s), kinds)
		}
	}
	for _, class := range []int{3, 4, 5} {
		x := interpret.Exchange{Request: interpret.Request{Method: "tools/list", ID: "1"}, Status: class*100 + 99} // no rule names it
		g.add(fmt.Sprintf("other %dxx", class), mark+interpret.Reply(x).Kind.String()+mark)
	}
	return g
}

// kindsOf lists the kinds of the rules that fit, in the order of reading.
func kindsOf(mark string, fit func(*interpret.Rule) bool) string {
	var kinds []string
	for _, r := range interpret.Rules() {
		if k := mark + r.Kind.String() + mark; r.Kind != interpret.Unknown && fit(&r) && !slices.Contains(kinds, k) {
			kinds = append(kinds, k)
		}
	}
	return strings.Join(kinds, ", ")
}

// kindsGrid is the taxonomy at a glance.
func kindsGrid(mark string) *grid {
	g := &grid{head: []string{"kind", "fixed by", "what is done", "what it is"}, most: []int{0, 0, 34}}
	for _, k := range interpret.Kinds() {
		who := k.Fixer().String()
		switch k {
		case interpret.OK:
			who = "–"
		case interpret.InputRequired:
			who = "user or host"
		case interpret.UnknownError:
			who = "model"
		}
		g.add(mark+k.String()+mark, who, actionsOf(k), kindSays[k])
	}
	return g
}

// actionsOf puts the default rows of a kind into words.
func actionsOf(k interpret.Kind) string {
	var parts []string
	for _, d := range retry.Defaults() {
		if d.Kind != k {
			continue
		}
		action := d.Action.String()
		if d.Where != "" {
			action += " if " + d.Where
		} else if parts != nil {
			action = "else " + action
		}
		parts = append(parts, action)
	}
	return strings.Join(parts, ", ")
}
