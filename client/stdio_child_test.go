package client

import (
	"fmt"
	"os"
	"strings"
	"time"
)

// What a child of the kind "mcp" is told, by environment variables.
const (
	childEra   = "MCPERR_TEST_ERA"   // modern, legacy
	childProbe = "MCPERR_TEST_PROBE" // what a legacy child does at server/discover: silence, exit, "" an error
	childFault = "MCPERR_TEST_FAULT" // where the first call of the tool goes wrong
	childReply = "MCPERR_TEST_REPLY" // index of what it means to say then
	childLog   = "MCPERR_TEST_LOG"   // file that takes a line for each message and each execution, of all processes
	childArmed = "MCPERR_TEST_ARMED" // file that is there as long as the fault is to come; absent: every call goes wrong
	childSays  = "MCPERR_TEST_SAYS"  // what a child of the kind "longer" says, or one of the kind "mcp" endlessly
	childGate  = "MCPERR_TEST_GATE"  // pipe that a child of the kind "busy" waits for
	childTalk  = "MCPERR_TEST_TALK"  // not empty: it writes much to standard error
)

// Points of failure of a child.
const (
	exitUnread  point = "exit before it runs"
	exitAfter   point = "exit after it ran"
	exitMidLine point = "exit mid-line"
	exitDone    point = "exit after the answer"
	closeOutput point = "closes its output"
	chatter     point = "noise around the answer"
	endlessly   point = "begins a line that never ends" // with what it says then
)

var childPoints = []point{exitUnread, exitAfter, exitMidLine, exitDone, closeOutput, chatter, silence}

func note(format string, args ...any) {
	f, err := os.OpenFile(os.Getenv(childLog), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		return
	}
	fmt.Fprintf(f, format+"\n", args...)
	f.Close()
}

// childMCP is a server of one era with one tool.
func childMCP() {
	modern := os.Getenv(childEra) == "modern"
	note("start")
	shaken := false
	serve(func(m message) {
		note("%s %s", m.Method, m.ID)
		switch {
		case m.ID == nil:
		case m.Method == "server/discover" && modern:
			say(result(m.ID, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`))
		case m.Method == "server/discover":
			switch os.Getenv(childProbe) {
			case "silence":
			case "exit":
				os.Exit(0)
			default:
				say(failed(m, -32601))
			}
		case m.Method == "initialize" && !modern:
			if shaken {
				say(failed(m, -32603)) // as Kotlin, Quarkus and Spring do
				return
			}
			shaken = true
			say(result(m.ID, `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"c","version":"1"}}`))
		case m.Method == "tools/list":
			say(result(m.ID, `{"resultType":"complete","tools":[{"name":"act","inputSchema":{"type":"object"}}]}`))
		case m.Method == "tools/call":
			childCall(m)
		default:
			say(failed(m, -32601))
		}
	})
	note("end")
}

func failed(m message, code int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"no"}}`, m.ID, code)
}

func childCall(m message) {
	at := point(os.Getenv(childFault))
	if armed := os.Getenv(childArmed); armed != "" && os.Remove(armed) != nil {
		at = ""
	}
	if at == "" {
		note("run")
		note("whole")
		say(result(m.ID, doneResult))
		return
	}
	var n int
	fmt.Sscan(os.Getenv(childReply), &n)
	reply := firstReplies[n]
	if at == exitUnread {
		os.Exit(1)
	}
	if reply.runs {
		note("run")
	}
	line := strings.ReplaceAll(reply.body, "$ID", string(m.ID))
	whole := func() {
		note("said")
		if reply.name == "result" {
			note("whole")
		}
		say(line)
	}
	switch at {
	case exitAfter:
		os.Exit(1)
	case exitMidLine:
		fmt.Print(line[:len(line)/2])
		os.Exit(1)
	case exitDone:
		whole()
		os.Exit(0)
	case closeOutput:
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case chatter:
		say("log: about to answer")
		whole()
		say("log: answered")
	case endlessly:
		fmt.Print(strings.ReplaceAll(os.Getenv(childSays), "%s", string(m.ID)))
		for much := strings.Repeat("x", 1<<16); ; {
			if _, err := os.Stdout.WriteString(much); err != nil {
				os.Exit(1)
			}
		}
	case silence:
	}
}
