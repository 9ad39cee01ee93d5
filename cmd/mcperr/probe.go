package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/mcperr/mcperr/cmd/mcperr/internal/probe"
)

const aboutProbe = `
Asks a server the questions whose answers a client must be able to read, and says for each what came, what it means, who could
fix it, and what the specification wants in the version in force. The server is at a URL, or a command that is run.

It calls no tool but the one that --tool names, and changes nothing on the server: a session that it opens it closes. It says
beforehand how many requests it will send at most. The newest era that the server speaks is asked; --version forces a version.

  holds     as the specification wants it
  advice    a client reads it right, and the specification recommends something else
  deviates  the specification demands something else, or a client must read it wrong
  skipped   not asked, or what came says nothing about it; the reason stands beside it

Besides the exit codes below:
  0  nothing deviates
  1  something deviates
  3  the server could not be reached, or let nobody in, or the probe was interrupted
`

// Exit codes of probe alone.
const (
	exitDeviates  = 1
	exitUnreached = 3
)

// probing is the command of the name probe.
func probing(e *env, args []string) int {
	fs := newFlags(e, "probe", aboutProbe)
	o := probe.Options{Header: http.Header{}}
	fs.StringVar(&o.Version, "version", "", "speak this protocol `VERSION` (default the newest that the server does)")
	fs.Func("tool", "call this tool, `NAME=JSON`, with arguments that it must refuse", func(s string) (err error) {
		o.Tool, err = readTool(s)
		return err
	})
	fs.Func("header", "send this header, `NAME:VALUE`, with every request; may be given more than once", func(s string) error {
		return addHeader(o.Header, s)
	})
	fs.DurationVar(&o.Timeout, "timeout", probe.DefaultTimeout, "wait this `LONG` for one answer (default 10s)")
	fs.DurationVar(&o.Limit, "limit", probe.DefaultLimit, "be done after this `LONG` (default 2m)")
	fs.Int64Var(&o.MaxBody, "max-bytes", probe.DefaultMaxBody, "read `N` bytes of one reply at most (default 1 MiB)")
	asJSON := fs.Bool("json", false, "a JSON line a check")
	asMarkdown := fs.Bool("markdown", false, "a report to paste into an issue")
	var command []string
	if i := slices.Index(args, "--"); i >= 0 {
		args, command = args[:i], args[i+1:]
	}
	rest, code, done := parse(e, fs, args)
	if done {
		return code
	}
	switch {
	case len(command) > 0 && len(rest) > 0:
		return e.fail(exitUsage, errors.New("probe: an address and a command; it takes one of them"))
	case len(command) > 0 && len(o.Header) > 0:
		return e.fail(exitUsage, errors.New("probe: --header is of no use to a command"))
	case len(command) > 0:
		o.Command = command
	case len(rest) != 1:
		return e.fail(exitUsage, errors.New("probe: it takes a URL, or -- and a command; mcperr help probe says more"))
	default:
		o.URL = rest[0]
	}
	if *asJSON && *asMarkdown {
		return e.fail(exitUsage, errors.New("probe: --json and --markdown; it takes one of them"))
	}
	p, err := probe.New(o)
	if err != nil {
		return e.fail(exitUsage, fmt.Errorf("probe: %w", err))
	}
	var show probeView = &probeText{e: e}
	switch {
	case *asJSON:
		show = &probeLines{e: e}
	case *asMarkdown:
		show = &probeMarkdown{e: e}
	}
	return e.probe(p, show)
}

// A probeView shows a probe as it goes on.
type probeView interface {
	begin(p *probe.Probe)
	found(probe.Finding)
	end(probe.Report)
}

func (e *env) probe(p *probe.Probe, show probeView) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	show.begin(p)
	e.out.Flush()
	report := p.Run(ctx, func(f probe.Finding) {
		show.found(f)
		e.out.Flush()
		e.progress(show, f)
	})
	show.end(report)
	switch {
	case ctx.Err() != nil:
		return exitUnreached
	case report.Count(probe.Deviates) > 0 && report.Reached:
		return exitDeviates
	case !report.Reached:
		e.lastWords(report.Diagnosis)
		return exitUnreached
	}
	return exitOK
}

// progress tells a person who waits for a report that is not for the screen.
func (e *env) progress(show probeView, f probe.Finding) {
	if _, screen := show.(*probeText); screen {
		return
	}
	if tty, ok := e.err.(*os.File); ok && terminal(tty) {
		fmt.Fprintf(e.err, "%-9s %s\n", f.Verdict, f.Check.Asks)
	}
}

// probed names the server that is asked, without credentials: its address has a query no more, of a command the name is left.
func probed(o probe.Options) string {
	if len(o.Command) > 0 {
		return filepath.Base(o.Command[0])
	}
	u, err := url.Parse(o.URL)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return clean(u.String(), textShown)
}

func readTool(s string) (*probe.Tool, error) {
	name, arguments, ok := strings.Cut(s, "=")
	if !ok || name == "" || !json.Valid([]byte(arguments)) {
		return nil, errors.New(`it takes a name, "=", and a JSON object`)
	}
	return &probe.Tool{Name: name, Arguments: json.RawMessage(arguments)}, nil
}

func addHeader(h http.Header, s string) error {
	name, value, ok := strings.Cut(s, ":")
	name = strings.TrimSpace(name)
	if !ok || name == "" || strings.ContainsAny(name, " \t\r\n") || strings.ContainsAny(value, "\r\n") {
		return errors.New(`it takes a name, ":", and a value`)
	}
	h.Add(name, strings.TrimSpace(value))
	return nil
}
