package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A grid is a table for a terminal: columns as wide as their cells, the last one wrapped at the width.
type grid struct {
	head []string
	rows [][]string
	most []int // of a column: its greatest width, past which its cells wrap; 0 or absent: none. The last column takes what is left.
}

func (g *grid) add(cells ...string) { g.rows = append(g.rows, cells) }

func (g *grid) print(w io.Writer, e *env) {
	widths := g.widths(e.width)
	e.cells(w, widths, g.head, bold, bold, bold, bold, bold)
	for _, row := range g.rows {
		e.cells(w, widths, row)
	}
}

// cells prints one row of a table, each cell wrapped at its width, in the style given for its column.
func (e *env) cells(w io.Writer, widths []int, row []string, styles ...string) {
	wrapped := make([][]string, len(row))
	height := 1
	for c, text := range row {
		wrapped[c] = wrapLines(text, widths[c])
		height = max(height, len(wrapped[c]))
	}
	for l := range height {
		last := 0
		for c := range row {
			if l < len(wrapped[c]) {
				last = c
			}
		}
		var b strings.Builder
		for c := range last + 1 {
			text := ""
			if l < len(wrapped[c]) {
				text = wrapped[c][l]
			}
			fill := pad(text, widths[c])
			if text = strings.TrimRight(fill, " "); c < len(styles) {
				text = e.style(styles[c], text)
			}
			if b.WriteString(text); c < last {
				b.WriteString(strings.Repeat(" ", len(fill)-len(strings.TrimRight(fill, " "))+2))
			}
		}
		fmt.Fprintln(w, b.String())
	}
}

// Least widths of a column that wraps: of the last, and of any other.
const (
	leastLast = 24
	leastWrap = 18
)

// widths gives each column what its cells need and the last what is left; columns that may wrap give way to it.
func (g *grid) widths(total int) []int {
	widths := make([]int, len(g.head))
	for _, row := range append([][]string{g.head}, g.rows...) {
		for c, text := range row {
			widths[c] = max(widths[c], len([]rune(text)))
		}
	}
	last := len(widths) - 1
	left := total
	for c := range last {
		if g.wraps(c) {
			widths[c] = min(widths[c], g.most[c])
		}
		left -= widths[c] + 2
	}
	for c := range last {
		if give := min(leastLast-left, widths[c]-leastWrap); g.wraps(c) && give > 0 {
			widths[c] -= give
			left += give
		}
	}
	widths[last] = max(left, leastWrap)
	return widths
}

func (g *grid) wraps(c int) bool { return c < len(g.most) && g.most[c] > 0 }

// dropEmpty takes out the columns in which no row has anything.
func (g *grid) dropEmpty() {
	for c := len(g.head) - 1; c >= 0; c-- {
		if !slices.ContainsFunc(g.rows, func(row []string) bool { return row[c] != "" }) {
			g.head = slices.Delete(g.head, c, c+1)
			for i := range g.rows {
				g.rows[i] = slices.Delete(g.rows[i], c, c+1)
			}
		}
	}
}

// markdown prints the grid as a GitHub table.
func (g *grid) markdown(w io.Writer) {
	line := func(cells []string) {
		escaped := make([]string, len(cells))
		for i, c := range cells {
			escaped[i] = strings.ReplaceAll(c, "|", `\|`)
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(escaped, " | "))
	}
	line(g.head)
	fmt.Fprintln(w, strings.Repeat("|---", len(g.head))+"|")
	for _, row := range g.rows {
		line(row)
	}
}

// wrap breaks a text at spaces into lines of at most n characters; a longer word stands alone.
func wrap(text string, n int) []string {
	var lines []string
	line, used := "", 0
	for word := range strings.FieldsSeq(text) {
		w := len([]rune(word))
		if used > 0 && used+1+w > n {
			lines, line, used = append(lines, line), "", 0
		}
		if used > 0 {
			line, used = line+" ", used+1
		}
		line, used = line+word, used+w
	}
	if used > 0 {
		lines = append(lines, line)
	}
	return lines
}

// wrapLines wraps each line of a text.
func wrapLines(text string, n int) (lines []string) {
	for l := range strings.SplitSeq(text, "\n") {
		lines = append(lines, wrap(l, n)...)
	}
	return lines
}
