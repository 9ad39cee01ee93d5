package client

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// busyChild is a client of a server that does one thing at a time; noted are the lines that it has read, and open lets what it is busy with come to its end.
func busyChild(t *testing.T) (c *Client, noted func() []string, open func()) {
	t.Helper()
	dir := t.TempDir()
	log, gate := filepath.Join(dir, "log"), filepath.Join(dir, "gate")
	if err := syscall.Mkfifo(gate, 0o600); err != nil {
		t.Fatal(err)
	}
	s := childOf("busy")
	s.Env = append(s.Env, childLog+"="+log, childGate+"="+gate)
	s.Grace = 100 * time.Millisecond
	c = dialChild(t, s, Options{})
	proceeds(t, c.Connect(within(t)))
	noted = func() []string {
		b, _ := os.ReadFile(log)
		return strings.Split(strings.TrimSpace(string(b)), "\n")
	}
	return c, noted, func() {
		f, err := os.OpenFile(gate, os.O_RDWR, 0)
		if err != nil {
			t.Error(err)
			return
		}
		t.Cleanup(func() { f.Close() })
	}
}

// occupy has the server at work on a call, and returns a function that waits for what becomes of it.
func occupy(ctx context.Context, c *Client, noted func() []string) (wait func() interpret.Kind) {
	kind := make(chan interpret.Kind, 1)
	go func() { kind <- c.CallTool(ctx, "wait", nil).Outcome.Kind }()
	for count(noted(), "tools/call") == 0 && ctx.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	return func() interpret.Kind { return <-kind }
}

// bulky is a call that no pipe has room for. It is given up once a part of it is out.
func bulky(t *testing.T, c *Client) {
	t.Helper()
	for d := 500 * time.Millisecond; d < 10*time.Second; d *= 2 {
		ctx, cancel := context.WithTimeout(t.Context(), d)
		a := c.CallTool(ctx, "act", map[string]string{"doc": strings.Repeat("x", 256<<10)})
		cancel()
		if f := a.Exchange.Failure; f != nil && f.Delivery == interpret.DeliveryNotSent {
			continue // a busy machine
		}
		if a.Outcome.Kind != interpret.Timeout || a.Outcome.Ran != interpret.RanUnknown {
			t.Fatalf("%v, ran %s", a.Err(), a.Outcome.Ran)
		}
		return
	}
	t.Fatal("no part of it went out")
}

// Who gives up while a line of theirs is half written costs nobody else anything: the server is busy, and reads the rest when it is not.
func TestStdioHalfALineIsBroughtToItsEnd(t *testing.T) {
	c, noted, open := busyChild(t)
	p := c.session.process
	p.restQuiet = 10 * time.Millisecond
	ended := occupy(within(t), c, noted)
	bulky(t, c)

	ctx, cancel := context.WithTimeout(t.Context(), 20*p.restQuiet)
	defer cancel()
	if a := c.CallTool(ctx, "act", nil); a.Outcome.Kind != interpret.Timeout || a.Outcome.Ran != interpret.RanNo {
		t.Errorf("behind the half line: %v, ran %s", a.Err(), a.Outcome.Ran)
	}
	open()
	if kind := ended(); kind != interpret.OK {
		t.Errorf("what the server was busy with: %s", kind)
	}
	proceeds(t, c.CallTool(within(t), "act", nil))
	c.Close()
	var read []string
	for _, l := range noted() {
		method, _, _ := strings.Cut(l, " ")
		read = append(read, method)
	}
	if got := strings.Join(read, " "); got != "server/discover tools/call tools/call notifications/cancelled tools/call" {
		t.Errorf("the server read %s", got)
	}
}

func TestStdioHalfALineEndsAProcessThatOwesNothing(t *testing.T) {
	c, noted, _ := busyChild(t)
	p := c.session.process
	p.restQuiet = 10 * time.Millisecond
	ctx, cancel := context.WithCancel(within(t))
	ended := occupy(ctx, c, noted)
	cancel()
	if kind := ended(); kind != interpret.Cancelled {
		t.Fatal(kind)
	}
	bulky(t, c)
	<-p.done
	proceeds(t, c.CallTool(within(t), "act", nil))
}

func TestStdioHalfALineHasABound(t *testing.T) {
	c, noted, _ := busyChild(t)
	p := c.session.process
	p.restQuiet, p.restMost = 10*time.Millisecond, 10*time.Millisecond
	ended := occupy(within(t), c, noted)
	bulky(t, c)
	<-p.done
	if kind := ended(); kind != interpret.ConnectionLost {
		t.Error(kind)
	}
}

func TestStdioHalfALineHoldsUpNoClose(t *testing.T) {
	c, noted, _ := busyChild(t)
	ended := occupy(within(t), c, noted)
	bulky(t, c)
	start := time.Now()
	c.Close()
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("Close took %s", d)
	}
	if kind := ended(); kind != interpret.Cancelled {
		t.Error(kind)
	}
}
