package conformance

import (
	_ "embed"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/live"
)

func TestMain(m *testing.M) { os.Exit(live.Main(m)) }

const (
	legacy = "2025-11-25"
	modern = "2026-07-28"
)

// scenarios are the suite's client scenarios that ask for what this project does, each with the versions that have it.
var scenarios = []struct {
	name     string
	versions []string
}{
	{"initialize", []string{legacy}},
	{"tools_call", []string{legacy, modern}},
	{"request-metadata", []string{modern}},
	{"sep-2322-client-request-state", []string{modern}},
	{"http-standard-headers", []string{modern}},
	{"http-custom-headers", []string{modern}},
	{"http-invalid-tool-headers", []string{modern}},
	{"sse-retry", []string{legacy}},
	{"auth/scope-from-www-authenticate", []string{legacy, modern}},
	{"auth/scope-from-scopes-supported", []string{legacy, modern}},
	{"auth/scope-omitted-when-undefined", []string{legacy, modern}},
	{"auth/scope-step-up", []string{legacy, modern}},
	{"auth/scope-retry-limit", []string{legacy, modern}},
	{"json-schema-ref-no-deref", []string{modern}},
	{"json-schema-2020-12-preservation", []string{legacy, modern}},
}

func TestSuite(t *testing.T) {
	folder, node := live.Node(t)
	command := live.Build(t, "live/conformance/client")
	shim := filepath.Join(t.TempDir(), "node20.mjs")
	if err := os.WriteFile(shim, node20, 0o600); err != nil {
		t.Fatal(err)
	}
	suite := []string{"--import", shim, filepath.Join(folder, "node_modules/@modelcontextprotocol/conformance/dist/index.js"), "client", "--command", command}
	for _, scenario := range scenarios {
		for _, version := range scenario.versions {
			t.Run(strings.ReplaceAll(scenario.name, "/", "-")+"@"+version, func(t *testing.T) {
				results := t.TempDir()
				args := append(suite, "--scenario", scenario.name, "--spec-version", version, "--output-dir", results)
				out, err := exec.CommandContext(t.Context(), node, args...).CombinedOutput()
				judge(t, results)
				if err != nil || t.Failed() {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}

//go:embed node20.mjs
var node20 []byte

// check is one line of the suite's report.
type check struct {
	ID, Name, Status, Description, ErrorMessage string
}

// judge reads the report that the suite has left. A warning is a fault here, as it is for the suite.
func judge(t *testing.T, results string) {
	t.Helper()
	count := map[string]int{}
	for _, c := range report(t, results) {
		count[c.Status]++
		switch c.Status {
		case "SUCCESS", "INFO", "SKIPPED":
		default:
			t.Errorf("%s: %s %s: %s %s", c.Status, c.ID, c.Name, c.Description, c.ErrorMessage)
		}
	}
	if count["SUCCESS"] == 0 {
		t.Error("no check succeeded")
	}
	t.Logf("%d succeeded, %d skipped, %d failed, %d warnings", count["SUCCESS"], count["SKIPPED"], count["FAILURE"], count["WARNING"])
}

func report(t *testing.T, results string) (checks []check) {
	t.Helper()
	err := filepath.WalkDir(results, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Name() != "checks.json" {
			return err
		}
		data, err := os.ReadFile(path)
		var some []check
		err = errors.Join(err, json.Unmarshal(data, &some))
		checks = append(checks, some...)
		return err
	})
	if err != nil || len(checks) == 0 {
		t.Fatalf("the suite left no report: %v", err)
	}
	return checks
}
