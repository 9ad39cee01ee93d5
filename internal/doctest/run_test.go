package doctest

import (
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// run runs a script in the copy of the repository as a reader would, and returns all that it prints.
func (c *checker) run(script string) ([]byte, error) {
	bash := need(c.t, "bash")
	if c.copy == "" {
		c.copy = c.t.TempDir()
		if err := copyTree(c.copy); err != nil {
			return nil, err
		}
	}
	ctx, cancel := context.WithTimeout(c.t.Context(), 15*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, bash, "-euo", "pipefail", "-c", script)
	cmd.WaitDelay = 5 * time.Second // what it has started may hold the pipes
	cmd.Dir = c.copy
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); !slices.Contains([]string{"GOFLAGS", "GOWORK", "COLUMNS", "NO_COLOR", "PWD"}, name) {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "GOFLAGS=-trimpath") // builds from any copy are the same builds
	return cmd.CombinedOutput()
}

// need returns the path of a program. Where it is not installed it skips the test, or fails it where none may be missing, as in .ci/run.
func need(t *testing.T, program string) (path string) {
	t.Helper()
	path, err := exec.LookPath(program)
	switch {
	case err != nil && required():
		t.Fatal(err)
	case err != nil:
		t.Skip(err)
	}
	return path
}

// required reports whether every program must be there, as in .ci/run.
func required() bool { return os.Getenv("MCPERR_LIVE") == "required" }

// copyTree copies the repository. What it reads is known to go test, which runs this test again when a file has changed.
func copyTree(to string) error {
	from := os.DirFS(root)
	return fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules"):
			return fs.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		b, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), b, info.Mode().Perm())
	})
}
