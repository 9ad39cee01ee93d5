package interpret

import (
	"net/http"
	"time"
)

// Exchange is one request and all that came back for it.
// Over HTTP that is Status, Header and Body, over stdio Lines; a local Failure stands alone or beside the part that had arrived.
// The zero value is a request nobody answered and reads as a malformed reply.
type Exchange struct {
	Request   Request
	Status    int // 0: no HTTP reply arrived
	Header    http.Header
	Body      []byte
	Lines     [][]byte  // lines of standard output, without their newlines
	Received  time.Time // when the reply's header arrived; stands in for a missing Date header. Zero: unknown
	Truncated bool      // Body or Lines were cut by the client's size limit
	Replied   []string  // ids, raw JSON, of the server's own requests that we answered meanwhile
	Failure   *Failure
}

// Failure is a fault of our own side.
type Failure struct {
	What     FailureWhat
	Delivery Delivery
	ExitCode *int  // of a process that ended, where known
	Err      error // the local error; it is never read, only kept
}

// FailureWhat names a local failure. The zero value reads as [FailedReset].
type FailureWhat string

// Local failures.
const (
	FailedTimeout   FailureWhat = "timeout"   // our deadline
	FailedCancelled FailureWhat = "cancelled" // the caller's cancel
	FailedRefused   FailureWhat = "refused"   // the connection, or its one stream, was refused
	FailedReset     FailureWhat = "reset"     // the connection broke
	FailedEOF       FailureWhat = "eof"       // the connection ended
	FailedExited    FailureWhat = "exited"    // the process ended
	FailedDNS       FailureWhat = "dns"       // no address for the name
	FailedTLS       FailureWhat = "tls"       // no TLS session
	FailedProtocol  FailureWhat = "protocol"  // bytes that are no HTTP
)

// Delivery says how far a request got. The zero value is not known and counts as written.
type Delivery string

// How far it got.
const (
	DeliveryUnknown   Delivery = ""
	DeliveryNotSent   Delivery = "not_sent"  // no byte was written, or the server proved that it took none
	DeliveryWritten   Delivery = "written"   // at least one byte may have reached the server
	DeliveryAnswering Delivery = "answering" // the first byte of a reply has been seen
)
