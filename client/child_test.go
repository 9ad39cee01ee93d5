package client

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

// children are the stdio servers of the tests: this binary, started again.
var children = map[string]func(){
	"echo":      func() { serve(func(m message) { say(result(m.ID, fmt.Sprintf(`{"echo":%q}`, m.Method))) }) },
	"noisy":     childNoisy,
	"late":      func() { childLate(func(id json.RawMessage) string { return result(id, `{"late":true}`) }) },
	"lateAnon":  func() { childLate(func(json.RawMessage) string { return anonymous }) },
	"anonymous": func() { serve(func(m message) { say(anonymous) }) },
	"flood":     childFlood,
	"exit3":     func() { serve(func(message) { fmt.Fprintln(os.Stderr, "secret on the way out"); os.Exit(3) }) },
	"exit0":     func() { serve(func(message) { os.Exit(0) }) },
	"mute":      func() { serve(func(message) {}) },
	"stubborn":  childStubborn,
	"asks":      childAsks,
	"long":      func() { serve(func(m message) { say(result(m.ID, `"`+strings.Repeat("x", 1<<20)+`"`)) }) },
	"longer":    childLonger,
	"busy":      childBusy,
	"deaf":      func() { time.Sleep(time.Hour) },
	"closes":    func() { os.Stdout.Close(); time.Sleep(time.Hour) },
	"parent":    func() { childParent(nil) },
	"daemon":    func() { childParent(&syscall.SysProcAttr{Setsid: true}) },
	"mcp":       childMCP,
	"leaver":    func() { note("start"); serve(func(m message) { note("%s", m.Method); os.Exit(5) }) },
	"talker":    childTalker,
	"stillborn": func() { note("start"); fmt.Fprintln(os.Stderr, "no config"); os.Exit(7) },
}

// message is a request, a notification or an answer of the client's as a test child sees it.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Error  json.RawMessage `json:"error"`
}

// serve hands every line to answer until the input ends.
func serve(answer func(message)) {
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		var m message
		if json.Unmarshal(line, &m) == nil {
			answer(m)
		}
	}
}

func say(line string) { fmt.Println(line) }

func result(id json.RawMessage, result string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
}

func childNoisy() {
	fmt.Println("Server started on stdio!")
	serve(func(m message) {
		say("")
		say("debug: handling it")
		say(`{"jsonrpc":"2.0","method":"notifications/message","params":{}}`)
		say(result(m.ID, `{}`))
		say("debug: done")
	})
}

// anonymous is an error that names no request.
const anonymous = `{"jsonrpc":"2.0","error":{"code":-32700,"message":"what?"}}`

// childLate answers its first request only when the second comes, and before that one.
func childLate(answer func(id json.RawMessage) string) {
	var first json.RawMessage
	serve(func(m message) {
		switch {
		case m.Method == "notifications/cancelled": // what is cancelled, it goes on with
		case first == nil:
			first = m.ID
			say(`{"jsonrpc":"2.0","method":"notifications/progress"}`)
		default:
			say(answer(first))
			say(result(m.ID, `{"late":false}`))
		}
	})
}

// childFlood writes far more to standard error than a pipe holds before it answers.
func childFlood() {
	serve(func(m message) {
		for range 64 {
			fmt.Fprintln(os.Stderr, strings.Repeat("e", 64<<10))
		}
		fmt.Fprint(os.Stderr, "the end")
		say(result(m.ID, `{}`))
	})
}

// childTalker is a whole server that begins with a word on standard error, or with far more than a pipe holds, and ends with one.
func childTalker() {
	fmt.Fprintln(os.Stderr, "hello")
	if os.Getenv(childTalk) != "" {
		for range 64 {
			fmt.Fprintln(os.Stderr, strings.Repeat("e", 64<<10))
		}
	}
	childMCP()
	fmt.Fprint(os.Stderr, "bye")
}

func childStubborn() {
	signal.Ignore(syscall.SIGTERM)
	serve(func(m message) { say(result(m.ID, fmt.Sprint(os.Getpid()))) })
	time.Sleep(time.Hour)
}

// childAsks asks the client for its roots and answers when it has heard.
func childAsks() {
	var waiting json.RawMessage
	serve(func(m message) {
		if m.Method != "" {
			waiting = m.ID
			say(`{"jsonrpc":"2.0","id":"srv-1","method":"roots/list"}`)
			return
		}
		var e struct{ Code int }
		json.Unmarshal(m.Error, &e)
		say(result(waiting, fmt.Sprintf(`{"code":%d}`, e.Code)))
	})
}

// childLonger is a server that says something long before it answers a call. What is long stands in the environment, with %s for the call's id and
// %x for what makes it long. Where it asks the client for something, it waits for the answer, and its own is that.
func childLonger() {
	var waiting json.RawMessage
	serve(func(m message) {
		switch m.Method {
		case "server/discover":
			say(result(m.ID, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`))
		case "tools/call":
			waiting = m.ID
			long := os.Getenv(childSays)
			say(strings.NewReplacer("%s", string(m.ID), "%x", strings.Repeat("x", 2<<10)).Replace(long))
			if !strings.Contains(long, `"ask"`) {
				say(result(m.ID, doneResult))
			}
		case "":
			say(result(waiting, fmt.Sprintf(`{"resultType":"complete","content":[],"_meta":{"refused":%s}}`, m.Error)))
		}
	})
}

// childBusy is a server that does one thing at a time: the tool "wait" takes until the pipe in its environment is opened for writing, anything else no
// time. It notes the lines that it has read.
func childBusy() {
	serve(func(m message) {
		note("%s %s", m.Method, m.ID)
		switch m.Method {
		case "server/discover":
			say(result(m.ID, `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`))
		case "tools/call":
			if strings.Contains(string(m.Params), `"name":"wait"`) {
				os.Open(os.Getenv(childGate))
			}
			say(result(m.ID, doneResult))
		}
	})
}

// childParent starts a grandchild that holds the pipes and outlives it, and says which.
func childParent(as *syscall.SysProcAttr) {
	grandchild, err := os.StartProcess(os.Args[0], os.Args[:1], &os.ProcAttr{
		Env: []string{childVar + "=deaf"}, Files: []*os.File{nil, os.Stdout, os.Stderr}, Sys: as})
	if err != nil {
		os.Exit(98)
	}
	serve(func(m message) { say(result(m.ID, fmt.Sprint(grandchild.Pid))) })
}
