package gosdk_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcperr/mcperr/client/gosdk"
	"github.com/mcperr/mcperr/interpret"
)

// parent has this test binary be a server that starts another process, whose id is the name of its tool. Its value says more of them:
// "escapes", the other process leaves its group; "stays", the server ends for nothing but a kill. As "sleeps" it is the other process.
const parent = "GOSDK_PARENT"

func init() {
	does, ok := os.LookupEnv(parent)
	switch {
	case !ok:
		return
	case does == "sleeps":
		for {
			time.Sleep(time.Hour)
		}
	}
	other := exec.Command(os.Args[0])
	other.Env = append(os.Environ(), parent+"=sleeps")
	other.Stdout, other.Stderr = os.Stdout, os.Stderr
	other.SysProcAttr = &syscall.SysProcAttr{Setsid: does == "escapes"}
	if err := other.Start(); err != nil {
		panic(err)
	}
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		json.Unmarshal(lines.Bytes(), &m)
		said := older(m.Method)
		switch {
		case m.ID == nil:
			continue
		case m.Method == "tools/call":
			os.Exit(3)
		case m.Method == "tools/list":
			said = `{"jsonrpc":"2.0","id":$ID,"result":{"tools":[{"name":"` + strconv.Itoa(other.Process.Pid) + `","inputSchema":{"type":"object"}}]}}`
		}
		os.Stdout.WriteString(strings.ReplaceAll(said, "$ID", string(m.ID)) + "\n")
	}
	if does == "stays" {
		signal.Ignore(syscall.SIGTERM)
		select {}
	}
	os.Exit(0)
}

// withOther opens a session with such a server, whose standard error is read by us, and returns the id of the other process, which ends with the
// test at the latest.
func withOther(t *testing.T, does string) (s *gosdk.Session, pid int) {
	t.Helper()
	s = dial(t, gosdk.Stdio{Grace: 100 * time.Millisecond, Command: func() *exec.Cmd {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), parent+"="+does, "GORACE=atexit_sleep_ms=0")
		cmd.Stderr = new(bytes.Buffer)
		return cmd
	}}.Dialer())
	r, a := s.ListTools(t.Context(), nil)
	if a.Err() != nil {
		t.Fatal(a.Err())
	}
	pid, err := strconv.Atoi(r.Tools[0].Name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Kill(pid, syscall.SIGKILL) })
	return s, pid
}

func TestCloseEndsAProcessWithWhatItHasStarted(t *testing.T) {
	for _, does := range []string{"", "stays"} {
		s, pid := withOther(t, does)
		s.Close()
		if !gone(pid, 20*time.Second) {
			t.Errorf("%q: process %d lives", does, pid)
		}
	}
}

// TestCloseWaitsForNobodyElse: a process that has left the group holds standard output and error open for as long as it likes.
func TestCloseWaitsForNobodyElse(t *testing.T) {
	s, pid := withOther(t, "escapes")
	s.Close()
	if gone(pid, 500*time.Millisecond) {
		t.Error("it did not escape")
	}
}

// TestCallEndsWithItsProcess, whoever holds its standard output open.
func TestCallEndsWithItsProcess(t *testing.T) {
	for _, does := range []string{"", "escapes"} {
		s, _ := withOther(t, does)
		_, a := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "exit"}) // without a deadline
		if a.Outcome.Kind != interpret.ConnectionLost || a.Outcome.Ran != interpret.RanUnknown {
			t.Errorf("%q: %v", does, a.Err())
		}
		s.Close()
	}
}

// gone reports whether a process is no more by then, or a zombie that only waits for its new parent.
func gone(pid int, most time.Duration) bool {
	for range most / (10 * time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}
