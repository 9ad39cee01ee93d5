package client

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcperr/mcperr/internal/proto"
	"github.com/mcperr/mcperr/interpret"
)

// plan is how the next session is opened: by discovery with a version a request, or by a handshake.
type plan struct {
	handshake bool
	version   string // to declare or to propose
	cached    bool   // from an earlier verdict, not from this server's mouth
	insists   bool   // the server refused this version and named it among those it speaks
}

// method is the request by which the plan opens a session.
func (p plan) method() string {
	if p.handshake {
		return "initialize"
	}
	return "server/discover"
}

// VersionError says that client and server have no protocol version in common.
type VersionError struct {
	Ours   []string // newest first
	Theirs []string // as the server named them; nil if it did not

	scrub *interpret.Scrubber
}

func (c *Client) noVersion(theirs []string) *VersionError {
	return &VersionError{Ours: c.versions, Theirs: theirs, scrub: c.secrets.scrub.Load()}
}

// Error names both lists, the server's as far as a log may have it.
func (e *VersionError) Error() string {
	theirs := "names none"
	if len(e.Theirs) > 0 {
		theirs = "speaks " + e.scrub.Line(strings.Join(e.Theirs, ", "), 200)
	}
	return fmt.Sprintf("client: no protocol version in common: this client speaks %s, the server %s", strings.Join(e.Ours, ", "), theirs)
}

// probing is the plan for a server that nothing is known of: the newest version, and discovery if that is one of those that have it.
func (c *Client) probing() plan {
	newest := c.versions[0]
	return plan{handshake: !proto.Modern(newest), version: newest}
}

// heeds reports whether a verdict may be acted on: it names an era, and a version that this client speaks in it.
func (c *Client) heeds(v Verdict) bool {
	era := v.Era == interpret.EraLegacy || v.Era == interpret.EraModern && proto.Modern(v.Version)
	return era && slices.Contains(c.versions, v.Version)
}

// shaking is the plan for a server that wants a handshake.
func (c *Client) shaking() (plan, error) {
	for _, v := range c.versions {
		if !proto.Modern(v) {
			return plan{handshake: true, version: v}, nil
		}
	}
	return plan{}, c.noVersion(nil)
}

// amended is the plan after a version was refused: the newest common version other than the refused one. If the server says that it
// speaks that very version, it is taken at its word once more before the other way of opening a session is tried; and that is tried
// if it says that it has no handshake.
func (c *Client) amended(refused plan, supported []string) (plan, error) {
	for _, v := range c.versions {
		if v != refused.version && slices.Contains(supported, v) {
			return plan{handshake: !proto.Modern(v), version: v}, nil
		}
	}
	if slices.Contains(supported, refused.version) {
		return plan{insists: !refused.handshake, version: refused.version}, nil
	}
	if len(supported) == 0 && refused.handshake && proto.Modern(c.versions[0]) {
		return plan{version: c.versions[0]}, nil
	}
	return plan{}, c.noVersion(supported)
}

// spokenVersions is the host's choice of versions, newest first, without those that are not spoken or are below the floor.
func spokenVersions(choice []string, allowed func(string) bool) ([]string, error) {
	var ours []string
	for _, v := range slices.Backward(interpret.Versions()) {
		if allowed(v) && (len(choice) == 0 || slices.Contains(choice, v)) {
			ours = append(ours, v)
		}
	}
	if ours == nil {
		return nil, fmt.Errorf("client: no protocol version is left to speak: of %s the host chose %s", strings.Join(interpret.Versions(), ", "), strings.Join(choice, ", "))
	}
	return ours, nil
}
