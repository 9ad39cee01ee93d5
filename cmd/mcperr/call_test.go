package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// callRole makes this binary play a part of the tests: "main" is the command itself, "server" a stdio server, "dying" one that ends at once.
const callRole = "MCPERR_CALL_ROLE"

func init() {
	switch os.Getenv(callRole) {
	case "main":
		os.Setenv(callRole, "server") // what it starts
		os.Exit(run(newEnv(), os.Args[1:]))
	case "dying":
		fmt.Fprint(os.Stderr, os.Getenv(callDying))
		os.Exit(3)
	case "server":
		callServer()
		os.Exit(0)
	}
}

// callServer is a server of 2026-07-28 on standard input and output. Its tool "stay" never answers; what it hears goes to a file.
func callServer() {
	log, err := os.OpenFile(os.Getenv("MCPERR_CALL_LOG"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		os.Exit(9)
	}
	fmt.Fprintf(log, "pid %d\n", os.Getpid())
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var m rpcMessage
		json.Unmarshal(in.Bytes(), &m)
		fmt.Fprintln(log, m.Method)
		if m.ID != nil && m.Params.Name != "stay" {
			fmt.Println(m.good())
		}
	}
	fmt.Fprintln(log, "end")
}

type rpcMessage struct {
	ID     json.RawMessage
	Method string
	Params struct {
		Name string
		Meta map[string]any `json:"_meta"`
	}
}

func (m rpcMessage) good() string {
	result := `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`
	if m.Method == "tools/call" {
		result = `{"resultType":"complete","content":[{"type":"text","text":"done \u001b[31m\u202e"}]}`
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
}

// callHTTP is a server whose tool draws the replies in turn, the last one for ever; "" is the good one.
func callHTTP(t *testing.T, replies ...func(w http.ResponseWriter, id string)) string {
	calls := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m rpcMessage
		b, _ := io.ReadAll(r.Body)
		json.Unmarshal(b, &m)
		if m.Method == "tools/call" {
			calls++
			if reply := replies[min(calls, len(replies))-1]; reply != nil {
				reply(w, string(m.ID))
				return
			}
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, m.good())
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func rpcReply(body string) func(http.ResponseWriter, string) {
	return func(w http.ResponseWriter, id string) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,%s}`, id, body)
	}
}

func statusReply(status int, header ...string) func(http.ResponseWriter, string) {
	return func(w http.ResponseWriter, id string) {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(status)
	}
}

func quickPolicy(t *testing.T) string {
	return temp(t, "policy.json", `{"firstDelay":"1ms","topDelay":"2ms"}`)
}

func TestCallEndsWithTheActionsExitCode(t *testing.T) {
	for name, c := range map[string]struct {
		reply  func(http.ResponseWriter, string)
		code   int
		stdout string
		stderr string
	}{
		"result":  {nil, 0, `"text":"done \u001b[31m\u202e"`, "tools/call act  ok"},
		"surface": {rpcReply(`"result":{"resultType":"complete","isError":true,"content":[{"type":"text","text":"no such city"}]}`), 1, "no such city", "surface"},
		"ask":     {statusReply(401, "WWW-Authenticate", `Bearer scope="a b"`), 2, "", "scopes: a b"},
		"abort":   {statusReply(403), 3, "", "forbidden, HTTP 403"},
	} {
		code, stdout, stderr := mcperr(t, "", "call", "--policy", quickPolicy(t), callHTTP(t, c.reply), "act", `{"city":"x"}`)
		if code != c.code || !strings.Contains(stdout, c.stdout) || !strings.Contains(stderr, c.stderr) {
			t.Errorf("%s: exit %d\n%s\n%s", name, code, stdout, stderr)
		}
		if strings.ContainsAny(stdout+stderr, "\x1b\u202e") {
			t.Errorf("%s: control characters reach the terminal", name)
		}
	}
}

func TestCallResendsWhatIsVouchedFor(t *testing.T) {
	for _, vouch := range []bool{false, true} {
		args := []string{"call", "--json", "--policy", quickPolicy(t)}
		if vouch {
			args = append(args, "--vouch", "act")
		}
		code, stdout, stderr := mcperr(t, "", append(args, callHTTP(t, statusReply(503), nil), "act")...)
		var got struct {
			Kind, Action, Ran, Model string
			Result                   json.RawMessage
			Fault                    *struct{ Status int }
			Attempts                 []struct {
				Method, Kind, Action string
				Status               int
				TookMs, WaitedMs     *int
			}
		}
		if err := json.Unmarshal([]byte(stdout), &got); err != nil {
			t.Fatalf("%v: %s", err, stdout)
		}
		if !vouch && (code != 1 || got.Kind != "unavailable" || got.Ran != "unknown" || got.Fault == nil || got.Fault.Status != 503 || got.Model == "" || len(got.Attempts) != 2) {
			t.Errorf("not vouched: exit %d, %s", code, stdout)
		}
		if vouch && (code != 0 || got.Kind != "ok" || got.Result == nil || got.Fault != nil || len(got.Attempts) != 3 || got.Attempts[1].Kind != "unavailable" || got.Attempts[1].WaitedMs == nil) {
			t.Errorf("vouched: exit %d, %s", code, stdout)
		}
		if vouch && !strings.Contains(stderr, "waiting") {
			t.Errorf("the wait is not told: %s", stderr)
		}
	}
}

func TestCallWrongUse(t *testing.T) {
	for _, args := range [][]string{
		{}, {"act"}, {"ftp://127.0.0.1/", "act"}, {"http://127.0.0.1:1/"}, {"http://127.0.0.1:1/", "act", "[1]"}, {"http://127.0.0.1:1/", "act", "{", "x"},
		{"act", "--"}, {"--", "cat"}, {"--header", "a:b", "act", "--", "cat"}, {"--version", "1999-01-01", "http://127.0.0.1:1/", "act"},
		{"--timeout", "0s", "http://127.0.0.1:1/", "act"}, {"--nope"},
	} {
		if code, _, stderr := mcperr(t, "", append([]string{"call"}, args...)...); code != exitUsage || stderr == "" {
			t.Errorf("%q: exit %d, %s", args, code, stderr)
		}
	}
}

// self returns a command that is mcperr, as a process of its own.
func self(t *testing.T, log string, args ...string) *exec.Cmd {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, append([]string{"call"}, append(args, "--", exe)...)...)
	cmd.Env = append(os.Environ(), callRole+"=main", "MCPERR_CALL_LOG="+log, "GORACE=atexit_sleep_ms=0")
	return cmd
}

func TestCallOverStdio(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	out, err := self(t, log, "act", `{"a":1}`).Output()
	if err != nil || !bytes.Contains(out, []byte(`"text":"done`)) {
		t.Errorf("%v: %s", err, out)
	}
	heard, _ := os.ReadFile(log)
	if _, after, _ := strings.Cut(string(heard), "\n"); after != "server/discover\ntools/call\nend\n" {
		t.Errorf("the server heard %q", heard)
	}
}

func TestInterruptTakesTheCallBackAndEndsTheServer(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	cmd := self(t, log, "stay")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	heard := func(what string) bool {
		b, _ := os.ReadFile(log)
		return strings.Contains(string(b), what)
	}
	for deadline := time.Now().Add(20 * time.Second); !heard("tools/call"); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			cmd.Process.Kill()
			t.Fatal("the call was not made")
		}
	}
	cmd.Process.Signal(os.Interrupt)
	err := cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != 3 || !heard("notifications/cancelled\nend\n") {
		t.Errorf("%v: %s", err, stderr.String())
	}
	b, _ := os.ReadFile(log)
	var pid int
	fmt.Sscanf(string(b), "pid %d", &pid)
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the server lives: %v", err)
	}
}
