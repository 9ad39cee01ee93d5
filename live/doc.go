// Package live starts real MCP servers for tests: small ones on the official Go, TypeScript (1 and 2) and Python SDKs, on mcp-go and on
// FastMCP, and server-everything, over HTTP on loopback and over stdio. Its own tests drive package client against each of them, in both eras.
//
// The Go servers need nothing but Go. The others need Node 20 and Python 3.11, and their packages:
//
//	live/install.sh            # to ~/.cache/mcperr-live, or to $MCPERR_LIVE_CACHE
//	go test ./live/...
//
// A server whose runtime or packages are missing skips its tests with the reason, or fails them where MCPERR_LIVE is "required".
//
// By hand, without arguments a small server serves standard input and output, with these HTTP at a port (0: any), and prints the address:
//
//	go build -o server ./live/servers/mcpgo && ./server http 8080
//
// Either way it ends with its standard input: in the background, give it one that stays open, as "sleep 1d | ./server http 8080 &" does.
// If the variable LEDGER names a file, the tools counter, slow and die note there that they ran, and count reads it; else count says 0.
package live
