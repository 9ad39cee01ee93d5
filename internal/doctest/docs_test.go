package doctest

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/retry"
)

var update = flag.Bool("update", false, "write what pages copy or print")

const root = "../.."

// pages returns the repository's pages, as paths from its root.
func pages(t *testing.T) []string {
	t.Helper()
	var list []string
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git"):
			return fs.SkipDir
		case strings.HasSuffix(name, ".md"):
			list = append(list, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestPages checks every block of every page; package doctest says how.
func TestPages(t *testing.T) {
	ci := read(t, ".ci/run")
	for _, name := range pages(t) {
		t.Run(name, func(t *testing.T) {
			page := read(t, name)
			list, err := blocks(page)
			if err != nil {
				t.Fatal(err)
			}
			c := &checker{t: t, ci: ci}
			wants := map[int]string{}
			for _, b := range list {
				want, err := c.check(b)
				if err != nil {
					t.Errorf("%s:%d: %v", name, b.line, err)
					want = b.text
				}
				wants[b.line] = want
			}
			written := page
			for _, b := range slices.Backward(list) { // from the end, so that lines keep their numbers
				if want := wants[b.line]; want != b.text {
					written = replace(written, b, want)
					if !*update {
						t.Errorf("%s:%d %s (-update writes it)", name, b.line, firstDifference(b.text, want))
					}
				}
			}
			if *update && written != page {
				if err := os.WriteFile(filepath.Join(root, name), []byte(written), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// firstDifference says where two texts go apart.
func firstDifference(got, want string) string {
	has, wants := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(has), len(wants)) {
		if has[i] != wants[i] {
			return fmt.Sprintf("has in line %d\n%s\nwant\n%s\n", i+1, has[i], wants[i])
		}
	}
	return fmt.Sprintf("has %d lines, want %d", len(has), len(wants))
}

// checker checks the blocks of one page.
type checker struct {
	t    *testing.T
	ci   string
	copy string // of the repository, where the page's commands run; "" until there is one
}

// check returns what the block must be, which is itself if that is all that is asked of it.
func (c *checker) check(b block) (want string, err error) {
	if why, ok := strings.CutPrefix(b.mark, "not run: "); ok && b.lang != "printed" {
		if len(why) < 10 {
			return "", errors.New("it is not run, and nothing says why")
		}
		return b.text, nil
	}
	if program, ok := strings.CutPrefix(b.mark, "needs "); ok {
		if _, err := exec.LookPath(program); err != nil {
			if !required() {
				c.t.Logf("not run: %v", err)
				return b.text, nil
			}
			return "", err
		}
	}
	if b.lang == "printed" {
		out, err := c.run(b.mark)
		return string(out), err
	}
	if i := strings.LastIndex(b.mark, " of "); i > 0 && strings.HasSuffix(b.mark, ".go") {
		file := b.mark[i+len(" of "):]
		name, output := strings.CutPrefix(b.mark[:i], "output of ")
		text, printed, err := function(filepath.Join(root, file), name)
		switch {
		case err != nil:
			return "", err
		case output && printed == "":
			return "", fmt.Errorf("%s of %s prints nothing", name, file)
		case output:
			return printed, nil
		}
		return text, nil
	}
	if file, ok := strings.CutPrefix(b.mark, "in "); ok {
		return b.text, c.partOf(file, b.text)
	}
	if name := filepath.Join(root, b.mark); b.mark != "" && !strings.ContainsAny(b.mark, " :") {
		whole, err := os.ReadFile(name)
		return string(whole), err
	}
	switch b.lang {
	case "console":
		return c.console(b)
	case "sh":
		return b.text, c.sh(b)
	case "json":
		if b.mark == "a policy" {
			_, err = retry.ParsePolicy([]byte(b.text))
		} else if !json.Valid([]byte(b.text)) {
			err = errors.New("this is not JSON")
		}
		return b.text, err
	}
	return "", fmt.Errorf("nothing checks this block: language %q, mark %q", b.lang, b.mark)
}

// partOf wants the lines to stand in a file, in one piece.
func (c *checker) partOf(file, text string) error {
	whole, err := os.ReadFile(filepath.Join(root, file))
	if err == nil && !strings.Contains(string(whole), text) {
		err = fmt.Errorf("%s has not these lines", file)
	}
	return err
}

func (c *checker) sh(b block) error {
	if b.mark == "run by .ci/run" {
		for line := range strings.Lines(b.text) {
			if !strings.Contains(c.ci, strings.TrimSpace(line)) {
				return fmt.Errorf(".ci/run does not run %q", line)
			}
		}
		return nil
	}
	out, err := c.run(b.text)
	if err = exited(err, b.mark); err != nil {
		err = fmt.Errorf("%w\n%s", err, out)
	}
	return err
}

// exited is err, but nil where a command ended with the exit code that the mark says.
func exited(err error, mark string) error {
	code := 0
	if says, ok := strings.CutPrefix(mark, "exit code "); ok {
		code, _ = strconv.Atoi(says)
	}
	exit := new(exec.ExitError)
	switch {
	case err == nil && code != 0:
		return fmt.Errorf("it ends with exit code 0, not %d", code)
	case errors.As(err, &exit) && exit.ExitCode() == code:
		return nil
	}
	return err
}

// console runs the commands of a block and returns it with what they print. All end with exit code 0, or with the one that the mark says.
func (c *checker) console(b block) (string, error) {
	var printed strings.Builder
	for _, s := range steps(b.text) {
		out, err := c.run(s.command)
		if err = exited(err, b.mark); err != nil {
			return "", fmt.Errorf("%w\n%s", err, out)
		}
		if s.output = string(out); s.output != "" && !strings.HasSuffix(s.output, "\n") {
			s.output += "\n"
		}
		printed.WriteString(s.String())
	}
	if printed.Len() == 0 {
		return "", errors.New("no command in a console block")
	}
	return printed.String(), nil
}
