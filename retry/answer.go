package retry

import (
	"errors"

	"github.com/mcperr/mcperr/interpret"
)

// Answer is what became of one logical call. Methods are nil-safe.
// If the loop never got to send, Attempts is empty and Outcome says that it did not run: because the caller had given up before ([StopContext],
// cancelled or timeout); in a remedy, because the call that it mends had used up its sends ([StopSends], unavailable); or because the body of
// a request for [Loop.HTTP] could not be read ([StopUnsafe], unavailable).
type Answer struct {
	Outcome  interpret.Outcome  // of the last attempt
	Decision Decision           // the final one; its Action is never Retry
	Attempts []Attempt          // all of this call, in order; those of remedies are not among them
	Stop     error              // why it was not sent again, for errors.Is with a [Stop]; nil if there is a result
	Exchange interpret.Exchange // the last one, as it was read
	Vouched  bool               // the host vouched that the call may run twice: a model need not check before it repeats

	model   *ModelText // how ForModel tells it; nil: in the usual way
	repeats repeats    // what a Guard has counted
}

// Err returns nil if there is a result, else the last failure joined with the reason to stop: an [*interpret.Error], which
// errors.Is finds by its kind and by the local error below it, and a [Stop].
func (a *Answer) Err() error {
	if a == nil || a.Decision.Action == Proceed {
		return nil
	}
	var cause error
	if a.Exchange.Failure != nil {
		cause = a.Exchange.Failure.Err
	}
	return errors.Join(a.Outcome.ErrCause(cause), a.Stop)
}

// Stage returns how far the model has gone in repeating this call, as a [Guard] has counted it; StageNone without one.
func (a *Answer) Stage() Stage {
	if a == nil {
		return StageNone
	}
	return a.repeats.stage
}

// stopError is a Stop with what it was about.
type stopError struct {
	stop  Stop
	why   string
	cause error // the caller's, or the remedy's; nil if there is none
	scrub *interpret.Scrubber
}

func (e *stopError) Error() string {
	s := string(e.stop)
	if e.why != "" && e.why != s {
		s += ": " + e.why
	}
	if e.cause != nil { // it may quote a server
		s += ": " + e.scrub.Cause(e.cause, 200)
	}
	return s
}

func (e *stopError) Unwrap() []error {
	if e.cause == nil {
		return []error{e.stop}
	}
	return []error{e.stop, e.cause}
}
