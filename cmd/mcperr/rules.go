package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcperr/mcperr/interpret"
)

// A table is the rules of one stage, in their order.
type table struct {
	stage string
	rules []interpret.Rule
}

// ruleTables divides the rules by stage, in the order of reading. A rule that stands apart from its stage joins it, at its end.
func ruleTables() []table {
	var tables []table
	for _, r := range interpret.Rules() {
		i := slices.IndexFunc(tables, func(t table) bool { return t.stage == r.Stage })
		if i < 0 {
			i = len(tables)
			tables = append(tables, table{stage: r.Stage})
		}
		tables[i].rules = append(tables[i].rules, r)
	}
	return tables
}

// printRules prints the rule tables for a terminal: a head line a stage, two or three lines a rule.
func printRules(e *env) {
	for i, t := range ruleTables() {
		if i > 0 {
			fmt.Fprintln(e.out)
		}
		fmt.Fprintf(e.out, "%s – %s\n", e.style(bold, t.stage), stageSays[t.stage])
		for _, r := range t.rules {
			head := r.ID
			if r.Kind != interpret.Unknown {
				head += " → " + r.Kind.String()
			}
			if ran, leave := proof(&r); ran != "" {
				head += " → ran " + ran + ", leave " + leave
			}
			for _, s := range []string{string(r.Basis), string(r.Remedy), numbers(&r)} {
				if s != "" {
					head += " · " + s
				}
			}
			fmt.Fprintf(e.out, "  %s\n", head)
			for _, l := range wrap(r.Says, e.width-4) {
				fmt.Fprintf(e.out, "    %s\n", l)
			}
			for _, l := range wrap(reference(r.Ref), e.width-4) {
				fmt.Fprintf(e.out, "    %s\n", e.style(dim, l))
			}
		}
	}
}

// printRulesMarkdown prints the rule tables as docs/how-a-reply-is-read.md has them: a heading and a table a stage.
func printRulesMarkdown(w io.Writer) {
	for i, t := range ruleTables() {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "### %d. %s\n\n%s.\n\n", i+1, t.stage, capital(stageSays[t.stage]))
		g := &grid{head: []string{"rule", "codes, statuses", "holds when", "kind", "basis", "remedy", "ran", "leave", "stands in"}}
		for _, r := range t.rules {
			ran, leave := proof(&r)
			g.add(code(r.ID), numbers(&r), r.Says, span(string(r.Kind)), string(r.Basis), span(string(r.Remedy)), ran, leave, refLink(r.Ref))
		}
		g.dropEmpty()
		g.markdown(w)
	}
}

// proof says what a row of the proof gives: whether the request ran, and the leave to send it again. It is empty for any other row.
func proof(r *interpret.Rule) (ran, leave string) {
	if r.Stage != "ran" {
		return "", ""
	}
	return r.Ran.String(), r.Leave.String()
}

// numbers lists the codes and statuses of a rule.
func numbers(r *interpret.Rule) string {
	var parts []string
	for _, c := range r.Codes {
		parts = append(parts, fmt.Sprint(c))
	}
	for i, s := range r.Statuses {
		parts = append(parts, first(i, "HTTP ")+fmt.Sprint(s))
	}
	return strings.Join(parts, ", ")
}

// reference says where a rule's words stand.
func reference(ref string) string {
	if ref == "" {
		return "no specification says so; recorded servers do"
	}
	return ref
}

// refLink is a reference as a link, named by what it leads to: a version and a page, a section of an RFC.
func refLink(ref string) string {
	if ref == "" {
		return "recordings"
	}
	page, anchor, _ := strings.Cut(ref, "#")
	name := strings.TrimPrefix(page, "https://modelcontextprotocol.io/specification/")
	switch rfc := strings.TrimPrefix(page, "https://www.rfc-editor.org/rfc/rfc"); {
	case rfc != page:
		name = "RFC " + rfc + ", " + strings.TrimPrefix(anchor, "section-")
	case strings.HasPrefix(page, "https://www.jsonrpc.org/"):
		name = "JSON-RPC"
	default:
		name = strings.Replace(name, "/", ", ", 1)
	}
	return "[" + name + "](" + ref + ")"
}

// span is a word in a code span, nothing if there is none.
func span(word string) string {
	if word == "" {
		return ""
	}
	return code(word)
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func ruleByID(id string) (interpret.Rule, bool) {
	for _, r := range interpret.Rules() {
		if r.ID == id {
			return r, true
		}
	}
	return interpret.Rule{}, false
}
