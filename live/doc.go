// Package live starts real MCP servers for tests: small ones on seven SDKs in three languages, and server-everything, over HTTP on
// loopback and over stdio. Its own tests drive package client against each of them, in both eras.
//
// The Go servers need nothing but Go. The others need Node 20 and Python 3.11, and their packages:
//
//	live/install.sh            # to ~/.cache/mcperr-live, or to $MCPERR_LIVE_CACHE
//	go test ./live/...
//
// A server whose runtime or packages are missing skips its tests with the reason, or fails them where MCPERR_LIVE is "required".
package live
