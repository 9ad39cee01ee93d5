package probe

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/mcperr/mcperr/interpret"
)

// seen is something amiss in the reply to a check's question.
type seen struct {
	check string
	what  string
}

const (
	seenMost  = 5  // sightings that one check keeps of a reply, and shows
	shownText = 80 // characters of a server's text in a fault
)

// look gives a reply to the checks over all replies.
func (p *Probe) look(r *reply) {
	if p.watching == nil {
		return
	}
	r.early = p.watching.early
	for i := range overAll {
		c := &overAll[i]
		found := c.watch(r)
		for _, what := range found[:min(len(found), seenMost)] {
			p.seen[c.ID] = append(p.seen[c.ID], seen{p.watching.ID, what})
		}
	}
}

// sum is the finding of a check over all replies.
func (p *Probe) sum(c *Check) Finding {
	f := Finding{Check: c, Verdict: Holds, Want: c.want(&p.server)}
	var order []string
	where := make(map[string][]string)
	for _, s := range p.seen[c.ID] {
		if where[s.what] == nil {
			order = append(order, s.what)
		}
		if n := len(where[s.what]); n == 0 || where[s.what][n-1] != s.check {
			where[s.what] = append(where[s.what], s.check)
		}
	}
	for i, what := range order {
		if i == seenMost {
			f.Faults = append(f.Faults, fmt.Sprintf("and %d more", len(order)-seenMost))
			break
		}
		f.Faults = append(f.Faults, fmt.Sprintf("%s, in its answer to %s", what, strings.Join(where[what], ", ")))
	}
	if f.Faults != nil {
		f.Verdict = Deviates
	}
	return f
}

var scrubber = new(interpret.Scrubber)

// shown is a server's text as a fault may show it: between marks, on one line, without credentials, short.
func shown(s string) string {
	s = strings.Join(strings.Fields(scrubber.Scrub(s)), " ")
	if utf8.RuneCountInString(s) > shownText {
		s = string([]rune(s)[:shownText]) + "…"
	}
	return s
}

func quoted(s string) string {
	return "‹" + strings.NewReplacer("‹", "<", "›", ">").Replace(shown(s)) + "›"
}

// ownWords cuts out of replies what we say ourselves: names, the address, and what the tool is called with.
func (p *Probe) ownWords() *strings.Replacer {
	words := []string{noMethod, noTool, noPrompt, noResource, noCursor, noVersion, foreign, strings.TrimPrefix(foreign, "https://")}
	if u, err := url.Parse(p.opts.URL); err == nil && u.Host != "" {
		words = append(words, p.opts.URL, u.Scheme+"://"+u.Host, u.Host, u.Path)
	}
	if p.opts.Tool != nil {
		var arguments any
		json.Unmarshal(p.opts.Tool.Arguments, &arguments)
		words = append(words, texts(arguments)...)
	}
	var pairs []string
	for _, w := range words {
		if len(w) >= 3 {
			pairs = append(pairs, w, "…")
		}
	}
	return strings.NewReplacer(pairs...)
}

// texts are the strings in a JSON value, raw and as they stand in JSON.
func texts(v any) (all []string) {
	switch v := v.(type) {
	case string:
		b, _ := json.Marshal(v)
		return []string{v, string(b[1 : len(b)-1])}
	case []any:
		for _, e := range v {
			all = append(all, texts(e)...)
		}
	case map[string]any:
		for _, e := range v {
			all = append(all, texts(e)...)
		}
	}
	return all
}
