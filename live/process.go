package live

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/mcperr/mcperr/internal/tail"
	"github.com/mcperr/mcperr/live/internal/ledger"
)

// startTime bounds how long a server may take until it listens; a cold Python on a busy machine needs half a minute.
const startTime = 3 * time.Minute

// Command returns the command that starts a server on its standard input and output, not started yet, and its ledger.
func (s Server) Command(tb testing.TB) (*exec.Cmd, ledger.Ledger) {
	tb.Helper()
	book := ledger.Ledger(filepath.Join(tb.TempDir(), "ledger"))
	return s.command(tb, book), book
}

func (s Server) command(tb testing.TB, book ledger.Ledger, args ...string) *exec.Cmd {
	tb.Helper()
	var cmd *exec.Cmd
	switch s.runtime {
	case "go":
		cmd = exec.Command(Build(tb, "live/servers/"+s.program), args...)
	case "node":
		folder, node := Node(tb)
		scripts := unpack(tb, "node")
		if err := os.Symlink(filepath.Join(folder, "node_modules"), filepath.Join(scripts, "node_modules")); err != nil {
			tb.Fatal(err)
		}
		cmd = exec.Command(node, append([]string{filepath.Join(scripts, s.program)}, args...)...)
	case "python":
		program := python(tb)
		cmd = exec.Command(program, append([]string{"-B", filepath.Join(unpack(tb, "python"), s.program)}, args...)...)
	}
	cmd.Env = append(os.Environ(), ledger.Env+"="+string(book))
	return cmd
}

// Process is a server that serves HTTP on loopback. It ends with the test.
type Process struct {
	URL    string
	Ledger ledger.Ledger

	tb     testing.TB
	server Server
	cmd    *exec.Cmd
	stdin  io.Closer
	stderr *tail.Tail
}

// Start starts a server over HTTP and waits until it listens.
func (s Server) Start(tb testing.TB) *Process {
	tb.Helper()
	p := &Process{tb: tb, server: s, Ledger: ledger.Ledger(filepath.Join(tb.TempDir(), "ledger"))}
	p.start("0")
	tb.Cleanup(func() { p.Kill() })
	return p
}

// Kill ends the server at once, with whatever it runs. Its address refuses connections then, and [http.DefaultClient] keeps none to it:
// one that had not been seen to break yet would take a request, which may have run for all its client knows.
func (p *Process) Kill() {
	if p.cmd == nil {
		return // it is gone, and its number may be another's
	}
	p.stdin.Close()
	killGroup(p.cmd)
	p.cmd.Wait()
	p.cmd = nil
	http.DefaultClient.CloseIdleConnections()
	if p.tb.Failed() && p.stderr.String() != "" {
		p.tb.Logf("%s wrote to standard error:\n%s", p.server.Name, p.stderr)
	}
}

// Restart starts a server after Kill, the same or another, at the same address. The new process knows no session of the old one.
func (p *Process) Restart(as Server) {
	p.tb.Helper()
	p.server = as
	port := p.URL[strings.LastIndexByte(p.URL, ':')+1:]
	p.start(strings.TrimSuffix(port, "/mcp"))
}

func (p *Process) start(port string) {
	p.tb.Helper()
	cmd := p.server.command(p.tb, p.Ledger, append([]string{"http", port}, p.server.options...)...)
	p.cmd, p.stderr = cmd, new(tail.Tail)
	cmd.Stderr = p.stderr
	group(cmd)
	stdin, err := cmd.StdinPipe() // a server ends when this does: none outlives a test process that was killed
	if err != nil {
		p.tb.Fatal(err)
	}
	p.stdin = stdin
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		p.tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		p.tb.Fatal(err)
	}
	listening := make(chan string, 1)
	go func() {
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			if url, ok := strings.CutPrefix(lines.Text(), "listening on "); ok {
				listening <- url
			}
		}
		close(listening)
	}()
	select {
	case p.URL = <-listening:
	case <-time.After(startTime):
		p.URL = ""
	}
	if p.URL == "" {
		p.Kill()
		p.tb.Fatalf("%s does not listen:\n%s", p.server.Name, p.stderr)
	}
}
