package client

import (
	"bytes"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

type writes func([]byte) (int, error)

func (w writes) Write(p []byte) (int, error) { return w(p) }

// talker is a client of a real process that writes to its standard error.
func talker(t *testing.T, to writes, env ...string) *Client {
	s := childOf("talker")
	s.Env, s.Stderr, s.Grace = append(append(s.Env, childEra+"=modern"), env...), to, 20*time.Second
	return dialChild(t, s, Options{})
}

func TestStderrIsHandedOnAsItComes(t *testing.T) {
	var all bytes.Buffer
	heard := make(chan struct{})
	c := talker(t, func(p []byte) (int, error) {
		if all.Len() == 0 {
			defer close(heard)
		} else {
			time.Sleep(30 * time.Millisecond) // it is slow
		}
		return all.Write(p)
	})
	c.link.(*stdioLink).words = time.Minute
	proceeds(t, c.CallTool(within(t), "act", nil))
	<-heard // while it runs
	c.Close()
	if all.String() != "hello\nbye" {
		t.Errorf("%q", all.String())
	}
	if p, _ := c.Process(); string(p.Stderr) != "hello\nbye" {
		t.Errorf("%q was kept", p.Stderr)
	}
}

func TestStderrOfAllProcessesGoesToOneWriterAtATime(t *testing.T) {
	var busy atomic.Int32
	var all bytes.Buffer
	c := talker(t, func(p []byte) (int, error) {
		if busy.Add(1) != 1 {
			t.Error("two writes at the same time")
		}
		defer busy.Add(-1)
		return all.Write(p)
	})
	c.link.(*stdioLink).words = time.Minute
	for range 2 {
		proceeds(t, c.CallTool(within(t), "act", nil))
		c.replace(c.session, c.plan, c.plan, false)
	}
	c.Close()
	if s := all.String(); strings.Count(s, "hello\n") != 2 || strings.Count(s, "bye") != 2 {
		t.Errorf("%q", s)
	}
}

// Neither a writer that blocks nor one that fails holds the process up, or fills the memory.
func TestStderrHoldsNothingUp(t *testing.T) {
	free := make(chan struct{})
	defer close(free)
	var calls atomic.Int32
	for name, w := range map[string]writes{
		"blocks": func(p []byte) (int, error) { calls.Add(1); <-free; return len(p), nil },
		"fails":  func([]byte) (int, error) { calls.Add(1); return 0, errors.New("the disk is full") },
	} {
		calls.Store(0)
		c := talker(t, w, childTalk+"=much")
		proceeds(t, c.CallTool(within(t), "act", nil))
		r := c.link.(*stdioLink).stderr
		r.mu.Lock()
		if n := cap(r.waiting); n > 2*relayed {
			t.Errorf("%s: %d bytes wait", name, n)
		}
		r.mu.Unlock()
		closes(t, c, 0)
		if p, _ := c.Process(); !strings.HasSuffix(string(p.Stderr), "e\nbye") {
			t.Errorf("%s: not the end was kept", name)
		}
		if n := calls.Load(); n != 1 {
			t.Errorf("%s: %d writes", name, n)
		}
	}
}

func TestRelayLeavesOutWhatIsTooMuch(t *testing.T) {
	taken, free := make(chan int, 8), make(chan struct{})
	r := &relay{to: writes(func(p []byte) (int, error) { taken <- len(p); <-free; return len(p), nil })}
	r.Write([]byte("first"))
	if n := <-taken; n != len("first") {
		t.Errorf("%d bytes", n)
	}
	for range 100 {
		if n, err := r.Write(make([]byte, 10<<10)); n != 10<<10 || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	r.settle(time.Millisecond) // does not wait for what does not come
	close(free)
	if n := <-taken; n != relayed {
		t.Errorf("%d bytes, want %d", n, relayed)
	}
	r.settle(time.Minute)
	if len(taken) != 0 || len(r.waiting) != 0 {
		t.Error("there is more")
	}
	r.Write([]byte("again"))
	if n := <-taken; n != len("again") {
		t.Errorf("%d bytes", n)
	}
	r.settle(time.Minute)
}
