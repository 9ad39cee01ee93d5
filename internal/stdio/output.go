package stdio

import (
	"errors"
	"io"
	"os"
	"time"
)

// inAPipe is more than a pipe holds, so more than a process can have left behind.
const inAPipe = 1 << 20

// Output is what a process writes, to its end or to that of the process: somebody else may hold it open. When the process has ended, [Drain] is set as
// the file's read deadline. What the process has left behind is read past that too, for a busy machine may come to it late; what somebody else goes
// on writing is not.
type Output struct {
	File  *os.File
	late  bool // the deadline has passed
	past  int  // bytes that were read since
	empty bool // the pipe had fewer bytes than it was asked for: nothing is left behind
}

// Read implements [io.Reader].
func (o *Output) Read(p []byte) (int, error) {
	for quiet := false; o.past < inAPipe && !o.empty; quiet = true {
		n, err := o.File.Read(p)
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			if o.late {
				o.past += n
				o.empty = n < len(p)
			}
			return n, err
		}
		if quiet || o.File.SetReadDeadline(time.Now().Add(Drain)) != nil {
			break
		}
		o.late = true
	}
	return 0, io.EOF
}

// Close ends a Read that waits.
func (o *Output) Close() error { return o.File.Close() }
