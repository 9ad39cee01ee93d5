package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/cmd/mcperr/internal/replay"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

const aboutDemo = `
Starts a server on the loopback interface that answers real HTTP with recorded replies of the servers named, calls it with package
client, and prints a line an attempt: what arrived, what it means, who can fix it, and what is done. It takes three or four seconds.
`

// demoTime ends the demo, whatever happens. One of the servers asks for a wait of three seconds, and gets up to a tenth more; a busy machine adds its own.
const demoTime = 30 * time.Second

// demo is the command of that name.
func demo(e *env, args []string) int {
	rest, code, done := parse(e, newFlags(e, "demo", aboutDemo), args)
	if done {
		return code
	}
	if len(rest) > 0 {
		return e.fail(exitUsage, fmt.Errorf("demo: unexpected argument %q", rest[0]))
	}
	corpus, err := recorded()
	if err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), demoTime)
		defer cancel()
		var takes []chan take
		var stop func()
		if takes, stop, err = stage(ctx, corpus); err == nil {
			defer stop()
			err = e.show(takes)
		}
	}
	if err != nil {
		return e.fail(exitSoftware, fmt.Errorf("demo: %w", err))
	}
	return exitOK
}

// stage starts the server and plays all scenes at once. Each channel gives the take of its scene when that is over.
func stage(ctx context.Context, corpus map[string]interpret.Exchange) (takes []chan take, stop func(), err error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, nil, err
	}
	mux := http.NewServeMux()
	// A connection that the recording breaks is no news.
	web := &http.Server{Handler: mux, ErrorLog: log.New(io.Discard, "", 0), ReadHeaderTimeout: demoTime}
	var servers []*replay.Server
	for i := range scenes {
		script, err := scenes[i].script(corpus)
		if err != nil {
			listener.Close()
			return nil, nil, err
		}
		servers = append(servers, replay.New(script))
		mux.Handle(scenes[i].path(i), servers[i])
	}
	go web.Serve(listener)
	for i := range scenes {
		c := make(chan take, 1)
		takes = append(takes, c)
		url := "http://" + listener.Addr().String() + scenes[i].path(i)
		go func() { c <- scenes[i].play(ctx, url, servers[i]) }()
	}
	return takes, func() { web.Close() }, nil
}

func (s *scene) path(i int) string { return fmt.Sprintf("/%d/mcp", i+1) }

// A take is what came of a scene.
type take struct {
	steps  []step
	answer *retry.Answer
	server *replay.Server
	err    error
}

// A step is one attempt and the recorded reply that it drew.
type step struct {
	retry.Attempt
	arrived interpret.Exchange
}

// play makes the call of a scene.
func (s *scene) play(ctx context.Context, url string, server *replay.Server) take {
	tape := &tape{server: server}
	opts := client.Options{Capabilities: map[string]any{"elicitation": map[string]any{"url": map[string]any{}}}, Observer: tape,
		Policy: &retry.Policy{FirstDelay: 100 * time.Millisecond}}
	if s.replies["initialize"] != nil && !s.meets {
		opts.Verdicts = new(client.Verdicts)
		opts.Verdicts.Set(client.HTTP{URL: url}.Name(), client.Verdict{Era: interpret.EraLegacy, Version: interpret.Version20251125})
	}
	c, err := client.New(client.HTTP{URL: url}, opts)
	if err != nil {
		return take{err: err}
	}
	defer c.Close()
	if a := c.Connect(ctx); a.Err() != nil {
		return take{steps: tape.steps, answer: a, server: server}
	}
	if !s.meets {
		tape.steps = nil
	}
	answer := s.call(ctx, c)
	return take{steps: tape.steps, answer: answer, server: server}
}

// tape keeps the attempts of a scene, which come one after the other.
type tape struct {
	server *replay.Server
	steps  []step
}

// AttemptStart implements [retry.Observer].
func (t *tape) AttemptStart(ctx context.Context, _ retry.Attempt) (context.Context, map[string]string) {
	return ctx, nil
}

// AttemptEnd implements [retry.Observer].
func (t *tape) AttemptEnd(_ context.Context, a retry.Attempt) {
	s := step{Attempt: a}
	if sent := t.server.Sent(); len(sent) > 0 {
		s.arrived = sent[len(sent)-1]
	}
	t.steps = append(t.steps, s)
}

// show prints the scenes as they end, and fails if one ends otherwise than it should.
func (e *env) show(takes []chan take) error {
	began := time.Now()
	widths := demoWidths(e.width)
	fmt.Fprintf(e.out, "%d calls to recorded servers, over HTTP. A row is an attempt.\n\n", len(takes))
	e.cells(e.out, widths, []string{"", "what arrived", "what it means", "fixed by", "what is done"}, "", bold, bold, bold, bold)
	var faults []error
	attempts, again := 0, 0
	for i, c := range takes {
		t := <-c
		if t.err != nil {
			return t.err
		}
		fmt.Fprintf(e.out, "%s %s\n", e.style(bold, scenes[i].who), e.style(dim, scenes[i].about))
		for _, s := range t.steps {
			attempts++
			mark := ""
			if s.Number > 1 {
				again++
				mark = "↳"
			}
			e.cells(e.out, widths, []string{mark, arrivedBriefly(s.arrived), s.Kind.String(), fixerBriefly(s), doneBriefly(s)}, "", "", actionColor[s.Decision.Action])
		}
		if got := t.answer.Decision.Action; got != scenes[i].ends {
			faults = append(faults, fmt.Errorf("the call answered by %s ended in %s, not in %s: %w", scenes[i].who, got, scenes[i].ends, t.answer.Err()))
		}
		if err := e.out.Flush(); err != nil {
			return nil // run reports it
		}
	}
	fmt.Fprintf(e.out, "\n%d calls, %d attempts, %d of them resends (↳), %.1f s.\nAsk about a reply of your own: mcperr help explain\n", len(takes), attempts, again, time.Since(began).Seconds())
	return errors.Join(faults...)
}

// demoWidths divides the width among an indent, what arrived, what it means, who can fix it and what is done.
func demoWidths(total int) []int {
	const indent, kind, fixer, gaps = 1, 19, 8, 8
	left := total - indent - kind - fixer - gaps
	done := min(left*2/5, 28)
	return []int{indent, left - done, kind, fixer, done}
}
