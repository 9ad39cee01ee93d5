package doctest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const core = "github.com/mcperr/mcperr"

// TestBlocksCanBePasted compiles the Go blocks of pages as a reader does who pastes them into a module of their own: with the standard library,
// with the imports that the page names at its head, or in the section before the block, and with a clone in the place of each module.
func TestBlocksCanBePasted(t *testing.T) {
	module := t.TempDir()
	used := map[string]bool{core: true}
	n := 0
	for _, name := range []string{"docs/embedding.md", "docs/tuning-the-policy.md"} {
		page := read(t, name)
		list, err := blocks(page)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.SplitAfter(page, "\n")
		for _, b := range list {
			if b.lang != "go" || !strings.Contains(b.mark, " of ") {
				continue
			}
			src, imports, err := pasted(known(strings.Join(lines[:b.line-1], "")), b.text)
			if err != nil {
				t.Errorf("%s:%d: %v", name, b.line, err)
				continue
			}
			for _, p := range imports {
				used[p] = true
			}
			n++
			file := filepath.Join(module, fmt.Sprint("block", n), filepath.Base(name)+fmt.Sprint(".", b.line, ".go"))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(src), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n < 20 {
		t.Errorf("%d blocks", n)
	}
	requireClone(t, module, used)
	build := exec.Command("go", "build", "-mod=mod", "./...")
	build.Dir, build.Env = module, append(os.Environ(), "GOWORK=off", "GOFLAGS=")
	if out, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// known is what a reader of a block has read that concerns it: the head of the page, with its first section, and its own section.
func known(before string) string {
	parts := strings.Split(before, "\n## ")
	return strings.Join(append(parts[:min(2, len(parts)-1)], parts[len(parts)-1]), "\n")
}

// requireClone writes the go.mod of a module that uses this repository, and those of its modules that are imported, as a clone.
func requireClone(t *testing.T, module string, used map[string]bool) {
	t.Helper()
	clone, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	mod, sums := "module reader.example/host\n\ngo 1.26\n", read(t, "go.work.sum")
	for p := range used {
		dir, ours := strings.CutPrefix(p, core)
		if _, err := os.Stat(filepath.Join(clone, dir, "go.mod")); !ours || err != nil {
			continue
		}
		mod += fmt.Sprintf("\nrequire %s v0.0.0\nreplace %[1]s => %s\n", p, filepath.Join(clone, dir))
		sums += read(t, filepath.Join(dir, "go.sum"))
	}
	for name, text := range map[string]string{"go.mod": mod, "go.sum": sums} {
		if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// standard are the packages of the standard library that pages use, by the names that they have there.
var standard = []string{"bytes", "context", "encoding/json", "errors", "fmt", "log", "net/http", "net/http/httptest", "os/exec", "slices", "strings", "time"}

var (
	importPath = regexp.MustCompile("[\"`](github\\.com/[^\"`\\s]+)[\"`]")
	address    = regexp.MustCompile("`(\\w+)` is an address")
)

// pasted makes a file of a block: a function as it is, statements as the body of one. Of the imports that are named before it, the last one of
// a name counts, and what is said to be an address is a string.
func pasted(before, block string) (src string, imports []string, err error) {
	if !strings.HasPrefix(block, "func ") {
		block = "func _() {\n" + block + "}\n"
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, "", "package host\n"+block, 0)
	if err != nil {
		return "", nil, err
	}
	free := map[string]bool{}
	for _, id := range f.Unresolved {
		free[id.Name] = true
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok && slices.Contains(f.Unresolved, id) {
				p := named(id.Name, before)
				if p != "" && !slices.Contains(imports, p) {
					imports = append(imports, p)
				}
			}
		}
		return true
	})
	src = "package host\n\n"
	for _, p := range imports {
		src += fmt.Sprintf("import %q\n", p)
	}
	for _, m := range address.FindAllStringSubmatch(before, -1) {
		if free[m[1]] {
			src += fmt.Sprintf("\nvar %s string\n", m[1])
		}
	}
	return src + "\n" + block, imports, nil
}

// named returns the import path that goes by a name, "" if there is none.
func named(name, before string) string {
	for _, p := range standard {
		if path.Base(p) == name {
			return p
		}
	}
	for _, m := range slices.Backward(importPath.FindAllStringSubmatch(before, -1)) {
		if path.Base(m[1]) == name {
			return m[1]
		}
	}
	return ""
}
