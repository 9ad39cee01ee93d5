package peers

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// The table in the README, and what its words stand for here.
const (
	heading     = "### What an SDK keeps of a fault"
	withAdapter = "either, with its adapter"
	bothEras    = "both"
)

// columns of the table, behind the host and the era.
var columns = []string{"session alive", "code kept", "data kept", "status kept", "delay kept", "right kind", "code made up", "tool run twice", "wrong id taken"}

// total is what became of all replies to one host in one era.
type total struct {
	host    string // as the table names it
	adapted bool
	era     string   // as the table names it
	cells   []string // by columns
}

func (s total) String() string {
	return fmt.Sprintf("| %s | %s | %s |", s.host, s.era, strings.Join(s.cells, " | "))
}

// in reports whether a row of the table is about it.
func (s total) in(row []string) bool {
	return (row[0] == s.host || row[0] == withAdapter && s.adapted) && (row[1] == s.era || row[1] == bothEras)
}

// differences says what of the table on a page is not as it was counted.
func differences(page string, totals []total) (found []string) {
	report := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	head := slices.Concat([]string{"host", "era"}, columns)
	rows := tableOf(page)
	if len(rows) < 2 || !slices.Equal(rows[0], head) {
		report("the head of the table should be | %s |", strings.Join(head, " | "))
		return found
	}
	rows = rows[2:]
	of := func(s total) func([]string) bool {
		return func(row []string) bool { return len(row) == len(head) && s.in(row) }
	}
	for _, row := range rows {
		if len(row) != len(head) {
			report("the row %q has %d cells, not %d", strings.Join(row, ", "), len(row), len(head))
		} else if !slices.ContainsFunc(totals, func(s total) bool { return s.in(row) }) {
			report("the row %q, %q is about nobody", row[0], row[1])
		}
	}
	for _, s := range totals {
		i := slices.IndexFunc(rows, of(s))
		if i < 0 {
			report("no row is about %s in %s", s.host, s.era)
			continue
		}
		if slices.ContainsFunc(rows[i+1:], of(s)) {
			report("two rows are about %s in %s", s.host, s.era)
		}
		for j, name := range columns {
			if said := rows[i][j+2]; said != s.cells[j] {
				report("the row %q, %q says %q under %q; it is %q for %s in %s", rows[i][0], rows[i][1], said, name, s.cells[j], s.host, s.era)
			}
		}
	}
	return found
}

// tableOf returns the cells of the first table under the heading.
func tableOf(page string) (rows [][]string) {
	_, section, _ := strings.Cut(page, heading+"\n")
	section, _, _ = strings.Cut(section, "\n#")
	for line := range strings.Lines(section) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "|"):
			cells := strings.Split(strings.Trim(line, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			rows = append(rows, cells)
		case rows != nil:
			return rows
		}
	}
	return rows
}

// holdReadme compares what was counted with what the README says.
func holdReadme(t *testing.T, totals []total) {
	t.Helper()
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range differences(string(page), totals) {
		t.Errorf("README.md, %q: %s", strings.TrimLeft(heading, "# "), d)
	}
}

// versioned returns the name of a bare SDK with the version that the go.mod of this module has.
func versioned(t *testing.T, sdk string) string {
	t.Helper()
	module, err := os.ReadFile("go.mod")
	if err != nil {
		t.Fatal(err)
	}
	path := map[string]string{"go-sdk": "github.com/modelcontextprotocol/go-sdk", "mcp-go": "github.com/mark3labs/mcp-go"}[sdk]
	for line := range strings.Lines(string(module)) {
		if f := strings.Fields(line); len(f) >= 2 && f[0] == path {
			return sdk + " " + f[1]
		}
	}
	t.Fatalf("go.mod requires no %s", path)
	return ""
}

func TestReadmeIsCompared(t *testing.T) {
	cells := func(last string) []string { return append(slices.Repeat([]string{"1"}, len(columns)-1), last) }
	row := func(host, era, last string) string {
		return total{host: host, era: era, cells: cells(last)}.String() + "\n"
	}
	table := func(rows ...string) string {
		head := total{host: "host", era: "era", cells: columns}.String()
		return "x\n\n" + heading + "\n\nwords\n\n" + head + "\n|---|\n" + strings.Join(rows, "") + "\n| another | table |\n\n## Next\n"
	}
	totals := []total{{"a, installed", true, "one", cells("no")}, {"a, installed", true, "two", cells("no")}, {"b", false, "one", cells("yes")}}
	adapted, bare := row(withAdapter, bothEras, "no"), row("b", "one", "yes")
	for name, c := range map[string]struct{ page, want string }{
		"as it is":            {table(adapted, bare), ""},
		"a cell":              {table(adapted, row("b", "one", "no")), `the row "b", "one" says "no" under "wrong id taken"; it is "yes" for b in one`},
		"a cell of several":   {table(row(withAdapter, bothEras, "yes"), bare), `the row "either, with its adapter", "both" says "yes" under "wrong id taken"; it is "no" for a, installed in two`},
		"a row too few":       {table(adapted), "no row is about b in one"},
		"a row of nobody":     {table(adapted, bare, row("c", bothEras, "no")), `the row "c", "both" is about nobody`},
		"a row twice":         {table(adapted, bare, row("b", bothEras, "yes")), "two rows are about b in one"},
		"a cell too few":      {table(adapted, bare, "| b | one | 1 |\n"), "has 3 cells, not 11"},
		"another head":        {strings.Replace(table(adapted, bare), "wrong id", "right id", 1), "the head of the table"},
		"no table":            {"x\n\n" + heading + "\n\n## Next\n\n" + adapted, "the head of the table"},
		"nothing of the kind": {"x", "the head of the table"},
	} {
		t.Run(name, func(t *testing.T) {
			found := strings.Join(differences(c.page, totals), "\n")
			if c.want == "" && found != "" || !strings.Contains(found, c.want) {
				t.Errorf("found %q, want %q", found, c.want)
			}
		})
	}
}
