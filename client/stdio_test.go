package client

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcperr/mcperr/internal/stdio"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// mcpChild returns a stdio server of one era, and a function that reads what its processes noted.
func mcpChild(t *testing.T, env ...string) (Stdio, func() []string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "log")
	s := childOf("mcp")
	s.Env = append(append(s.Env, childLog+"="+log), env...)
	s.Grace = 20 * time.Second // on a busy machine it takes a while to note its end
	return s, func() []string {
		b, _ := os.ReadFile(log)
		return strings.Split(strings.TrimSpace(string(b)), "\n")
	}
}

func dialChild(t *testing.T, s Stdio, opts Options) *Client {
	t.Helper()
	if opts.Policy == nil {
		opts.Policy = quickly()
	}
	c, err := New(s, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c
}

func count(lines []string, what string) (n int) {
	for _, l := range lines {
		if l == what || strings.HasPrefix(l, what+" ") {
			n++
		}
	}
	return n
}

func TestStdioModern(t *testing.T) {
	s, noted := mcpChild(t, childEra+"=modern")
	c := dialChild(t, s, Options{})
	proceeds(t, c.CallTool(within(t), "act", nil))
	c.Close()
	if got := strings.Join(noted(), ", "); got != "start, server/discover 1, tools/call 2, run, whole, end" {
		t.Errorf("the server noted %s", got)
	}
}

func TestStdioMessageIsOneLine(t *testing.T) {
	s, _ := mcpChild(t, childEra+"=modern")
	c := dialChild(t, s, Options{})
	proceeds(t, c.Call(within(t), "tools/call", json.RawMessage("{\n  \"name\": \"act\",\r\n  \"arguments\": {}\n}")))
}

// A change of era takes a fresh process, whatever an older server does at the probe.
func TestStdioLegacy(t *testing.T) {
	for probe, want := range map[string]string{
		"":        "start, server/discover 1, end, start, initialize 2, notifications/initialized , tools/call 3, run, whole, end",
		"silence": "start, server/discover 1, end, start, initialize 2, notifications/initialized , tools/call 3, run, whole, end",
		"exit":    "start, server/discover 1, start, initialize 2, notifications/initialized , tools/call 3, run, whole, end",
	} {
		s, noted := mcpChild(t, childEra+"=legacy", childProbe+"="+probe)
		if probe == "silence" {
			s.Probe = 300 * time.Millisecond
		}
		c := dialChild(t, s, Options{})
		proceeds(t, c.CallTool(within(t), "act", nil))
		c.Close()
		if got := strings.Join(noted(), ", "); got != want {
			t.Errorf("probe %q: the server noted %s", probe, got)
		}
	}
}

func TestStdioProcessIsStartedAgain(t *testing.T) {
	s, noted := mcpChild(t, childEra+"=legacy")
	c := dialChild(t, s, Options{})
	proceeds(t, c.CallTool(within(t), "act", nil))
	if p, ok := c.Process(); !ok || p.PID != c.session.process.cmd.Process.Pid || p.Started.IsZero() {
		t.Errorf("%+v", p)
	}
	old := c.session.process
	stdio.Kill(old.cmd)
	<-old.done
	proceeds(t, c.CallTool(within(t), "act", nil))
	if n := count(noted(), "run"); n != 2 {
		t.Errorf("%d executions", n)
	}
	seen := make(map[string]bool)
	for _, l := range noted() {
		if _, id, ok := strings.Cut(l, " "); ok && id != "" {
			if seen[id] {
				t.Errorf("id %s was used twice", id)
			}
			seen[id] = true
		}
	}
}

func TestStdioProcessThatEndsTwiceEndsTheCall(t *testing.T) {
	s, noted := mcpChild(t, childEra+"=modern", childFault+"="+string(exitAfter))
	c := dialChild(t, s, Options{Vouch: []string{"act"}})
	a := c.CallTool(within(t), "act", nil)
	var exit *ExitError
	if !errors.Is(a.Err(), errTwice) || !errors.As(a.Err(), &exit) || exit.Code != 1 || a.Decision.Action != retry.Surface {
		t.Errorf("%v %v", a.Decision, a.Err())
	}
	nobodyGaveUp(t, a)
	if n := count(noted(), "run"); n != 2 {
		t.Errorf("%d executions", n)
	}
}

func TestStdioProcessThatDiesAtBirthIsNotStartedAgain(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "log")
	s := Stdio{Command: exe, Env: append(os.Environ(), childVar+"=stillborn", childLog+"="+log)}
	c := dialChild(t, s, Options{Protocol: []string{interpret.Version20251125}})
	c.link.(*stdioLink).young = time.Hour // on a busy machine a birth takes its time
	a := c.CallTool(within(t), "act", nil)
	var exit *ExitError
	if a.Outcome.Kind == interpret.OK || !errors.As(a.Err(), &exit) || exit.Code != 7 || !strings.Contains(string(exit.Stderr), "no config") {
		t.Errorf("%v %v", a.Decision, a.Err())
	}
	nobodyGaveUp(t, a)
	if f := a.Exchange.Failure; f == nil || f.ExitCode == nil || *f.ExitCode != 7 {
		t.Errorf("%+v", f)
	}
	if strings.Contains(a.Err().Error()+a.ForModel(), "no config") {
		t.Error("the process's own words reach the error or the model")
	}
	b, _ := os.ReadFile(log)
	if n := strings.Count(string(b), "start"); n != 1 {
		t.Errorf("started %d times", n)
	}
}

// A process that takes its time to die is not stillborn, and the opening of a session is a request like any other.
func TestStdioProcessThatEndsTwiceOnTheOpeningEndsTheCall(t *testing.T) {
	for _, c := range []struct {
		protocol []string
		want     string
	}{
		{nil, "start, server/discover, start, initialize, start, initialize"}, // the first end is the answer to the probe
		{[]string{interpret.Version20251125}, "start, initialize, start, initialize"},
	} {
		log := filepath.Join(t.TempDir(), "log")
		s := childOf("leaver")
		s.Env = append(s.Env, childLog+"="+log)
		dialled := dialChild(t, s, Options{Protocol: c.protocol})
		dialled.link.(*stdioLink).young = 0 // each of them has lived longer
		a := dialled.CallTool(within(t), "act", nil)
		exit, _ := errors.AsType[*ExitError](a.Err())
		if !errors.Is(a.Err(), errTwice) || exit == nil || exit.Code != 5 || a.Outcome.Kind != interpret.ConnectionLost || a.Decision.Action != retry.Abort {
			t.Errorf("%v %v", a.Decision, a.Err())
		}
		nobodyGaveUp(t, a)
		b, _ := os.ReadFile(log)
		if got := strings.Join(strings.Fields(string(b)), ", "); got != c.want {
			t.Errorf("the processes noted %s, want %s", got, c.want)
		}
	}
}

// nobodyGaveUp checks the reason of a call that was ended because nothing could come of another attempt.
func nobodyGaveUp(t *testing.T, a *retry.Answer) {
	t.Helper()
	err := a.Err()
	if a.Decision.Stop != retry.StopFinal || !errors.Is(err, retry.StopFinal) || errors.Is(err, retry.StopContext) || errors.Is(err, context.Canceled) ||
		strings.Contains(err.Error(), "gave up") {
		t.Errorf("stop %q: %v", a.Decision.Stop, err)
	}
}

func TestStdioCommandThatIsNotThere(t *testing.T) {
	c := dialChild(t, Stdio{Command: "/nonexistent/server"}, Options{})
	a := c.CallTool(within(t), "act", nil)
	if !errors.Is(a.Err(), os.ErrNotExist) || a.Outcome.Ran != interpret.RanNo || len(a.Attempts) != 1 {
		t.Errorf("%v, %d attempts", a.Err(), len(a.Attempts))
	}
	nobodyGaveUp(t, a)
}

func TestStdioCancel(t *testing.T) {
	s, noted := mcpChild(t, childEra+"=modern", childFault+"="+string(silence))
	c := dialChild(t, s, Options{Vouch: []string{"act"}})
	proceeds(t, c.Connect(within(t)))
	ctx, cancel := context.WithCancel(within(t))
	go func() {
		for count(noted(), "tools/call") == 0 && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	a := c.CallTool(ctx, "act", nil)
	if a.Outcome.Kind != interpret.Cancelled || len(a.Attempts) != 1 {
		t.Errorf("%v, %d attempts", a.Outcome.Kind, len(a.Attempts))
	}
	c.Close()
	if n := count(noted(), "notifications/cancelled"); n != 1 {
		t.Errorf("taken back %d times", n)
	}
}

// Who gives up does not wait until the pipe takes the word of it.
func TestStdioCancelWithAFullPipe(t *testing.T) {
	s, noted := mcpChild(t, childEra+"=modern", childFault+"="+string(silence))
	c := dialChild(t, s, Options{})
	proceeds(t, c.Connect(within(t)))
	pipe := c.session.process.writing
	ctx, cancel := context.WithCancel(within(t))
	go func() {
		for count(noted(), "tools/call") == 0 && ctx.Err() == nil {
			time.Sleep(time.Millisecond)
		}
		pipe <- struct{}{}
		cancel()
	}()
	if a := c.CallTool(ctx, "act", nil); a.Outcome.Kind != interpret.Cancelled {
		t.Errorf("%v", a.Outcome.Kind)
	}
	<-pipe
	c.Close()
	if n := count(noted(), "notifications/cancelled"); n != 1 {
		t.Errorf("taken back %d times", n)
	}
}

func TestStdioFaultMatrix(t *testing.T) {
	var mu sync.Mutex
	var work sync.WaitGroup
	turns := make(chan struct{}, 4)
	tallies := make(map[point]*tally)
	for _, at := range childPoints {
		tallies[at] = new(tally)
	}
	for _, at := range childPoints {
		for n, reply := range firstReplies {
			if reply.status != 200 || !strings.HasPrefix(reply.body, "{") {
				continue
			}
			for _, c := range []faultCase{{at, reply, true, false}, {at, reply, true, true}, {at, reply, false, false}, {at, reply, false, true}} {
				if reply.modern && !c.modern {
					continue
				}
				turns <- struct{}{}
				work.Go(func() {
					defer func() { <-turns }()
					got, ok := c.playChild(t, n)
					mu.Lock()
					defer mu.Unlock()
					if ok {
						tallies[at].judge(t, c, got)
					}
				})
			}
		}
	}
	work.Wait()
	t.Logf("%-24s %s", "point", tallyHead)
	for _, at := range childPoints {
		t.Logf("%-24s %s", at, tallies[at].row())
	}
}

func (c faultCase) playChild(t *testing.T, n int) (got played, ok bool) {
	armed := filepath.Join(t.TempDir(), "armed")
	if err := os.WriteFile(armed, nil, 0o600); err != nil {
		t.Error(err)
		return got, false
	}
	era := "legacy"
	if c.modern {
		era = "modern"
	}
	s, noted := mcpChild(t, childEra+"="+era, childFault+"="+string(c.at), childReply+"="+strconv.Itoa(n), childArmed+"="+armed)
	opts := Options{Policy: quickly(), Protocol: []string{interpret.Version20251125}}
	if c.modern {
		opts.Protocol = nil
	}
	if c.repeatable {
		opts.Vouch = []string{"act"}
	}
	client, err := New(s, opts)
	if err != nil {
		t.Error(err)
		return got, false
	}
	defer client.Close()
	if a := client.Connect(within(t)); a.Err() != nil {
		t.Errorf("%s: connect: %+v", c, a.Err())
		return got, false
	}
	client.opts.Timeout, client.opts.Observer = c.timeout(), unhurried{client}
	ending := client.session.process
	start := time.Now()
	got.answer = client.CallTool(within(t), "act", nil)
	got.took = time.Since(start)
	lines := noted()
	got.ran, got.whole, got.said = count(lines, "run"), count(lines, "whole"), count(lines, "said") > 0
	os.Remove(armed)
	client.opts.Timeout, client.opts.Observer = 0, nil
	if c.at == exitDone { // a call that slips in before the end is seen may have been read: its outcome would be unknown
		<-ending.eof
	}
	got.next = client.CallTool(within(t), "act", nil)
	return got, true
}
