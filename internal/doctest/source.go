package doctest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
)

// function returns a function of a Go file as a page shows it, and what the file says that it prints, "" if nothing.
// Of an example that is its body, of any other function the whole of it.
func function(file, name string) (text, output string, err error) {
	src, err := os.ReadFile(file)
	if err != nil {
		return "", "", err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return "", "", err
	}
	for _, d := range parsed.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != name || f.Recv != nil {
			continue
		}
		at := func(p token.Pos) int { return set.Position(p).Offset }
		if !strings.HasPrefix(name, "Example") {
			return string(src[at(f.Pos()):at(f.End())]) + "\n", "", nil
		}
		end := at(f.Body.Rbrace)
		for _, c := range parsed.Comments {
			if says, ok := strings.CutPrefix(c.Text(), "Output:"); ok && c.Pos() > f.Body.Lbrace && c.End() < f.Body.Rbrace {
				end, output = at(c.Pos()), strings.TrimLeft(says, " \n")
			}
		}
		body := strings.TrimRight(string(src[at(f.Body.Lbrace)+1:end]), "\t\n")
		return strings.TrimPrefix(strings.ReplaceAll(body, "\n\t", "\n"), "\n") + "\n", output, nil
	}
	return "", "", fmt.Errorf("%s has no function %s", file, name)
}
