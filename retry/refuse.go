package retry

import "github.com/mcperr/mcperr/interpret"

// Refuse returns the answer to a call that is not made at all, for the reason that err gives: nothing was sent, and it did not run. It is decided by the
// loop's policy and told to a model by its ModelText; no attempt is made, observed or logged.
//
// kind is [interpret.InvalidArguments] where the model can mend the call; it reads err then, scrubbed and on one line, so err must be in words of
// ours and of the model's. It is [interpret.InvalidRequest] where the host has to, and no model reads err.
func (l *Loop) Refuse(req interpret.Request, kind interpret.Kind, err error) *Answer {
	x := interpret.Exchange{Request: req, Failure: &interpret.Failure{Delivery: interpret.DeliveryNotSent, Err: err}}
	o := interpret.Outcome{Kind: kind, Origin: interpret.OriginClient, Ran: interpret.RanNo, Basis: interpret.BasisShape}.ScrubbedBy(l.secrets())
	never := func(interpret.Remedy) bool { return false }
	d := l.Policy.Decide(req, o, State{Can: never})
	return &Answer{Outcome: o, Decision: d, Stop: &stopError{stop: d.Stop, why: d.Reason}, Exchange: x, model: l.Model}
}
