// Command mcperr reads what MCP servers reply, says what it means, who can fix it and what a client should do.
//
// `mcperr help` lists its commands, `mcperr help COMMAND` a command's flags and exit codes.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

// Exit codes of every command. What a command adds to them stands in its help.
const (
	exitOK       = 0
	exitUsage    = 64 // the command line was wrong
	exitData     = 65 // the input, or a file that a flag names, could not be read as what it claims to be
	exitNoInput  = 66 // a file named on the command line could not be opened
	exitSoftware = 70 // the demo did not end as it must
	exitIO       = 74 // the output could not be written
)

const exitCodes = `Exit codes:
  0   done
  64  wrong use: unknown command or flag, missing argument
  65  the input (or the policy, or the request) cannot be read, or is over the limit
  66  a file cannot be opened
  70  the demo did not end as it must
  74  the output cannot be written
`

// A command is one row of the subcommand table.
type command struct {
	name, args, says string
	run              func(*env, []string) int
}

func commands() []command {
	return []command{
		{"explain", "[flags] [FILE|-]", "read a reply and say what it means", explain},
		{"codes", "[flags]", "print the code, kind and rule tables", codes},
		{"demo", "", fmt.Sprintf("show %d calls meet real replies over real HTTP, and what is done about each", len(scenes)), demo},
		{"call", "URL TOOL [JSON]", "call a tool, with all that recovers a call", call},
		{"probe", "URL | -- CMD ARG…", "ask a server what a client must be able to read", probing},
	}
}

func main() { os.Exit(run(newEnv(), os.Args[1:])) }

// run dispatches to a command and returns the exit code.
func run(e *env, args []string) int {
	if len(args) == 0 {
		usage(e.err)
		return exitUsage
	}
	switch name, rest := args[0], args[1:]; name {
	case "help", "-h", "-help", "--help":
		return help(e, rest)
	default:
		for _, c := range commands() {
			if c.name == name {
				return e.flushed(c.run(e, rest))
			}
		}
		return e.fail(exitUsage, fmt.Errorf("no command %q; mcperr help lists them", clean(name, 40)))
	}
}

func help(e *env, args []string) int {
	if len(args) == 0 {
		usage(e.out)
		return e.flushed(exitOK)
	}
	for _, c := range commands() {
		if c.name == args[0] {
			return e.flushed(c.run(e, []string{"--help"}))
		}
	}
	return e.fail(exitUsage, fmt.Errorf("no command %q; mcperr help lists them", clean(args[0], 40)))
}

func usage(w io.Writer) {
	var b strings.Builder
	b.WriteString("mcperr reads replies of MCP servers: what they mean, who can fix them, what to do.\n\nUsage: mcperr COMMAND [flags] [arguments]\n\n")
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-8s %-17s %s\n", c.name, c.args, c.says)
	}
	fmt.Fprintf(&b, "  %-8s %-17s %s\n\n%s", "help", "[COMMAND]", "this page, or a command's flags", exitCodes)
	io.WriteString(w, b.String())
}

// newFlags returns a flag set whose faults become exit codes, see parse. Its usage is help that was asked for, and so goes to the output.
func newFlags(e *env, name, about string) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.SetOutput(io.Discard) // parse reports
	f.Usage = func() {
		for _, c := range commands() {
			if c.name == name {
				fmt.Fprintln(e.out, "Usage:", strings.TrimSpace("mcperr "+name+" "+c.args))
			}
		}
		fmt.Fprintf(e.out, "\n%s\n\n", strings.TrimSpace(about))
		printFlags(e, f)
		fmt.Fprint(e.out, exitCodes)
	}
	return f
}

// printFlags prints a line a flag, its value's name taken from the back quotes of its usage.
func printFlags(e *env, f *flag.FlagSet) {
	const name = 22
	any := false
	f.VisitAll(func(g *flag.Flag) {
		if !any {
			any = true
			fmt.Fprintln(e.out, "Flags:")
		}
		value, usage := flag.UnquoteUsage(g)
		for i, l := range wrap(usage, e.width-name-3) {
			label := ""
			if i == 0 {
				label = strings.TrimSpace("--" + g.Name + " " + value)
			}
			fmt.Fprintf(e.out, "  %-*s %s\n", name, label, l)
		}
	})
	if any {
		fmt.Fprintln(e.out)
	}
}

// parse reads flags, which may also stand after arguments, and returns the arguments.
// If done, the command ends with the exit code.
func parse(e *env, f *flag.FlagSet, args []string) (rest []string, code int, done bool) {
	usage := f.Usage
	f.Usage = func() {}
	for {
		switch err := f.Parse(args); {
		case err == flag.ErrHelp:
			usage()
			return nil, exitOK, true
		case err != nil:
			return nil, e.fail(exitUsage, fmt.Errorf("%s: %w; mcperr help %s lists the flags", f.Name(), err, f.Name())), true
		}
		n := f.NArg()
		if n == 0 {
			return rest, 0, false
		}
		if stop := len(args) - n - 1; stop >= 0 && args[stop] == "--" {
			return append(rest, f.Args()...), 0, false
		}
		rest, args = append(rest, f.Arg(0)), f.Args()[1:]
	}
}
