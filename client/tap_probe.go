package client

import "github.com/mcperr/mcperr/interpret"

// refuse keeps an SDK from taking a server for one of the older protocol because of a failure that is no verdict on that:
// its handshake is not sent, and fails with what the probe drew.
func (r *Recorder) refuse(req interpret.Request) error {
	if r == nil || req.Method != "initialize" || req.Era == interpret.EraLegacy {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.over || r.request.Method != "server/discover" {
		return nil
	}
	x := r.x
	x.Request = r.request
	if o := interpret.Reply(x); !fallsBack(o) {
		return o.Err()
	}
	return nil
}

// fallsBack reports whether a server whose probe came to this may be offered the handshake of the older protocol.
// Time, people and pages of a gateway are no verdict on a server's era; SDKs take them for one.
func fallsBack(probe interpret.Outcome) bool {
	switch probe.Kind {
	case interpret.LegacyServer, interpret.UnsupportedVersion, interpret.OK:
		return true
	case interpret.NotMCP, interpret.MalformedReply, interpret.ReplyTooLarge, interpret.Cancelled:
		return false
	}
	f := probe.Fixer()
	return f != interpret.FixedByTime && f != interpret.FixedByPerson
}
