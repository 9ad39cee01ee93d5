// Package serve gives the small Go servers their command line: no argument serves standard input and output,
// `http PORT` serves HTTP on loopback and prints the address.
package serve

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/mcperr/mcperr/live/internal/ledger"
)

// Main serves until standard input ends. A server of a test whose process died ends with it, for the pipe breaks then.
func Main(stdio func(context.Context) error, handler http.Handler) {
	log.SetOutput(os.Stderr)
	if len(os.Args) < 3 || os.Args[1] != "http" {
		if err := stdio(context.Background()); err != nil {
			log.Print(err)
		}
		return
	}
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", os.Args[2]))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("listening on http://%s/mcp\n", listener.Addr())
	mux := http.NewServeMux()
	mux.Handle("/mcp", handler)
	go func() { log.Fatal(http.Serve(listener, mux)) }()
	io.Copy(io.Discard, os.Stdin)
}

// Ledger returns the ledger that the environment names.
func Ledger() ledger.Ledger { return ledger.Ledger(os.Getenv(ledger.Env)) }

// Counter runs the tool `counter`: it counts an execution, then holds the answer back.
func Counter(ctx context.Context, holdMillis int) (string, error) {
	if err := Ledger().Add("counter"); err != nil {
		return "", err
	}
	if err := sleep(ctx, holdMillis); err != nil {
		return "", err
	}
	return Count()
}

// Count runs the tool `count`: how often `counter` ran.
func Count() (string, error) {
	n, err := Ledger().Count("counter")
	return fmt.Sprint(n), err
}

// Die runs the tool `die`: the process ends in the middle of the call.
func Die() {
	Ledger().Add("die")
	os.Exit(1)
}

// Slow runs the tool `slow`: it takes its time, and enters a cancel that reached it in the ledger.
func Slow(ctx context.Context, millis int) (string, error) {
	if err := Ledger().Add("slow"); err != nil {
		return "", err
	}
	if err := sleep(ctx, millis); err != nil {
		return "", Ledger().Add("slow cancelled")
	}
	return "done", nil
}

func sleep(ctx context.Context, millis int) error {
	select {
	case <-time.After(time.Duration(millis) * time.Millisecond):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
