package retry

import "fmt"

// Action is what happens to a logical call after one reply.
// The zero value is Abort; its text is the word that README.md has under "What a reply means".
type Action uint8

// The closed set of actions.
const (
	Abort   Action = iota // the logical call ends without a resend
	Surface               // the model gets it as the result of its call
	Ask                   // only a person can make the next request different
	Retry                 // send again after the delay, with the remedy carried out if there is one
	Proceed               // there is a result: use it
)

var actionText = [...]string{Abort: "abort", Surface: "surface", Ask: "ask", Retry: "retry", Proceed: "proceed"}

// String returns the word, "abort" for a value outside the set.
func (a Action) String() string {
	if int(a) >= len(actionText) {
		return actionText[Abort]
	}
	return actionText[a]
}

// MarshalText returns the word. It never fails.
func (a Action) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText takes one of the five words and nothing else.
func (a *Action) UnmarshalText(b []byte) error {
	for i, text := range actionText {
		if text == string(b) {
			*a = Action(i)
			return nil
		}
	}
	return fmt.Errorf("retry: unknown action %q", b)
}
