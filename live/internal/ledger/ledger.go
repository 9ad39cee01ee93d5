// Package ledger counts what a test server ran, in a file that outlives the server.
// The file has a line an event; servers in other languages append to it in the same way.
package ledger

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"strings"
)

// Env is the environment variable that tells a server where its ledger is.
const Env = "LEDGER"

// Ledger is the path of a ledger file. A file that is not there yet is an empty ledger; without a path, nothing is kept.
type Ledger string

// Add appends one event. Lines this short are appended whole, also by two processes at once.
func (l Ledger) Add(event string) error {
	if l == "" {
		return nil
	}
	f, err := os.OpenFile(string(l), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(event + "\n")
	return errors.Join(err, f.Close())
}

// Count returns how often an event was added.
func (l Ledger) Count(event string) (int, error) {
	data, err := os.ReadFile(string(l))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	n := 0
	for line := range strings.Lines(string(bytes.ToValidUTF8(data, nil))) {
		if strings.TrimSuffix(line, "\n") == event {
			n++
		}
	}
	return n, err
}
