package live

import "slices"

// Server is one server that a test can start. Its fields say what it is able to do.
type Server struct {
	Name    string
	runtime string   // go, node or python
	program string   // its Go package, or its script
	options []string // arguments that follow the port

	HTTP, Stdio bool // transports it can be started with
	Modern      bool // it speaks 2026-07-28
	Legacy      bool // it has the handshake
	Sessions    bool // over HTTP, its handshake gives a session id
	Small       bool // it has the tools of the small servers: add, boom, fail_result, slow, ask_user, counter, count, die
}

// Servers returns every server, the small ones first.
func Servers() []Server { return slices.Clone(servers) }

var servers = []Server{
	{Name: "go-sdk", runtime: "go", program: "gosdk", HTTP: true, Legacy: true, Sessions: true, Small: true},
	{Name: "go-sdk-stateless", runtime: "go", program: "gosdk", options: []string{"stateless"}, HTTP: true, Stdio: true, Modern: true, Legacy: true, Small: true},
	{Name: "mcp-go", runtime: "go", program: "mcpgo", HTTP: true, Stdio: true, Modern: true, Legacy: true, Sessions: true, Small: true},
	{Name: "ts-sdk1", runtime: "node", program: "sdk1.mjs", HTTP: true, Stdio: true, Legacy: true, Sessions: true, Small: true},
	{Name: "ts-sdk2", runtime: "node", program: "sdk2.mjs", HTTP: true, Stdio: true, Modern: true, Legacy: true, Small: true},
	{Name: "python-sdk", runtime: "python", program: "sdk.py", HTTP: true, Stdio: true, Modern: true, Legacy: true, Sessions: true, Small: true},
	{Name: "fastmcp", runtime: "python", program: "fast.py", HTTP: true, Stdio: true, Modern: true, Legacy: true, Sessions: true, Small: true},
	{Name: "everything", runtime: "node", program: "everything.mjs", HTTP: true, Stdio: true, Legacy: true, Sessions: true},
}
