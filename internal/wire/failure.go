package wire

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"syscall"

	"github.com/mcperr/mcperr/interpret"
)

// Failure names a local error by what it is, with the delivery state it left. It returns nil for a nil error.
// ctx is the request's: an error that is its end is the caller's cancel or deadline, whatever cause it carries.
func (t *Trace) Failure(ctx context.Context, err error) *interpret.Failure {
	if err == nil {
		return nil
	}
	f := &interpret.Failure{What: t.what(ctx, err), Delivery: t.Delivery(), Err: err}
	if f.Delivery == interpret.DeliveryWritten && nothingWritten(err) {
		f.Delivery = interpret.DeliveryNotSent
	}
	return f
}

func (t *Trace) what(ctx context.Context, err error) interpret.FailureWhat {
	if end := ctx.Err(); end != nil && (errors.Is(err, end) || errors.Is(err, context.Cause(ctx))) {
		if errors.Is(end, context.Canceled) {
			return interpret.FailedCancelled
		}
		return interpret.FailedTimeout
	}
	switch {
	case is[*net.DNSError](err):
		return interpret.FailedDNS
	case isTimeout(err):
		return interpret.FailedTimeout
	case errors.Is(err, context.Canceled):
		return interpret.FailedCancelled
	case t.tlsFailed.Load() && !t.wrote.Load(), isTLS(err):
		return interpret.FailedTLS
	case isDial(err), errors.Is(err, syscall.ECONNREFUSED), !t.answering.Load() && refusedStream(err):
		return interpret.FailedRefused
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return interpret.FailedEOF
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE), errors.Is(err, syscall.ECONNABORTED), errors.Is(err, net.ErrClosed):
		return interpret.FailedReset
	case t.answering.Load():
		return interpret.FailedProtocol // bytes came, and net/http could make nothing of them
	}
	return interpret.FailedReset
}

func is[E error](err error) bool {
	_, ok := errors.AsType[E](err)
	return ok
}

func isTimeout(err error) bool {
	e, ok := errors.AsType[net.Error](err)
	return ok && e.Timeout() || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded)
}

func isTLS(err error) bool {
	return is[tls.RecordHeaderError](err) || is[*tls.CertificateVerificationError](err) || is[tls.AlertError](err) ||
		is[x509.UnknownAuthorityError](err) || is[x509.HostnameError](err) || is[x509.CertificateInvalidError](err) ||
		errors.Is(err, http.ErrSchemeMismatch)
}

func isDial(err error) bool {
	e, ok := errors.AsType[*net.OpError](err)
	return ok && (e.Op == "dial" || e.Op == "proxyconnect")
}

// streamError has the fields of the HTTP/2 error that net/http keeps to itself; it converts to any type that has them.
type streamError struct {
	StreamID uint32
	Code     uint32
	Cause    error
}

func (e streamError) Error() string { return "stream error" }

// refusedStream reports whether the server took no part of the request: RFC 9113, sections 7 and 8.7 (REFUSED_STREAM) and
// 6.8 (a GOAWAY that does not cover the stream). Where net/http flattens the error to text, its text is read: if a later
// version words it otherwise, a resend is lost and nothing runs twice.
func refusedStream(err error) bool {
	const refused = 7
	if e, ok := errors.AsType[streamError](err); ok {
		return e.Code == refused
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	return refusedText.MatchString(err.Error())
}

// refusedText is the whole of the error's text: other errors quote what a server wrote, and that may be anything.
var refusedText = regexp.MustCompile(`^http2: Transport: cannot retry err \[(?:stream error: stream ID \d+; REFUSED_STREAM(?:; received from peer)?|` +
	`http2: Transport received Server's graceful shutdown GOAWAY|http2: client conn not usable)\] after Request\.Body was written; define Request\.GetBody to avoid this error$`)

// nothingWritten reports whether net/http found that not one byte of the request left for the connection, and kept the
// error for itself because the body could not be read again. Its type is known by name only, on the same terms as above.
func nothingWritten(err error) bool {
	for ; err != nil; err = errors.Unwrap(err) {
		if fmt.Sprintf("%T", err) == "http.nothingWrittenError" {
			return true
		}
	}
	return false
}
