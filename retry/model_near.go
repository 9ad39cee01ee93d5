package retry

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mcperr/mcperr/interpret"
)

// plainName is a name that can stand in a sentence of ours (2025-11-25, server/tools, tool names): it comes from the server's list, and
// must not be able to say anything.
var plainName = regexp.MustCompile(`^[A-Za-z0-9_./-]{1,64}$`)

const (
	nearShown  = 3    // names that are offered
	allShown   = 8    // names of a short list, which is offered whole
	nearLooked = 4096 // names of a list that are looked at
)

// nearest returns a sentence that offers the names nearest to one that does not exist, or those of a short list; "" if there is nothing to offer.
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
		return fmt.Sprintf("Nearest names: %s. ", strings.Join(near, ", "))
	case len(names) > 0 && len(names) <= allShown:
		return fmt.Sprintf("Its %s: %s. ", what, strings.Join(names, ", "))
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
