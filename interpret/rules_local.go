package interpret

// Failures of our own side, and the size limit.

var cancelRules = []row{
	{Rule{ID: "cancelled", Ref: specLegacy + "basic/utilities/cancellation", Says: "the caller cancelled", Kind: Cancelled, Basis: BasisShape},
		func(r *reading) bool { return r.failed(FailedCancelled) }},
}

var localRules = []row{
	{Rule{ID: "too_large", Ref: recorded, Says: "the reply is over the client's limit", Kind: ReplyTooLarge, Basis: BasisShape},
		func(r *reading) bool { return r.x.Truncated }},
	{Rule{ID: "not_sent_in_time", Ref: recorded, Says: "the deadline passed before anything was written", Kind: Timeout, Basis: BasisShape},
		func(r *reading) bool { return r.failed(FailedTimeout) && r.notSent() }},
	{Rule{ID: "not_sent", Ref: rfc9110 + "9.2.2", Says: "the request was never written, or its stream was refused", Kind: Unavailable, Basis: BasisShape},
		func(r *reading) bool { return r.x.Failure != nil && r.notSent() }},
	{Rule{ID: "probe_silence", Ref: specModern + "basic/transports/stdio#backward-compatibility", Says: "the probe on stdio drew no answer within its own deadline", Kind: LegacyServer, Basis: BasisDefined, Remedy: Initialize},
		func(r *reading) bool { return r.stdioProbe() && r.failed(FailedTimeout) }},
	{Rule{ID: "probe_exit", Ref: specModern + "basic/transports/stdio#backward-compatibility", Says: "the process ended at the probe before any message", Kind: LegacyServer, Basis: BasisDefined, Remedy: Initialize},
		func(r *reading) bool {
			return r.stdioProbe() && r.messages == 0 && (r.failed(FailedExited) || r.failed(FailedEOF))
		}},
	{Rule{ID: "deadline", Ref: specLegacy + "basic/lifecycle#timeouts", Says: "our deadline passed", Kind: Timeout, Basis: BasisShape},
		func(r *reading) bool { return r.failed(FailedTimeout) }},
	{Rule{ID: "lost_resumable", Ref: specLegacy + "basic/transports#resumability-and-redelivery", Says: "an event stream of 2025-03-26 to 2025-11-25 ended without the answer, and an event id had been seen", Kind: ConnectionLost, Basis: BasisShape, Remedy: Resume},
		func(r *reading) bool { return (r.x.Failure != nil || r.streamEnded()) && r.resumable() }},
	{Rule{ID: "lost", Ref: recorded, Says: "the connection or the process ended after the write", Kind: ConnectionLost, Basis: BasisShape},
		func(r *reading) bool { return r.x.Failure != nil }},
	{Rule{ID: "stream_ended", Ref: recorded, Says: "an event stream ended without any answer", Kind: ConnectionLost, Basis: BasisShape},
		(*reading).streamEnded},
}

// waitingForUs stands in Why beside the rule of a timeout.
var waitingForUs = Rule{ID: "waiting_for_us", Ref: recorded, Says: "a request of the server's own stood unanswered", Kind: Timeout, Basis: BasisShape}

func (r *reading) failed(what FailureWhat) bool {
	return r.x.Failure != nil && r.x.Failure.What == what
}

// notSent is proof that nothing reached the server.
func (r *reading) notSent() bool {
	f := r.x.Failure
	return f != nil && (f.Delivery == DeliveryNotSent || f.Delivery != DeliveryAnswering && (f.What == FailedRefused || f.What == FailedDNS))
}

// answered: a whole answer under our id came, whatever broke after it.
func (r *reading) answered() bool { return r.m != nil && r.rel == own }

// cut: the end of the reply is missing, in which an answer may have stood, and no status wins over any. What is there proves nothing.
func (r *reading) cut() bool {
	return (r.x.Failure != nil || r.x.Truncated) && !r.answered() && !r.statusWins()
}

func (r *reading) stdioProbe() bool {
	return r.probe() && !r.isHTTP() && r.req.Era == EraUnknown
}

// streamEnded: a good stream, to a request, closed by the other side without anything that could be the answer.
func (r *reading) streamEnded() bool {
	return r.stream && r.ok2xx() && r.m == nil && r.strange == 0 && r.unread == "" && !r.deep && r.req.ID != ""
}

func (r *reading) resumable() bool {
	return r.stream && r.eventID != "" && r.req.Version >= Version20250326 && r.req.Version <= Version20251125
}
