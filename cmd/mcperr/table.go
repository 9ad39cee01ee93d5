package main

import (
	"fmt"
	"io"
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
	for i, row := range append([][]string{g.head}, g.rows...) {
		cells := make([][]string, len(row))
		height := 1
		for c, text := range row {
			cells[c] = wrap(text, widths[c])
			height = max(height, len(cells[c]))
		}
		for l := range height {
			var b strings.Builder
			for c := range cells {
				text := ""
				if l < len(cells[c]) {
					text = cells[c][l]
				}
				if c < len(cells)-1 {
					text = pad(text, widths[c]) + "  "
				}
				b.WriteString(text)
			}
			text := strings.TrimRight(b.String(), " ")
			if i == 0 {
				text = e.style(bold, text)
			}
			fmt.Fprintln(w, text)
		}
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
