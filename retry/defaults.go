package retry

import "github.com/mcperr/mcperr/interpret"

// Default is one row of the default policy: what a kind leads to where no [Rule] matches.
// Retry stands under the gates of [Policy.Decide]; Surface is Abort on a request that no model asked for.
type Default struct {
	Kind   interpret.Kind
	Action Action
	Says   string // the reason, as a clause
	Where  string // the condition, as a clause; "" if the row always holds

	when func(*interpret.Outcome) bool
}

// Defaults returns the rows in the order of [interpret.Kinds]; of the rows of one kind the first that holds wins.
// A kind without a row, as one of a later version, is aborted.
func Defaults() []Default { return append([]Default(nil), defaults...) }

var defaults = []Default{
	{Kind: interpret.OK, Action: Proceed, Says: "there is a result"},
	{Kind: interpret.Task, Action: Proceed, Says: "the server took it as a task, to be polled"},
	{Kind: interpret.InputRequired, Action: Retry, Says: "the protocol asks for the state to be sent back", when: remedyIs(interpret.EchoState), Where: "only a requestState came"},
	{Kind: interpret.InputRequired, Action: Ask, Says: "the server's questions are to be answered"},
	{Kind: interpret.ToolError, Action: Surface, Says: "the tool ran and says that it failed"},
	{Kind: interpret.InvalidArguments, Action: Surface, Says: "the model can correct the arguments"},
	{Kind: interpret.UnknownTool, Action: Surface, Says: "the model can choose another tool"},
	{Kind: interpret.ResourceNotFound, Action: Surface, Says: "the model can choose another resource"},
	{Kind: interpret.UnknownPrompt, Action: Surface, Says: "the model can choose another prompt"},
	{Kind: interpret.UnsupportedVersion, Action: Retry, Says: "another version can be agreed on", when: hasRemedy, Where: "there is one in common"},
	{Kind: interpret.UnsupportedVersion, Action: Abort, Says: "no version is in common"},
	{Kind: interpret.LegacyServer, Action: Retry, Says: "the server wants a handshake first", when: hasRemedy, Where: "a handshake can be tried"},
	{Kind: interpret.LegacyServer, Action: Abort, Says: "the server wants a handshake that cannot be tried"},
	{Kind: interpret.SessionLost, Action: Retry, Says: "a new session can be opened", when: hasRemedy, Where: "the session can be replaced"},
	{Kind: interpret.SessionLost, Action: Abort, Says: "the session is gone and cannot be replaced"},
	{Kind: interpret.HeaderMismatch, Action: Retry, Says: "the headers can be made to fit the body", when: hasRemedy, Where: "other headers can be made"},
	{Kind: interpret.HeaderMismatch, Action: Abort, Says: "the headers fit the body, whatever the server says"},
	{Kind: interpret.MissingCapability, Action: Abort, Says: "the server needs what this host did not declare"},
	{Kind: interpret.InputExpired, Action: Retry, Says: "the call can be started anew", when: mayGoAgain, Where: "the state was sent for the first time"},
	{Kind: interpret.InputExpired, Action: Surface, Says: "the state may have been used: check before repeating"},
	{Kind: interpret.InvalidCursor, Action: Retry, Says: "the list can be read from its first page", when: hasRemedy, Where: "it can be restarted"},
	{Kind: interpret.InvalidCursor, Action: Abort, Says: "the cursor is refused"},
	{Kind: interpret.InvalidRequest, Action: Retry, Says: "the call can be made without a task", when: remedyIs(interpret.DropTask), Where: "it carried a task"},
	{Kind: interpret.InvalidRequest, Action: Abort, Says: "the host's own request is wrong"},
	{Kind: interpret.MethodNotFound, Action: Abort, Says: "the server does not have this feature"},
	{Kind: interpret.NotMCP, Action: Abort, Says: "the address does not speak this transport"},
	{Kind: interpret.RateLimited, Action: Retry, Says: "the server takes it again later"},
	{Kind: interpret.Unavailable, Action: Retry, Says: "the server may be there again later"},
	{Kind: interpret.Timeout, Action: Retry, Says: "the server may answer in time the next time"},
	{Kind: interpret.ConnectionLost, Action: Retry, Says: "the connection may hold the next time"},
	{Kind: interpret.ServerError, Action: Retry, Says: "the server's failure may pass"},
	{Kind: interpret.Unauthorized, Action: Ask, Says: "the user can sign in"},
	{Kind: interpret.InsufficientScope, Action: Ask, Says: "the user can grant a wider scope"},
	{Kind: interpret.Forbidden, Action: Abort, Says: "nothing the user answers changes the next request"},
	{Kind: interpret.PaymentRequired, Action: Ask, Says: "somebody has to pay"},
	{Kind: interpret.URLElicitation, Action: Ask, Says: "the user has to visit a page first"},
	{Kind: interpret.MalformedReply, Action: Abort, Says: "what came is not an answer"},
	{Kind: interpret.ReplyTooLarge, Action: Abort, Says: "the reply is over this client's limit"},
	{Kind: interpret.Cancelled, Action: Abort, Says: "the caller cancelled"},
	{Kind: interpret.UnknownError, Action: Surface, Says: "an error without a meaning of its own"},
}

func hasRemedy(o *interpret.Outcome) bool  { return o.Remedy != "" }
func mayGoAgain(o *interpret.Outcome) bool { return o.Leave != interpret.LeaveNever }
func remedyIs(r interpret.Remedy) func(*interpret.Outcome) bool {
	return func(o *interpret.Outcome) bool { return o.Remedy == r }
}

// byKind indexes the rows: a decision looks at those of its kind only.
var byKind = func() map[interpret.Kind][]Default {
	m := make(map[interpret.Kind][]Default, len(defaults))
	for _, d := range defaults {
		m[d.Kind] = append(m[d.Kind], d)
	}
	return m
}()

// defaultRow returns the row of an outcome; that of an unknown kind aborts.
func defaultRow(o *interpret.Outcome) Default {
	for _, d := range byKind[o.Kind] {
		if d.when == nil || d.when(o) {
			return d
		}
	}
	return Default{Kind: o.Kind, Says: "this kind is not known here"}
}
