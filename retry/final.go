package retry

import "errors"

// Final marks a local error, for the Failure of an exchange that a [Sender] returns: no other attempt makes sense, because the command is
// not there, because the client is closed. The call ends with [StopFinal], whatever its policy, unless the caller gave up or a result came.
//
// The mark may lie below other errors, also those of an [http.RoundTripper] under [Loop.HTTP]; it changes neither the text of err nor what errors.Is
// and errors.As find in it. It is for what the sending side knows of itself, and never for what a server says. Final of nil is nil.
func Final(err error) error {
	if err == nil {
		return nil
	}
	return &finalError{err}
}

type finalError struct{ error }

func (e *finalError) Unwrap() error { return e.error }

// isFinal reports whether an error bears the mark.
func isFinal(err error) bool {
	_, marked := errors.AsType[*finalError](err)
	return marked
}

func finalGate(j *judgement) (Stop, string) {
	if j.state.Final {
		return StopFinal, string(StopFinal)
	}
	return "", "the sender says nothing against it"
}
