package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// called is what became of a call.
type called struct {
	*retry.Answer
	attempts []retry.Attempt // all that were made, those of the handshake too
	stderr   string          // the end of what the last process wrote to standard error; "" over HTTP
}

// causeShown bounds the text of a local error, in characters.
const causeShown = 500

// sayAnswer prints the result as it came, or what the model would read and what a person has to know.
func (e *env) sayAnswer(a *called) {
	if a.Decision.Action == retry.Proceed {
		fmt.Fprintln(e.out, visible(a.Outcome.Result))
		return
	}
	fmt.Fprintln(e.out, a.ForModel())
	o := &a.Outcome
	person := func(name, value string) {
		if value != "" {
			fmt.Fprintf(e.err, "%s: %s\n", name, clean(value, 2000))
		}
	}
	for _, page := range o.Elicitations {
		person("to be visited by a person", page.URL)
	}
	for _, q := range o.InputRequests {
		person("asked for", q.Method)
	}
	person("scopes", strings.Join(o.Scopes, " "))
	person("schemes", strings.Join(o.Schemes, ", "))
	person("resource metadata", o.ResourceMetadata)
	person("location", o.Location)
	if f := localFailure(a.Answer); f != nil {
		person("cause", f.Cause)
	}
	if a.Stop != nil && !errors.Is(a.Stop, retry.StopAction) {
		person("ended because", a.Stop.Error())
	}
	e.lastWords(a.stderr)
}

// visible returns JSON with every character that does not print as an escape, so that it is the same JSON and harmless on a terminal.
func visible(raw []byte) string {
	var compact bytes.Buffer
	if json.Compact(&compact, raw) != nil {
		return "null" // no server's result gets here: the interpreter has read it
	}
	var b strings.Builder
	for _, r := range compact.String() {
		switch {
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			r -= 0x10000
			fmt.Fprintf(&b, `\u%04x\u%04x`, 0xd800+r>>10, 0xdc00+r&0x3ff)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// answerLine is the answer for machines. Durations are in milliseconds.
type answerLine struct {
	Kind     interpret.Kind   `json:"kind"`
	Fixer    interpret.Fixer  `json:"who"`
	Action   retry.Action     `json:"action"`
	Remedy   interpret.Remedy `json:"remedy,omitempty"`
	Ran      interpret.Ran    `json:"ran"`
	Origin   interpret.Origin `json:"origin"`
	Rule     string           `json:"rule"`
	Reason   string           `json:"reason"`
	Stop     string           `json:"stop,omitempty"`
	Result   json.RawMessage  `json:"result,omitempty"`
	Fault    *faultLine       `json:"fault,omitempty"`
	Failure  *failureLine     `json:"failure,omitempty"`
	ExitCode *int             `json:"exitCode,omitempty"` // of the process that ended; -1: a signal ended it
	Stderr   string           `json:"stderr,omitempty"`   // the end of what the process wrote, scrubbed
	Model    string           `json:"model,omitempty"`
	Attempts []attemptLine    `json:"attempts"`
}

// failureLine is what failed on our own side.
type failureLine struct {
	What     interpret.FailureWhat `json:"what"`
	Delivery interpret.Delivery    `json:"delivery,omitempty"`
	Cause    string                `json:"cause,omitempty"` // scrubbed
}

type faultLine struct {
	Code             *int64          `json:"code,omitempty"`
	Status           int             `json:"status,omitempty"`
	Message          string          `json:"message,omitempty"`
	Data             json.RawMessage `json:"data,omitempty"`
	RetryAfter       int64           `json:"retryAfterMs,omitempty"`
	Supported        []string        `json:"supported,omitempty"`
	Scopes           []string        `json:"scopes,omitempty"`
	Schemes          []string        `json:"schemes,omitempty"`
	ResourceMetadata string          `json:"resourceMetadata,omitempty"`
	Location         string          `json:"location,omitempty"`
	URLs             []string        `json:"urls,omitempty"`
	Required         []string        `json:"requiredCapabilities,omitempty"`
}

type attemptLine struct {
	Number  int                   `json:"number"`
	Method  string                `json:"method"`
	Version string                `json:"version,omitempty"`
	Before  interpret.Remedy      `json:"after,omitempty"` // remedy carried out before it
	Waited  int64                 `json:"waitedMs"`
	Took    int64                 `json:"tookMs"`
	Kind    interpret.Kind        `json:"kind"`
	Ran     interpret.Ran         `json:"ran"`
	Code    *int64                `json:"code,omitempty"`
	Status  int                   `json:"status,omitempty"`
	Failure interpret.FailureWhat `json:"failure,omitempty"`
	Action  retry.Action          `json:"action"`
	Reason  string                `json:"reason"`
}

// printAnswer prints the answer as one JSON object on one line.
func (e *env) printAnswer(a *called) error {
	o, d := &a.Outcome, a.Decision
	l := answerLine{
		Kind: o.Kind, Fixer: o.Fixer(), Action: d.Action, Remedy: d.Remedy, Ran: o.Ran, Origin: o.Origin, Rule: d.Rule, Reason: d.Reason,
		Attempts: make([]attemptLine, 0, len(a.attempts)),
	}
	if d.Action == retry.Proceed {
		l.Result = o.Result
	} else {
		l.Fault, l.Model, l.Failure, l.Stderr = fault(o), a.ForModel(), localFailure(a.Answer), diagnosis(a.stderr)
		if exit, ok := errors.AsType[*client.ExitError](a.Err()); ok {
			l.ExitCode = &exit.Code
		}
		if a.Stop != nil {
			l.Stop = a.Stop.Error()
		}
	}
	for _, t := range a.attempts {
		l.Attempts = append(l.Attempts, attemptLine{
			Number: t.Number, Method: t.Method, Version: t.Version, Before: t.Remedy, Waited: ms(t.Waited), Took: ms(t.Took),
			Kind: t.Kind, Ran: t.Ran, Code: codePointer(t.HasCode, t.Code), Status: t.Status, Failure: t.Failure, Action: t.Decision.Action, Reason: t.Decision.Reason,
		})
	}
	return e.json(l, "")
}

func fault(o *interpret.Outcome) *faultLine {
	f := &faultLine{
		Code: codePointer(o.HasCode, o.Code), Status: o.Status, Message: o.Message, Data: o.Data, RetryAfter: ms(o.RetryAfter), Supported: o.Supported,
		Scopes: o.Scopes, Schemes: o.Schemes, ResourceMetadata: o.ResourceMetadata, Location: o.Location, Required: o.RequiredCapabilities,
	}
	for _, page := range o.Elicitations {
		f.URLs = append(f.URLs, page.URL)
	}
	return f
}

// localFailure says what failed on our own side, nil if a peer's word counts.
func localFailure(a *retry.Answer) *failureLine {
	f := a.Exchange.Failure
	if f == nil || a.Outcome.Origin != interpret.OriginClient {
		return nil
	}
	return &failureLine{What: cmp.Or(f.What, interpret.FailedReset), Delivery: f.Delivery, Cause: new(interpret.Scrubber).Cause(f.Err, causeShown)}
}

func codePointer(has bool, c int64) *int64 {
	if !has {
		return nil
	}
	return &c
}

func ms(d time.Duration) int64 { return d.Milliseconds() }
