package live_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os/exec"
	"testing"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/live"
)

// The command that a person types, as the README shows it.
func TestCommandCallsEverything(t *testing.T) {
	mcperr := live.Build(t, "cmd/mcperr")
	each(t, everything, func(t *testing.T, w way) {
		var target, command []string
		if w.stdio {
			cmd, _ := w.server.Command(t)
			command = append([]string{"--"}, cmd.Args...)
		} else {
			target = []string{w.server.Start(t).URL}
		}
		for _, step := range []struct {
			tool, args string
			code       int
			kind       interpret.Kind
			action     string
		}{
			{"echo", `{"message":"hello"}`, 0, interpret.OK, "proceed"},
			{"get-sum", `{"a":1,"b":2}`, 0, interpret.OK, "proceed"},
			{"get-sum", `{"a":"one"}`, 1, interpret.ToolError, "surface"},
		} {
			args := append([]string{"call", "--json"}, target...)
			args = append(append(args, step.tool, step.args), command...)
			var stdout, stderr bytes.Buffer
			cmd := exec.CommandContext(limit(t), mcperr, args...)
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			err := cmd.Run()
			var exit *exec.ExitError
			if err != nil && !errors.As(err, &exit) {
				t.Fatal(err)
			}
			var answer struct {
				Kind     interpret.Kind `json:"kind"`
				Action   string         `json:"action"`
				Attempts []struct {
					Method string `json:"method"`
				} `json:"attempts"`
			}
			if err := json.Unmarshal(stdout.Bytes(), &answer); err != nil {
				t.Fatalf("%v: %s%s", err, &stdout, &stderr)
			}
			calls := 0 // beside them stand the attempts to connect
			for _, attempt := range answer.Attempts {
				if attempt.Method == "tools/call" {
					calls++
				}
			}
			if code := cmd.ProcessState.ExitCode(); code != step.code || answer.Kind != step.kind || answer.Action != step.action || calls != 1 {
				t.Errorf("%s %s: exit %d: %s%s", step.tool, step.args, code, &stdout, &stderr)
			}
		}
	})
}
