package interpret_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// codeFiles are the files in which a JSON-RPC code may stand, as a number or in a text, each with what it is doing there.
// A code that decides something stands in a rule, so that whoever looks for the number finds the rule.
var codeFiles = map[string]string{
	"interpret/rules_*.go":    "rules",
	"interpret/code_*.go":     "rules of the two crowded codes",
	"interpret/ran.go":        "the proof",
	"interpret/deviations.go": "the deviations",
	"interpret/rules.go":      "names of stages, and the stages of the two crowded codes",
	"interpret/questions.go":  "which codes win over a status",

	"client/gosdk/disguise.go":              "the codes that an SDK makes up for failures of its own side",
	"internal/adapt/agent/server.go":        "the server of the example hosts: what it answers",
	"internal/adapt/adapttest/same/same.go": "what a server answers the hosts of a test",

	"client/incoming.go":   "what we answer a server's requests with",
	"client/tap_listen.go": "what an SDK is told of a failure that has no code",
	"client/open.go":       "which refusals of a handshake are tried again with bare capabilities: a routine of its own, no rule",

	"cmd/mcperr/internal/probe/*.go":       "what the specification asks of a server, check by check",
	"cmd/mcperr/words.go":                  "the names of the codes, as they are printed",
	"cmd/mcperr/internal/replay/replay.go": "what a server of recordings answers beyond them",
}

// codeWord is a code of the range that JSON-RPC and the protocol keep for themselves.
var codeWord = regexp.MustCompile(`\b32[0-7][0-9]{2}\b`)

// codes returns the places of the codes that a file's tokens hold, comments left out.
func codes(src []byte) (found []string) {
	set := token.NewFileSet()
	file := set.AddFile("", set.Base(), len(src))
	var s scanner.Scanner
	s.Init(file, src, nil, 0)
	for {
		pos, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return found
		case (tok == token.INT || tok == token.STRING) && codeWord.MatchString(strings.ReplaceAll(text, "_", "")):
			found = append(found, set.Position(pos).String()+": "+text)
		}
	}
}

func TestCodesStandInRules(t *testing.T) {
	unused := maps.Clone(codeFiles)
	module := os.DirFS("..")
	for _, dir := range []string{"interpret", "retry", "client", "cmd", "internal"} {
		err := fs.WalkDir(module, dir, func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
				return err
			}
			src, err := fs.ReadFile(module, name)
			if err != nil {
				return err
			}
			allowed := slices.ContainsFunc(slices.Collect(maps.Keys(codeFiles)), func(pattern string) bool {
				ok, _ := path.Match(pattern, name)
				if ok && len(codes(src)) > 0 {
					delete(unused, pattern)
				}
				return ok
			})
			if !allowed {
				for _, at := range codes(src) {
					t.Errorf("%s:%s", name, at)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for pattern := range unused {
		t.Errorf("%s holds no code any more", pattern)
	}
}

func TestCodesAreFound(t *testing.T) {
	for src, want := range map[string]int{
		"x == -32601": 1, "x == -32_601": 1, `"code -32601"`: 1, "`{\"code\":-32601}`": 1, "// -32601": 0, "x == 32768": 1, "132601": 0, "-31999": 0, "tool_32601": 0,
	} {
		if got := codes([]byte(src)); len(got) != want {
			t.Errorf("%s: %q", src, got)
		}
	}
}
