package stdio

import (
	"bytes"
	"io"
	"math"
)

// How long a line may become that is skipped since it is over the limit. A reply that a tool made too long comes to its end before that; what does not
// is no line, and nothing that follows it is ever read.
const (
	skipTimes = 16
	skipLeast = 4 << 20
)

// Bounded is an output whose lines come to an end: one that goes on for 16 times the limit, and 4 MiB at the least, is where the output is said to
// end. It does not end the process, which is for whoever reads: it has nothing to say any more.
type Bounded struct {
	Below io.Reader
	Limit int64 // bytes of a line that is read; zero or less counts as the least
	line  int64 // bytes of the one that is being read
}

// Read implements [io.Reader].
func (b *Bounded) Read(p []byte) (int, error) {
	if b.line > max(min(b.Limit, math.MaxInt64/skipTimes)*skipTimes, skipLeast) {
		return 0, io.EOF
	}
	n, err := b.Below.Read(p)
	if i := bytes.LastIndexAny(p[:n], "\r\n"); i >= 0 {
		b.line = int64(n - i - 1)
	} else {
		b.line += int64(n)
	}
	return n, err
}
