package doctest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// TestLinks follows the links that stay in the repository: to files, folders, and headings of pages.
func TestLinks(t *testing.T) {
	for _, name := range pages(t) {
		text := prose(read(t, name))
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, "://") {
				continue
			}
			target := filepath.Join(filepath.Dir(name), to)
			if to == "" {
				target = name
			}
			if _, err := os.Stat(filepath.Join(root, target)); err != nil {
				t.Errorf("%s: %s leads nowhere", name, m[1])
			} else if anchor != "" && !slices.Contains(anchors(read(t, target)), anchor) {
				t.Errorf("%s: %s has no heading #%s", name, target, anchor)
			}
		}
	}
}

// TestNamesOfTests finds every test that a page names.
func TestNamesOfTests(t *testing.T) {
	there := map[string]bool{}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, "_test.go") {
			return err
		}
		for _, m := range testFunc.FindAllStringSubmatch(read(t, name), -1) {
			there[m[1]] = true
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range pages(t) {
		for _, m := range testName.FindAllStringSubmatch(prose(read(t, name)), -1) {
			if !there[m[1]] {
				t.Errorf("%s: there is no %s", name, m[1])
			}
		}
	}
}

var (
	testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Example|Benchmark)\w*)\(`)
	testName = regexp.MustCompile("`((?:Test|Fuzz|Example|Benchmark)[A-Z]\\w*)`")

	link    = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
)

// prose is a page without its blocks.
func prose(page string) string {
	var b strings.Builder
	fenced := false
	for line := range strings.Lines(page) {
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
		} else if !fenced {
			b.WriteString(line)
		}
	}
	return b.String()
}

// anchors returns those of a page's headings, as GitHub makes them of plain text.
func anchors(page string) (list []string) {
	for _, m := range heading.FindAllStringSubmatch(prose(page), -1) {
		list = append(list, strings.Map(func(c rune) rune {
			switch {
			case c == ' ':
				return '-'
			case c == '-' || c == '_' || unicode.IsLetter(c) || unicode.IsDigit(c):
				return unicode.ToLower(c)
			}
			return -1
		}, m[1]))
	}
	return list
}
