package live

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// The scripts are written out for each start, so that they find their packages beside them and the source tree stays as it is.
//
//go:embed servers/node/*.mjs servers/node/package-lock.json servers/python/*.py servers/python/requirements.txt
var files embed.FS

// RequiredEnv is the environment variable that turns a skip into a failure, if it is "required".
const RequiredEnv = "MCPERR_LIVE"

// missing skips the test, or fails it where every server is required.
func missing(tb testing.TB, format string, args ...any) {
	tb.Helper()
	if os.Getenv(RequiredEnv) == "required" {
		tb.Fatalf(format, args...)
	}
	tb.Skipf(format, args...)
}

// Node returns the folder that holds node_modules, and the program that runs them.
func Node(tb testing.TB) (folder, program string) {
	tb.Helper()
	program, err := exec.LookPath("node")
	if err != nil {
		missing(tb, "Node is not installed")
	}
	return installed(tb, "node", "servers/node/package-lock.json"), program
}

func python(tb testing.TB) string {
	tb.Helper()
	return filepath.Join(installed(tb, "python", "servers/python/requirements.txt"), "bin", "python")
}

// installed returns where live/install.sh has put the packages of a lock file.
func installed(tb testing.TB, name, lockFile string) string {
	tb.Helper()
	lock, err := files.ReadFile(lockFile)
	if err != nil {
		tb.Fatal(err)
	}
	sum := sha256.Sum256(lock)
	folder := filepath.Join(cache(), name+"-"+hex.EncodeToString(sum[:])[:12])
	if _, err := os.Stat(filepath.Join(folder, "installed")); err != nil {
		missing(tb, "the packages for %s are not installed: run live/install.sh", name)
	}
	return folder
}

func cache() string {
	if dir := os.Getenv("MCPERR_LIVE_CACHE"); dir != "" {
		return dir
	}
	dir := os.Getenv("XDG_CACHE_HOME")
	if dir == "" {
		dir = filepath.Join(os.Getenv("HOME"), ".cache")
	}
	return filepath.Join(dir, "mcperr-live")
}

// unpack writes the scripts of a runtime into a folder of the test's own.
func unpack(tb testing.TB, runtime string) string {
	tb.Helper()
	folder := tb.TempDir()
	scripts, err := files.ReadDir("servers/" + runtime)
	if err != nil {
		tb.Fatal(err)
	}
	for _, script := range scripts {
		data, err := files.ReadFile("servers/" + runtime + "/" + script.Name())
		if err := errors.Join(err, os.WriteFile(filepath.Join(folder, script.Name()), data, 0o600)); err != nil {
			tb.Fatal(err)
		}
	}
	return folder
}

// Main runs the tests of a package and removes what they built. It is what a TestMain calls.
func Main(m *testing.M) int {
	defer func() { os.RemoveAll(built.folder) }()
	return m.Run()
}

var built struct {
	sync.Mutex
	folder string
	done   map[string]error
}

// Build builds a command of this repository, once a test process, and returns the program's path.
func Build(tb testing.TB, pkg string) string {
	tb.Helper()
	built.Lock()
	defer built.Unlock()
	if built.folder == "" {
		folder, err := os.MkdirTemp("", "mcperr-live")
		if err != nil {
			tb.Fatal(err)
		}
		built.folder, built.done = folder, map[string]error{}
	}
	program := filepath.Join(built.folder, filepath.Base(pkg))
	err, done := built.done[pkg]
	if !done {
		out, failure := exec.Command("go", "build", "-o", program, "github.com/mcperr/mcperr/"+pkg).CombinedOutput()
		if failure != nil {
			err = fmt.Errorf("go build %s: %w\n%s", pkg, failure, out)
		}
		built.done[pkg] = err
	}
	if err != nil {
		tb.Fatal(err)
	}
	return program
}
