package adapt

import (
	"context"
	"errors"
	"io"

	"github.com/mcperr/mcperr/interpret"
)

// Failure names what an error of a transport of lines is; ended is what the transport says of its own end.
func Failure(ctx context.Context, err, ended error, d interpret.Delivery) interpret.Failure {
	f := interpret.Failure{What: interpret.FailedReset, Delivery: d, Err: err}
	switch end := ctx.Err(); {
	case errors.Is(err, context.DeadlineExceeded), errors.Is(end, context.DeadlineExceeded):
		f.What = interpret.FailedTimeout
	case errors.Is(err, context.Canceled), end != nil:
		f.What = interpret.FailedCancelled
	case errors.Is(err, ended), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		f.What = interpret.FailedEOF
	}
	return f
}
