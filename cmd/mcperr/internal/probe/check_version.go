package probe

import (
	"context"
	"slices"

	"github.com/mcperr/mcperr/interpret"
)

// noVersion is a protocol version that nobody speaks.
const noVersion = "1900-01-01"

var unknownVersion = Check{
	ID: "unknown_version", Asks: "a version nobody speaks", sends: 1,
	wants: []want{
		{since: interpret.Version20260728, over: overHTTP, says: "-32022 with data.supported and data.requested, and HTTP 400", ref: "schema#unsupportedprotocolversionerror"},
		{since: interpret.Version20260728, says: "-32022 with data.supported and data.requested", ref: "schema#unsupportedprotocolversionerror"},
		{says: "an InitializeResult in a version that it does speak, or -32602 with data.supported", ref: "basic/lifecycle#version-negotiation"},
	},
	ask: func(ctx context.Context, a *asking) {
		if a.server.modern() {
			a.modernVersion(ctx)
		} else {
			a.legacyVersion(ctx)
		}
	},
}

func (a *asking) modernVersion(ctx context.Context) {
	a.send(ctx, a.modern(noVersion, "server/discover", nil))
	if !a.readable() || !a.failsWith(-32022) {
		return
	}
	a.status(400)
	if !a.coded(-32022) {
		return
	}
	var data struct {
		Supported []string
		Requested string
	}
	a.last.data(&data)
	a.must(len(data.Supported) > 0, "it does not say in data.supported what it speaks")
	a.must(len(data.Supported) == 0 || slices.Contains(data.Supported, a.server.Version), "data.supported lacks %s, which it speaks", a.server.Version)
	a.must(data.Requested == noVersion, "data.requested is not the version that was asked for")
}

// legacyVersion asks in a process of its own: a handshake opens one.
func (a *asking) legacyVersion(ctx context.Context) {
	if !a.started() {
		return
	}
	q := a.compose("initialize", initializeParams(noVersion))
	a.send(ctx, q)
	if !a.server.http() {
		a.wire.close() // the next question needs another handshake
	}
	if !a.readable() {
		return
	}
	if a.last.m.Error != nil {
		a.readAs(interpret.UnsupportedVersion)
		a.must(len(a.demands) > 0 || len(a.last.o.Supported) > 0, "it does not say what it speaks")
		return
	}
	var result struct{ ProtocolVersion string }
	a.last.result(&result)
	a.must(result.ProtocolVersion != "", "its result has no protocolVersion")
	a.must(result.ProtocolVersion != noVersion, "it agrees to %s, which nobody speaks", noVersion)
}

var unspokenVersion = Check{
	ID: "unspoken_version", Asks: "a version in the header that nobody speaks", over: overHTTP, era: interpret.EraLegacy, sends: 1, loses: true, early: true,
	wants: []want{{says: "HTTP 400", ref: "basic/transports#protocol-version-header"}},
	unfit: func(p *Probe) string {
		if p.server.Version < interpret.Version20250618 {
			return "the header came with 2025-06-18"
		}
		return ""
	},
	ask: func(ctx context.Context, a *asking) {
		q := a.request("ping", nil)
		q.header.Set(headerVersion, noVersion)
		a.send(ctx, q)
		if a.aside(interpret.SessionLost) {
			return
		}
		a.must(a.last.x.Status != 0, "%s", a.unanswered())
		a.status(400)
	},
}
