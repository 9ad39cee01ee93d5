package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/mcperr/mcperr/cmd/mcperr/internal/input"
	"github.com/mcperr/mcperr/fixtures"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

const aboutExplain = `
Reads what a server replied and says what it means, who can fix it, what the default policy does and which rules say so.

FILE, or standard input, holds one of these; it is found out which:
  a JSON-RPC message · an event stream (SSE) · HTTP responses with status line and headers (curl -i) ·
  a stdio transcript, with junk lines or the client's requests in it · a case of the corpus, or an array of them ·
  a HAR recording, or one entry of it

A reply alone does not say what was asked. What is not said by a flag is assumed, and the output says so.
With --json there is a line a reply: the members of a corpus case's "want", and id and why (the rules' ids).
With --model only what a model would read as the result of its call is printed, and what was assumed on standard error; with --json,
too, it is the member model.
With --case the replies become cases of the corpus, to be completed and checked: see CONTRIBUTING.md.
`

// explain is the command of that name.
func explain(e *env, args []string) int {
	fs := newFlags(e, "explain", aboutExplain)
	var f facts
	f.register(fs)
	form := fs.String("form", "", "read the input as this `FORM`: "+formNames()+" (default: found out)")
	asJSON := fs.Bool("json", false, "a JSON line a reply")
	forModel := fs.Bool("model", false, "print what a model reads, and nothing else")
	caseID := fs.String("case", "", "print an array of corpus cases with this `ID`, numbered if there are several")
	policyFile := fs.String("policy", "", "decide by the policy in this `FILE` (JSON)")
	maxBytes := fs.Int64("max-bytes", input.DefaultMaxBytes, "refuse an input of more than `N` bytes (default 64 MiB)")
	rest, code, done := parse(e, fs, args)
	if done {
		return code
	}
	o := input.Options{Form: input.Form(*form), Stdio: f.transport == "stdio", MaxBytes: *maxBytes}
	switch {
	case len(rest) > 1:
		return e.fail(exitUsage, fmt.Errorf("explain: %d files; it takes one", len(rest)))
	case o.Form != "" && !slices.Contains(input.Forms(), o.Form):
		return e.fail(exitUsage, fmt.Errorf("explain: --form is %q; it can be %s", *form, formNames()))
	case *caseID != "" && (*asJSON || *forModel):
		return e.fail(exitUsage, errors.New("explain: --case prints cases only; it takes no --json and no --model beside it"))
	case *maxBytes < 1:
		return e.fail(exitUsage, fmt.Errorf("explain: --max-bytes is %d; it must be positive", *maxBytes))
	}
	if err := f.read(fs); err != nil {
		return e.fail(codeOf(err), fmt.Errorf("explain: %w", err))
	}
	policy, err := readPolicy(*policyFile)
	if err != nil {
		return e.fail(codeOf(err), fmt.Errorf("explain: %w", err))
	}
	name := "-"
	if len(rest) == 1 {
		name = rest[0]
	}
	b, err := readInput(e.in, name, *maxBytes)
	if err != nil {
		return e.fail(codeOf(err), fmt.Errorf("explain: %w", err))
	}
	o.Name = filepath.Base(name)
	if name == "-" {
		o.Name = "stdin"
	}
	replies, err := input.Read(b, o)
	if err != nil {
		return e.fail(exitData, fmt.Errorf("explain: %s: %w", o.Name, err))
	}
	var learned input.History
	var cases []fixtures.Case
	for i := range replies {
		r := &replies[i]
		learned.Fill(r)
		f.apply(r)
		if got := r.Exchange.Request.Transport.String(); f.transport != "" && got != f.transport {
			return e.fail(exitUsage, fmt.Errorf("explain: --transport %s, but the %s came over %s", f.transport, r.Form, got))
		}
		a := read(r, policy, f.vouched(r))
		a.named = f.named(r)
		learned.Learn(r, &a.outcome)
		switch {
		case *caseID != "":
			cases = append(cases, a.caseOf(r, numbered(*caseID, i, len(replies))))
			e.assumptions(r)
		case *asJSON:
			l := a.line(r.ID)
			if *forModel {
				l.Model = a.forModel(r)
				e.assumptions(r)
			}
			err = e.json(l, "")
		case *forModel:
			e.model(r, &a, i, len(replies))
			e.assumptions(r)
		default:
			e.report(r, &a, i, len(replies))
		}
		if err != nil {
			return e.unwritten(err)
		}
	}
	if cases != nil {
		return e.cases(cases)
	}
	return exitOK
}

// analysis is all that explain has to say of one reply.
type analysis struct {
	outcome  interpret.Outcome
	decision retry.Decision
	vouched  bool
	named    bool // the request's target is known, and not assumed
}

// read interprets a reply and decides on it as on a first attempt: nothing spent, no deadline, and a host that can carry out
// every remedy but the transport of 2024-11-05. That is the state in which the corpus decides.
func read(r *input.Reply, p *retry.Policy, vouched bool) (a analysis) {
	a.vouched = vouched
	a.outcome = interpret.Reply(r.Exchange)
	if r.NoStatus {
		a.outcome.Deviations = slices.DeleteFunc(a.outcome.Deviations, func(d interpret.Deviation) bool { return d == interpret.WrongStatus })
	}
	a.decision = p.Decide(r.Exchange.Request, a.outcome, retry.State{Vouched: vouched})
	return a
}

// readInput reads at most limit bytes of a file, or of standard input.
func readInput(in io.Reader, name string, limit int64) ([]byte, error) {
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, coded{exitNoInput, err}
		}
		defer file.Close()
		in = file
	}
	b, err := io.ReadAll(io.LimitReader(in, max(limit, limit+1)))
	switch {
	case err != nil:
		return nil, coded{exitNoInput, err}
	case int64(len(b)) > limit:
		return nil, fmt.Errorf("%s has more than %d bytes; --max-bytes raises the limit", filepath.Base(name), limit)
	}
	return b, nil
}

// readPolicy reads a policy; without a name it is the default one.
func readPolicy(name string) (*retry.Policy, error) {
	if name == "" {
		return retry.DefaultPolicy(), nil
	}
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, coded{exitNoInput, err}
	}
	p, err := retry.ParsePolicy(b)
	if err != nil {
		return nil, fmt.Errorf("--policy %s: %w", filepath.Base(name), err)
	}
	return p, nil
}

func formNames() string {
	var names []string
	for _, f := range input.Forms() {
		names = append(names, string(f))
	}
	return strings.Join(names, ", ")
}
