package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/mcperr/mcperr/client"
	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

const aboutCall = `
Or, for a server that is run as a command: mcperr call [flags] TOOL [JSON] -- CMD ARG…

Calls a tool of a server once, with all that recovers a call: version, session, waits, resends where they are safe. The server is at
a URL, or a command that is run and ended with the call. JSON is the tool's arguments, an object.

What is sent and what becomes of it is told on standard error as it happens, and after a failure its cause and the end of what the
command wrote to its own standard error, without credentials. The answer goes to standard output: the result as the server wrote it, or
what the model would read.

Besides the exit codes below:
  0  there is a result
  1  the fault is for the model to read
  2  a person has to act
  3  the call ended for good, or was interrupted
`

// Exit codes of call alone, by the action its answer ends with.
var callCodes = map[retry.Action]int{retry.Proceed: 0, retry.Surface: 1, retry.Ask: 2, retry.Abort: 3}

// vouching adds a flag for the host's promise.
func vouching(fs *flag.FlagSet, tools *[]string) {
	fs.Func("vouch", "promise that this `TOOL` may run twice; may be given more than once", func(tool string) error {
		*tools = append(*tools, tool)
		return nil
	})
}

// target is what call calls.
type target struct {
	transport client.Transport
	tool      string
	arguments any // json.RawMessage, or nil
}

// call is the command of that name.
func call(e *env, args []string) int {
	fs := newFlags(e, "call", aboutCall)
	var o client.Options
	header := http.Header{}
	timeout := fs.Duration("timeout", time.Minute, "give up after this `LONG` (default 1m)")
	vouching(fs, &o.Vouch)
	policyFile := fs.String("policy", "", "decide by the policy in this `FILE` (JSON)")
	fs.Func("header", "send this header, `NAME:VALUE`, with every request; may be given more than once", func(s string) error {
		return addHeader(header, s)
	})
	fs.Func("version", "speak this protocol `VERSION` only (default the newest that the server does)", func(s string) error {
		if !slices.Contains(interpret.Versions(), s) {
			return fmt.Errorf("it can be %s", strings.Join(interpret.Versions(), ", "))
		}
		o.Protocol = []string{s}
		return nil
	})
	asJSON := fs.Bool("json", false, "print the answer as one JSON object, with every attempt")
	var command []string
	if i := slices.Index(args, "--"); i >= 0 {
		args, command = args[:i], args[i+1:]
	}
	rest, code, done := parse(e, fs, args)
	if done {
		return code
	}
	to, err := readTarget(rest, command, header)
	if err != nil {
		return e.fail(exitUsage, fmt.Errorf("call: %w; mcperr help call says more", err))
	}
	if o.Policy, err = readPolicy(*policyFile); err != nil {
		return e.fail(codeOf(err), fmt.Errorf("call: %w", err))
	}
	if *timeout <= 0 {
		return e.fail(exitUsage, fmt.Errorf("call: --timeout is %v; it must be positive", *timeout))
	}
	seen := &trace{e: e}
	o.Name, o.Observer = "mcperr", seen
	c, err := client.New(to.transport, o)
	if err != nil {
		return e.fail(exitUsage, fmt.Errorf("call: %w", err))
	}
	became := called{Answer: e.callOnce(c, to, *timeout, seen), attempts: seen.attempts}
	if p, ok := c.Process(); ok {
		became.stderr = string(p.Stderr)
	}
	if *asJSON {
		err = e.printAnswer(&became)
	} else {
		e.sayAnswer(&became)
	}
	if err != nil {
		return e.fail(exitIO, err)
	}
	return callCodes[became.Decision.Action]
}

// callOnce makes the call and ends whatever it has started, on an interrupt too. A second interrupt changes nothing:
// a child process is ended first, which takes a few seconds at most.
func (e *env) callOnce(c *client.Client, to target, timeout time.Duration, seen *trace) *retry.Answer {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	defer c.Close()
	defer seen.stopWaiting()
	return c.CallTool(ctx, to.tool, to.arguments)
}

// readTarget reads what is called: URL TOOL [JSON], or TOOL [JSON] where a command is given.
func readTarget(rest, command []string, header http.Header) (to target, err error) {
	if command != nil {
		if len(command) == 0 {
			return to, errors.New("no command after --")
		}
		if len(header) > 0 {
			return to, errors.New("--header is of no use to a command")
		}
		to.transport = client.Stdio{Command: command[0], Args: command[1:]}
	} else {
		if len(rest) == 0 || !strings.HasPrefix(rest[0], "http://") && !strings.HasPrefix(rest[0], "https://") {
			return to, errors.New("it takes a URL, or -- and a command")
		}
		to.transport = client.HTTP{URL: rest[0], Header: header}
		rest = rest[1:]
	}
	switch len(rest) {
	case 0:
		return to, errors.New("no tool")
	case 1:
	case 2:
		var object map[string]json.RawMessage
		if err := json.Unmarshal([]byte(rest[1]), &object); err != nil || object == nil {
			return to, errors.New("the tool's arguments are no JSON object")
		}
		to.arguments = json.RawMessage(rest[1])
	default:
		return to, fmt.Errorf("%d arguments too many", len(rest)-2)
	}
	to.tool = rest[0]
	return to, nil
}
