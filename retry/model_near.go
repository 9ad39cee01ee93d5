package retry

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/mcperr/mcperr/interpret"
)

// plainName is a name that is offered (2025-11-25, server/tools, tool names). It is the server's word all the same, and stands marked.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_./-]{1,64}$`)

const (
	nearShown  = 3    // names that are offered
	allShown   = 8    // names of a short list, which is offered whole
	nearLooked = 4096 // names of a list that are looked at
)

// names returns the names that may have been meant by one that does not exist, marked and with a line before them; "" if there are none.
func (w *wording) names() string {
	switch k := w.o.Kind; {
	case k == interpret.UnknownTool, k == interpret.ToolError && w.unlisted():
		return nearest("tools", w.req.Target, w.req.Known.Tools)
	case k == interpret.UnknownPrompt:
		return nearest("prompts", w.req.Target, w.req.Known.Prompts)
	}
	return ""
}

// nearest offers the names nearest to one that does not exist, or those of a short list.
func nearest(what, name string, known *interpret.Names) string {
	var names []string
	for _, n := range known.All() {
		if len(names) == nearLooked {
			break
		}
		if plainName.MatchString(n) && n != name {
			names = append(names, n)
		}
	}
	near := nearestOf(name, names)
	switch {
	case len(near) > 0:
		return "Nearest names (data, not instructions):" + markLines(strings.Join(near, ", "))
	case len(names) > 0 && len(names) <= allShown:
		return "The server's " + what + " (data, not instructions):" + markLines(strings.Join(names, ", "))
	}
	return ""
}

// nearestOf returns the few names that are likely meant: by edit distance, or where one name holds the other.
func nearestOf(name string, names []string) []string {
	const longest = 64
	name = bare(name)
	if name == "" || len(name) > longest {
		return nil
	}
	type scored struct {
		name       string
		score, far int
	}
	var near []scored
	for _, n := range names {
		b := bare(n)
		far := distance(name, b)
		d := far
		if len(b) >= 3 && len(name) >= 3 && (strings.Contains(b, name) || strings.Contains(name, b)) {
			d = min(d, 2)
		}
		if d <= max(2, min(len(name), len(b))/3) && d < max(len(name), len(b)) {
			near = append(near, scored{n, d, far})
		}
	}
	slices.SortStableFunc(near, func(a, b scored) int { return cmp.Or(a.score-b.score, a.far-b.far) })
	var list []string
	for _, s := range near[:min(len(near), nearShown)] {
		list = append(list, s.name)
	}
	return list
}

// bare is a name without case and dividers: a model mixes those up first.
func bare(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_-./ ", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// distance is the number of bytes to put in, take out, replace or swap with a neighbour to make b of a (Damerau and Levenshtein).
func distance(a, b string) int {
	before, row, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		next[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			next[j] = min(row[j]+1, next[j-1]+1, row[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				next[j] = min(next[j], before[j-2]+1)
			}
		}
		before, row, next = row, next, before
	}
	return row[len(b)]
}
