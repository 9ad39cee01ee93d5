package retry

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

// wording knows what the sentences of a [Telling] need.
type wording struct {
	req      *interpret.Request
	o        *interpret.Outcome
	d        *Decision
	attempts int
	vouched  bool
	scrub    *interpret.Scrubber
	local    error // of our side, where that is what failed; nil: none
}

// happenings say what happened of what a model cannot fix, each as a sentence of its own.
var happenings = map[interpret.Kind]string{
	interpret.InputRequired:      "The server asks for more before it can answer.",
	interpret.UnsupportedVersion: "The client and the server could not agree on a protocol version.",
	interpret.LegacyServer:       "The server speaks an older protocol, and no session could be opened with it.",
	interpret.SessionLost:        "The session with the server ended and could not be replaced.",
	interpret.HeaderMismatch:     "The server says that headers and body of the request contradict each other.",
	interpret.MissingCapability:  "The server needs something that this client does not offer.",
	interpret.InputExpired:       "What the server had asked for came too late for it.",
	interpret.InvalidCursor:      "The server no longer knows the place in its list.",
	interpret.InvalidRequest:     "The request itself was refused, which is this client's fault and not yours.",
	interpret.MethodNotFound:     "The server does not have this feature.",
	interpret.NotMCP:             "No MCP server answers at this address.",
	interpret.RateLimited:        "The server takes no more requests for now.",
	interpret.Unavailable:        "The server cannot be reached.",
	interpret.Timeout:            "The server did not answer in time.",
	interpret.ConnectionLost:     "The connection to the server broke before the answer.",
	interpret.ServerError:        "The server had a fault of its own.",
	interpret.Unauthorized:       "The server wants the user to sign in.",
	interpret.InsufficientScope:  "The server wants a permission that the user has not given.",
	interpret.Forbidden:          "The server refuses access.",
	interpret.PaymentRequired:    "The server wants to be paid first.",
	interpret.URLElicitation:     "The server wants the user to visit a page first.",
	interpret.MalformedReply:     "The server's reply cannot be understood.",
	interpret.ReplyTooLarge:      "The server's reply is larger than this client takes.",
	interpret.UnknownError:       "The server answered with an error that says nothing.",
}

// notFixable is the third text: what happened, and what happens now. It has no word of the server's, and none to call again.
func (w *wording) notFixable() (happened, ran, advice string) {
	if w.d.Stop == StopLoop {
		return w.notMade()
	}
	happened = strings.TrimSpace(w.call() + " failed. " + happenings[w.o.Kind])
	switch _, unmade := errors.AsType[*unmadeError](w.local); {
	case unmade:
		happened = w.call() + " was not made."
	case w.o.Kind == interpret.Cancelled:
		happened = w.call() + " was cancelled."
	case w.o.Kind == interpret.InputRequired:
		happened = w.call() + " is not finished. " + happenings[w.o.Kind]
	}
	if w.attempts > 1 {
		happened += fmt.Sprintf(" It was sent %d times.", w.attempts)
	}
	if wait := w.o.RetryAfter; wait > 0 {
		happened += fmt.Sprintf(" The server asks for no request within %s.", seconds(wait))
	}
	if ran = w.ran(); w.d.Action == Ask && w.o.Kind == interpret.InputRequired {
		ran = "" // it goes on
	}
	switch {
	case w.d.Action == Ask && w.o.Fixer() == interpret.FixedByHost:
		advice = "The host has to give what is asked for; you cannot."
	case w.d.Action == Ask:
		advice = "Only the user can settle this, and the host asks them; until then the same call fails in the same way."
	case w.o.Kind == interpret.Cancelled:
		advice = "Leave it, unless the user asks for it."
	default:
		advice = "You cannot fix this: go on without it, or tell the user."
	}
	return happened, ran, advice
}

// notMade is said of a call that a [Guard] has held back; what was counted stands in [Telling.Repeats].
func (w *wording) notMade() (happened, ran, advice string) {
	if w.d.Action == Ask {
		return w.call() + " was not made.", "", "The host asks the user whether it may be made again."
	}
	return w.call() + " was not made.", "", "It is not made again in this conversation."
}

// perhaps is the first and the second text, without what the server said. silent is a server that said nothing.
func (w *wording) perhaps(silent, checked bool) (happened, ran, advice string) {
	switch w.o.Kind {
	case interpret.ToolError:
		happened = upper(w.subject()) + " reports a failure."
		advice = "If this shows what to change, change it and call again. Do not repeat the call with the same arguments."
		if silent {
			advice = "Do not repeat the call with the same arguments."
		}
		if w.unlisted() {
			happened = upper(w.subject()) + " reports a failure, and the server's list has no tool of that name."
			advice = "If there is no such tool, call one that exists. " + advice
		}
	case interpret.InvalidArguments:
		happened, advice = w.refusedArguments(silent, checked)
		if unknown := w.ran(); w.o.Ran == interpret.RanUnknown && unknown != "" {
			ran, advice = unknown, "If it did not, correct the arguments and call again. The same arguments are refused again."
		}
	case interpret.UnknownTool:
		happened = w.notThere()
		advice = "Call one that exists: this name fails again."
		if w.o.Basis == interpret.BasisShape && w.o.Ran == interpret.RanUnknown { // the list alone says so, and it may be old
			happened, ran = w.call()+" failed, and the server's list has no tool of that name.", w.ran()
			advice = "Call one that exists."
		}
	case interpret.UnknownPrompt:
		happened = w.notThere()
		advice = "Get one that exists: this name fails again."
	case interpret.ResourceNotFound:
		happened = w.notThere()
		advice = "Read one that exists: this URI fails again."
	default: // perhaps fixable
		happened = w.call() + " failed on the server."
		ran = w.ran()
		advice = "If the server names something in what you sent, change that and call again. Otherwise do not repeat the call."
		if silent {
			advice = "Do not repeat the call unless you change what you sent."
		}
	}
	if silent && !w.tooLarge() && !w.refusedHere() {
		happened += " It gave no reason."
	}
	return happened, ran, advice
}

// unlisted reports whether the tool is not on the list: servers from before the rule tell an unknown tool as a result, and a list grows old.
func (w *wording) unlisted() bool {
	return w.req.Method == "tools/call" && w.named() && w.req.Known.Tools != nil && !w.req.Known.Tools.Has(w.req.Target)
}

// tooLarge reports whether what was sent was refused for its size (RFC 9110, section 15.5.14; RFC 6585, section 5).
func (w *wording) tooLarge() bool {
	return w.o.Kind == interpret.InvalidArguments && (w.o.Status == 413 || w.o.Status == 414 || w.o.Status == 431)
}

// refusedHere reports whether it was this side that refused the arguments: see [Loop.Refuse].
func (w *wording) refusedHere() bool {
	return w.o.Kind == interpret.InvalidArguments && w.o.Origin == interpret.OriginClient
}

func (w *wording) refusedArguments(silent, checked bool) (happened, advice string) {
	if w.refusedHere() {
		const most = 300 // characters of the reason
		why := strings.TrimRight(cmp.Or(w.scrub.Cause(w.local, most), "the arguments cannot be read"), ".")
		return w.call() + " was not made: " + why + ".", "Correct the arguments and call again. The same arguments are refused again."
	}
	if w.tooLarge() {
		return fmt.Sprintf("%s was refused: what you sent is too large (HTTP %d).", w.call(), w.o.Status), "Send less, or in parts. The same call is refused again."
	}
	happened = "The arguments of " + w.subject() + " were refused."
	if w.o.Ran == interpret.RanNo && w.req.Method == "tools/call" {
		happened = strings.TrimSuffix(happened, ".") + "; it did not run."
	}
	advice = "Correct the arguments and call again. The same arguments are refused again."
	if silent && !checked {
		advice = "Compare the arguments with the schema of the tool, correct them and call again. The same arguments are refused again."
	}
	return happened, advice
}

// ran says what is not known of a call that may have done something. Of what may run twice without harm there is nothing to say.
func (w *wording) ran() string {
	switch {
	case w.req.Method != "tools/call" || w.vouched:
		return ""
	case w.o.Ran == interpret.RanNo:
		return "The tool did not run."
	case w.o.Ran == interpret.RanYes:
		return "The tool ran."
	}
	return "Outcome unknown: the tool may have run. Check before repeating."
}

// call names the call, as the beginning of a sentence.
func (w *wording) call() string {
	switch {
	case w.req.Method == "resources/read":
		return "Reading " + w.subject()
	case w.req.Method == "prompts/get":
		return "Getting " + w.subject()
	case w.req.Method == "tools/call" && w.named():
		return "The call of " + w.subject()
	}
	return "The call" // of no known tool; or the opening of a session stood for it, or no model asked for it
}

// notThere says that what the model asked for does not exist.
func (w *wording) notThere() string {
	if !w.named() {
		return "The server has no such " + w.noun() + "."
	}
	return "The server has no " + w.subject() + "."
}

// named reports whether a name is known: the model may have left it out, and a host may not know what was asked.
func (w *wording) named() bool { return w.req.Target != "" }

func (w *wording) noun() string {
	switch w.req.Method {
	case "resources/read":
		return "resource"
	case "prompts/get":
		return "prompt"
	}
	return "tool"
}

// subject names what the model asked for, in the model's own words if there are any.
func (w *wording) subject() string {
	const most = 100
	if !w.named() {
		return "the " + w.noun()
	}
	return w.noun() + ` "` + strings.ReplaceAll(w.scrub.Line(w.req.Target, most), `"`, "'") + `"`
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// seconds writes a delay as a model reads it best.
func seconds(d time.Duration) string {
	if d < time.Second {
		return "1 second"
	}
	return fmt.Sprintf("%d seconds", (d+time.Second-1)/time.Second)
}
