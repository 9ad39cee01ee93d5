// Package adapt is what the adapters of SDKs share: it knows no SDK.
package adapt

import "github.com/mcperr/mcperr/interpret"

// FallsBack reports whether a server whose probe (server/discover) came to this may be offered the handshake of the older protocol.
// Time, people and pages of a gateway are no verdict on a server's era: SDKs take them for one.
func FallsBack(probe interpret.Outcome) bool {
	switch probe.Kind {
	case interpret.LegacyServer, interpret.UnsupportedVersion, interpret.OK:
		return true
	case interpret.NotMCP, interpret.MalformedReply, interpret.ReplyTooLarge, interpret.Cancelled:
		return false
	}
	f := probe.Fixer()
	return f != interpret.FixedByTime && f != interpret.FixedByPerson
}
