// Package probe asks an MCP server the questions whose answers a client must be able to read, and judges each answer by the
// specification of the version in force. Start reading at the table in checks.go.
//
// It calls no tool but the one that it is told to, and changes nothing on the server: what it opens is a session, and it closes it.
// What it sends is bounded in number, what it waits for in time, what it keeps of a reply in bytes.
package probe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// Options say whom to ask, and how patiently. The zero value asks nobody.
type Options struct {
	URL     string      // of a server behind Streamable HTTP
	Header  http.Header // goes with every request, credentials for one; never to another origin
	Command []string    // of a server on standard input and output, in place of a URL

	Version string // the protocol version to speak; "" is the newest that the server does
	Tool    *Tool  // the one tool that may be called, with arguments that it must refuse; nil: none is

	Timeout time.Duration // for one answer; 0 is 10 s
	Limit   time.Duration // for all of it; 0 is 2 min
	MaxBody int64         // bytes of one reply; 0 is 1 MiB
}

// Tool is a call that must be refused.
type Tool struct {
	Name      string
	Arguments json.RawMessage // an object
}

// Defaults of [Options].
const (
	DefaultTimeout = 10 * time.Second
	DefaultLimit   = 2 * time.Minute
	DefaultMaxBody = 1 << 20
)

// farewell bounds the closing of what was opened, after the limit too.
const farewell = 3 * time.Second

func (o *Options) check() error {
	switch {
	case o.URL == "" && len(o.Command) == 0:
		return errors.New("neither an address nor a command to ask")
	case o.URL != "" && len(o.Command) > 0:
		return errors.New("an address and a command: it asks one of them")
	case o.Version != "" && !slices.Contains(interpret.Versions(), o.Version):
		return fmt.Errorf("version %q is none of %s", o.Version, strings.Join(interpret.Versions(), ", "))
	case o.Timeout < 0 || o.Limit < 0 || o.MaxBody < 0:
		return errors.New("a limit below zero")
	}
	if o.URL != "" {
		u, err := url.Parse(o.URL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
			return errors.New("the address is no http or https URL")
		}
	}
	if o.Tool != nil {
		var arguments map[string]json.RawMessage
		if o.Tool.Name == "" || json.Unmarshal(o.Tool.Arguments, &arguments) != nil || arguments == nil {
			return errors.New("the tool needs a name, and arguments that are a JSON object")
		}
	}
	return nil
}

// Probe is one round of questions to one server. Make it with [New]; it is used once, by one goroutine.
type Probe struct {
	opts   Options
	most   int // requests
	wire   wire
	server Server

	sent     int
	ids      int
	reopened int
	stopped  string            // why nothing more is asked, "" as long as it is
	watching *Check            // whose replies these are
	sessions []string          // that were opened, to be closed
	seen     map[string][]seen // what the checks over all replies have found, by their id
	own      *strings.Replacer // cuts what we said ourselves
}

// New returns a probe. Nothing is sent before Run; an error is one of the options.
func New(opts Options) (*Probe, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	if opts.Timeout == 0 {
		opts.Timeout = DefaultTimeout
	}
	if opts.Limit == 0 {
		opts.Limit = DefaultLimit
	}
	if opts.MaxBody == 0 {
		opts.MaxBody = DefaultMaxBody
	}
	p := &Probe{opts: opts, seen: make(map[string][]seen)}
	p.server.Transport = interpret.HTTP
	if opts.URL == "" {
		p.server.Transport = interpret.Stdio
		p.wire = newPipe(opts)
	} else {
		p.wire = newHTTP(opts)
	}
	p.most = p.plan()
	p.own = p.ownWords()
	return p, nil
}

// Most returns how many requests Run sends at most, notifications, its own farewell and the like included.
func (p *Probe) Most() int { return p.most }

// Limits returns the options with their defaults filled in.
func (p *Probe) Limits() Options { return p.opts }

// Server returns what is known of the server by now.
func (p *Probe) Server() Server { return p.server }

// plan counts what can be sent at most, in the era that wants more.
func (p *Probe) plan() int {
	most := 0
	for _, era := range []interpret.Era{interpret.EraLegacy, interpret.EraModern} {
		n := 0
		for i := range questions {
			c := &questions[i]
			if !c.applies(p.server.Transport, era) {
				continue
			}
			n += c.sends
			if p.server.Transport == interpret.Stdio {
				n += sendsToOpen // a process that ends at a question is started again
			}
		}
		most = max(most, n)
	}
	return most + reopenings*(sendsToOpen+1) + sessionsAtMost
}

// Report is what came of a probe.
type Report struct {
	Server   Server
	Reached  bool // a session was opened, and the questions were asked
	Findings []Finding
	Sent     int
	Took     time.Duration

	Diagnosis string // the last that a process wrote to standard error: for the operator
}

// Count returns how many findings have the verdict.
func (r *Report) Count(v Verdict) int {
	n := 0
	for i := range r.Findings {
		if r.Findings[i].Verdict == v {
			n++
		}
	}
	return n
}

// Run asks every question that applies and tells of each finding as it is made. What was opened is closed when it returns.
func (p *Probe) Run(ctx context.Context, tell func(Finding)) Report {
	began := time.Now()
	defer p.wire.close()
	limited, cancel := context.WithTimeout(ctx, p.opts.Limit)
	defer cancel()
	var r Report
	add := func(f Finding) {
		r.Findings = append(r.Findings, f)
		tell(f)
	}
	for i := range questions {
		c := &questions[i]
		if open := p.server.Era != interpret.EraUnknown; i > 0 && (!open && !(c.closed && p.shut()) || !c.applies(p.server.Transport, p.server.Era)) {
			continue
		}
		add(p.find(limited, c))
	}
	if r.Reached = p.server.Era != interpret.EraUnknown; r.Reached {
		for i := range overAll {
			if c := &overAll[i]; c.applies(p.server.Transport, p.server.Era) {
				add(p.sum(c))
			}
		}
	}
	bye, cancel := context.WithTimeout(context.WithoutCancel(ctx), farewell)
	defer cancel()
	p.leave(bye)
	r.Server, r.Sent, r.Took, r.Diagnosis = p.server, p.sent, time.Since(began), p.wire.diagnosis()
	return r
}
