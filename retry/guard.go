package retry

import (
	"fmt"
	"sync"

	"github.com/mcperr/mcperr/interpret"
)

// Guard keeps a model from making one failing call over and over. It belongs to one conversation: it has two counters, one of a call that fails
// in the same way with the same arguments, one of a tool that fails in a row whatever its arguments, and goes through stages: the model is told, it
// is told to take another way, and then the call is not made any more. A success sets both back.
//
// It looks at what came of whole calls, never at attempts, and every fault counts, an outage too; but a cancelled call and one that waits
// for input do not. The zero value is ready, nil guards nothing. It is safe for concurrent use, and remembers the last 1024 calls that failed.
type Guard struct {
	Same Limits // of the same call; zero members: 2, 3, 4
	Tool Limits // of one tool, whatever the arguments; zero members: 4, 6, 8
	Ask  bool   // what is not made is Ask, for a host that can ask its user about it; else it is Abort

	// Model tells the answers that the guard itself makes, in place of calls that are not made; nil: in the usual way. What a [Loop] has answered
	// is told by [Loop.Model], the guard's sentence included.
	Model *ModelText

	mu    sync.Mutex
	calls map[digest]*failing
	tools map[digest]int
	order []digest // of calls, the oldest first
}

// Limits are the numbers of failures from which on a stage holds.
type Limits struct{ Hint, OtherWay, Stop int }

// Stage is how far a model has gone in repeating itself.
type Stage uint8

// The stages. The zero value is no repetition.
const (
	StageNone     Stage = iota
	StageHint           // the model is told that it has failed so before
	StageOtherWay       // it is told to take another way
	StageStop           // the call is not made
)

// Do makes a call unless it is one that must not be made any more, and counts what came of it. server is any name for it, arguments are
// raw JSON. The answer tells the model of the stage.
func (g *Guard) Do(server, tool string, arguments []byte, call func() *Answer) *Answer {
	if a := g.Before(server, tool, arguments); a != nil {
		return a
	}
	a := call()
	g.After(server, tool, arguments, a)
	return a
}

// Before returns nil if the call may be made. Else it returns the answer to give in its place, with [StopLoop].
func (g *Guard) Before(server, tool string, arguments []byte) *Answer {
	if g == nil {
		return nil
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	r := repeats{tool: g.tools[toolKey(server, tool)]}
	last := interpret.Outcome{Kind: interpret.UnknownError}
	if f := g.calls[callKey(server, tool, arguments)]; f != nil {
		r.same, last = f.most(), f.last
	}
	if r = g.judge(r); r.stage != StageStop {
		return nil
	}
	d := Decision{Action: Abort, Rule: "guard", Reason: r.sentence(), Stop: StopLoop}
	if g.Ask {
		d.Action = Ask
	}
	last.Ran, last.Leave = interpret.RanNo, interpret.LeaveNever
	return &Answer{
		Outcome: last, Decision: d, Stop: &stopError{stop: StopLoop, why: d.Reason}, model: g.Model, repeats: r,
		Exchange: interpret.Exchange{Request: interpret.Request{Method: "tools/call", Target: tool}},
	}
}

// After counts what came of a call, notes the stage in the answer for the model, and returns it.
func (g *Guard) After(server, tool string, arguments []byte, a *Answer) Stage {
	if g == nil || a == nil {
		return StageNone
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	key := toolKey(server, tool)
	switch k := a.Outcome.Kind; {
	case a.Decision.Action == Proceed:
		g.forget(key)
		return StageNone
	case k == interpret.Cancelled, k == interpret.InputRequired:
		return StageNone
	}
	f := g.record(callKey(server, tool, arguments), key)
	if g.tools == nil {
		g.tools = make(map[digest]int)
	}
	if len(g.tools) >= guarded {
		clear(g.tools) // of so many tools none is the one that is repeated
	}
	g.tools[key]++
	a.repeats = g.judge(repeats{same: f.count(classOf(&a.Outcome), &a.Outcome), tool: g.tools[key]})
	return a.repeats.stage
}

// Reset forgets what is counted of a tool, as after the user has said to go on.
func (g *Guard) Reset(server, tool string) {
	if g == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.forget(toolKey(server, tool))
}

// judge finds the stage of both counts, and whose it is.
func (g *Guard) judge(r repeats) repeats {
	same, tool := g.Same.stage(r.same, 2), g.Tool.stage(r.tool, 4)
	r.stage, r.anyhow = max(same, tool), tool > same
	return r
}

// stage finds the stage of a count. By default they follow at first, 3/2 first and 2 × first.
func (l Limits) stage(n, first int) Stage {
	positive(&l.Hint, first)
	positive(&l.OtherWay, first+first/2)
	positive(&l.Stop, 2*first)
	switch {
	case n >= l.Stop:
		return StageStop
	case n >= l.OtherWay:
		return StageOtherWay
	case n >= l.Hint:
		return StageHint
	}
	return StageNone
}

// repeats is what a guard has counted for an answer.
type repeats struct {
	stage      Stage
	same, tool int
	anyhow     bool // the stage is that of the tool, whatever the arguments
}

// sentence says what is repeated, without a word of the server's.
func (r repeats) sentence() string {
	if r.anyhow {
		return fmt.Sprintf("this tool has failed %s in a row, whatever the arguments", times(r.tool))
	}
	return fmt.Sprintf("this same call has failed in the same way %s", times(r.same))
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// advice is what the model reads.
func (r repeats) advice() string {
	s := upper(r.sentence())
	switch r.stage {
	case StageHint:
		return s + "."
	case StageOtherWay, StageStop:
		return s + ": take another way, or tell the user."
	}
	return ""
}
