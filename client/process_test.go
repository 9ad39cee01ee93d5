package client

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/mcperr/mcperr/internal/tail"
	"github.com/mcperr/mcperr/interpret"
)

// child starts one of the children as a process that is ended with the test.
func child(t *testing.T, name string, receive func(interpret.Message)) *process {
	t.Helper()
	if receive == nil {
		receive = func(interpret.Message) {}
	}
	p, err := start(childOf(name), 16<<20, receive)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.end(50 * time.Millisecond) })
	return p
}

func childOf(name string) Stdio {
	exe, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return Stdio{Command: exe, Env: append(os.Environ(), childVar+"="+name, "GORACE=atexit_sleep_ms=0")}
}

func ask(t *testing.T, p *process, id string) interpret.Exchange {
	t.Helper()
	return askWithin(t, p, id, 20*time.Second)
}

func askWithin(t *testing.T, p *process, id string, d time.Duration) interpret.Exchange {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), d)
	defer cancel()
	req := interpret.Request{Transport: interpret.Stdio, Method: "ping", ID: id}
	return p.exchange(ctx, req, []byte(`{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`))
}

// givenUp is what comes of a request that nobody answers, once a part of it is out at least.
func givenUp(t *testing.T, p *process, line string) (x interpret.Exchange) {
	t.Helper()
	for d := 500 * time.Millisecond; d < 10*time.Second; d *= 2 {
		ctx, cancel := context.WithTimeout(t.Context(), d)
		x = p.exchange(ctx, interpret.Request{Transport: interpret.Stdio, Method: "tools/call", ID: "1"}, []byte(line))
		cancel()
		if x.Failure == nil || x.Failure.Delivery != interpret.DeliveryNotSent { // else a busy machine
			break
		}
	}
	return x
}

func lines(x interpret.Exchange) []string {
	var s []string
	for _, l := range x.Lines {
		s = append(s, string(l))
	}
	return s
}

func TestProcessAnswers(t *testing.T) {
	p := child(t, "echo", nil)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			id := strconv.Itoa(i + 1)
			x := ask(t, p, id)
			if got := lines(x); x.Failure != nil || len(got) != 1 || !strings.Contains(got[0], `"id":`+id+`,`) {
				t.Errorf("request %s: %q, %+v", id, got, x.Failure)
			}
		})
	}
	wg.Wait()
}

func TestProcessKeepsNoiseBesideTheAnswer(t *testing.T) {
	var heard []string
	var mu sync.Mutex
	p := child(t, "noisy", func(m interpret.Message) { mu.Lock(); heard = append(heard, m.Method); mu.Unlock() })
	x := ask(t, p, "1")
	got := lines(x)
	if x.Failure != nil || len(got) == 0 || got[len(got)-1] != `{"jsonrpc":"2.0","id":1,"result":{}}` {
		t.Fatalf("%q, %+v", got, x.Failure)
	}
	for _, l := range got[:len(got)-1] {
		if !strings.HasPrefix(l, "debug") && !strings.HasPrefix(l, "Server") {
			t.Errorf("noise has %q", l)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if len(heard) != 1 || heard[0] != "notifications/message" {
		t.Errorf("heard %q", heard)
	}
	p.mu.Lock() // it goes on talking
	defer p.mu.Unlock()
	if p.junk < 2 {
		t.Errorf("%d junk lines counted", p.junk)
	}
}

func TestProcessDropsTheAnswerToACancelledRequest(t *testing.T) {
	for kind, stray := range map[string]int{"late": 0, "lateAnon": 1} {
		ctx, cancel := context.WithCancel(t.Context())
		p := child(t, kind, func(interpret.Message) { cancel() }) // once the child says that it has the request
		req := interpret.Request{Transport: interpret.Stdio, Method: "tools/call", ID: "1"}
		x := p.exchange(ctx, req, []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`))
		if x.Failure == nil || x.Failure.What != interpret.FailedCancelled || x.Failure.Delivery != interpret.DeliveryAnswering {
			t.Fatalf("%s: %+v", kind, x.Failure)
		}
		p.takeBack(t.Context(), req)
		x = ask(t, p, "2")
		if got := lines(x); len(got) != stray+1 || !strings.Contains(got[stray], `"late":false`) || interpret.Reply(x).Kind != interpret.OK {
			t.Errorf("%s: the next request drew %q", kind, got)
		}
		if len(p.owed) != 0 {
			t.Errorf("%s: %v is still waited for", kind, p.owed)
		}
	}
}

func TestProcessErrorWithoutIDAnswersTheOnlyRequest(t *testing.T) {
	p := child(t, "anonymous", nil)
	if x := ask(t, p, "1"); x.Failure != nil || len(x.Lines) != 1 || x.Request.InFlight != 0 {
		t.Errorf("alone: %q, %+v", lines(x), x.Failure)
	}
	p.mu.Lock()
	p.owed["0"] = time.Now().Add(-owedFor) // long ago
	p.mu.Unlock()
	if x := ask(t, p, "1"); x.Failure != nil || len(p.owed) != 0 {
		t.Errorf("after one that was never answered: %q, %+v", lines(x), x.Failure)
	}
	var wg sync.WaitGroup
	for _, id := range []string{"2", "3"} {
		wg.Go(func() {
			if x := askWithin(t, p, id, 200*time.Millisecond); x.Failure == nil && x.Request.InFlight > 0 {
				t.Errorf("request %s of two took an answer that names none: %q", id, lines(x))
			}
		})
	}
	wg.Wait()
}

func TestProcessFloodOfStandardError(t *testing.T) {
	p := child(t, "flood", nil)
	if x := ask(t, p, "1"); x.Failure != nil {
		t.Fatalf("%+v", x.Failure)
	}
	p.end(time.Second)
	if kept := p.exit.Stderr; len(kept) != tail.Size || !strings.HasSuffix(string(kept), "the end") {
		t.Errorf("%d bytes kept, ending %q", len(kept), kept[max(0, len(kept)-10):])
	}
}

func TestProcessExit(t *testing.T) {
	for name, code := range map[string]int{"exit3": 3, "exit0": 0} {
		p := child(t, name, nil)
		x := ask(t, p, "1")
		if x.Failure == nil || x.Failure.What != interpret.FailedExited || x.Failure.ExitCode == nil || *x.Failure.ExitCode != code ||
			x.Failure.Delivery != interpret.DeliveryWritten {
			t.Errorf("%s: %+v", name, x.Failure)
			continue
		}
		var exit *ExitError
		if !errors.As(x.Failure.Err, &exit) || strings.Contains(exit.Error(), "secret") {
			t.Errorf("%s: error %v", name, x.Failure.Err)
		}
		if code == 3 && !strings.Contains(string(exit.Stderr), "secret on the way out") {
			t.Errorf("the tail is %q", exit.Stderr)
		}
		if x := ask(t, p, "2"); x.Failure == nil || x.Failure.Delivery != interpret.DeliveryNotSent || x.Failure.What != interpret.FailedExited {
			t.Errorf("%s: after the end: %+v", name, x.Failure)
		}
	}
}

func TestProcessDeadline(t *testing.T) {
	p := child(t, "mute", nil)
	x := givenUp(t, p, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if x.Failure == nil || x.Failure.What != interpret.FailedTimeout || x.Failure.Delivery != interpret.DeliveryWritten {
		t.Errorf("%+v", x.Failure)
	}
}

func TestProcessThatDoesNotRead(t *testing.T) {
	p := child(t, "deaf", nil)
	x := givenUp(t, p, `{"x":"`+strings.Repeat("x", 1<<20)+`"}`) // more than the pipe holds
	if x.Failure == nil || x.Failure.What != interpret.FailedTimeout || x.Failure.Delivery != interpret.DeliveryWritten {
		t.Fatalf("%+v", x.Failure)
	}
	<-p.done // half a line is on its way, and nothing that it could be busy with
}

func TestProcessThatClosesItsOutput(t *testing.T) {
	p := child(t, "closes", nil)
	if x := ask(t, p, "1"); x.Failure == nil || x.Failure.What != interpret.FailedExited {
		t.Errorf("%+v", x.Failure)
	}
}

func TestProcessEnd(t *testing.T) {
	p := child(t, "stubborn", nil)
	x := ask(t, p, "1")
	if x.Failure != nil {
		t.Fatal(x.Failure)
	}
	p.end(50 * time.Millisecond)
	if err := syscall.Kill(p.cmd.Process.Pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("it is still there: %v", err)
	}
	if p.exit.Code != -1 {
		t.Errorf("ended with code %d", p.exit.Code)
	}
}

// What a process has started ends with it, unless it has left the process group.
func TestProcessEndsItsGrandchild(t *testing.T) {
	for name, leaves := range map[string]bool{"parent": false, "daemon": true} {
		p := child(t, name, nil)
		x := ask(t, p, "1")
		if x.Failure != nil {
			t.Fatal(x.Failure)
		}
		_, after, _ := strings.Cut(string(x.Lines[0]), `"result":`)
		pid, err := strconv.Atoi(strings.TrimSuffix(after, "}"))
		if err != nil {
			t.Fatal(err)
		}
		p.end(50 * time.Millisecond)
		if leaves {
			if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
				t.Errorf("%s: grandchild %d: %v", name, pid, err)
			}
		}
		if !gone(pid) {
			t.Errorf("%s: grandchild %d lives", name, pid)
		}
	}
}

// gone reports whether a process is no more, or a zombie that only waits for its new parent.
func gone(pid int) bool {
	for range 2000 {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

func TestProcessLineOverTheLimit(t *testing.T) {
	p, err := start(childOf("long"), 1<<10, func(interpret.Message) {})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.end(50 * time.Millisecond) })
	if x := ask(t, p, "1"); !x.Truncated || x.Failure != nil || len(x.Lines) != 0 {
		t.Errorf("truncated %v, %d lines, %+v", x.Truncated, len(x.Lines), x.Failure)
	}
}
