package interpret

import (
	"slices"

	"github.com/mcperr/mcperr/internal/proto"
)

// Protocol versions, oldest first.
const (
	Version20241105 = "2024-11-05" // accepted as an answer to initialize; its HTTP+SSE transport is not spoken
	Version20250326 = "2025-03-26"
	Version20250618 = "2025-06-18"
	Version20251125 = "2025-11-25"
	Version20260728 = "2026-07-28"
)

// Versions returns the protocol versions that this library speaks, oldest first.
func Versions() []string {
	return []string{Version20241105, Version20250326, Version20250618, Version20251125, Version20260728}
}

// spoken reports whether we speak the version.
func spoken(v string) bool { return slices.Contains(Versions(), v) }

// modern reports whether a version is one in which every request declares its own.
func modern(v string) bool { return proto.Modern(v) }

// versionList is what an error says about versions.
type versionList struct {
	supported []string
	requested string
	named     bool // supported was there as anything
	found     bool // and as a list or a string, or another name for it was
}

// versionsIn reads supported and requested from an error's data. wide also takes the names that other servers give the list at the handshake.
func versionsIn(data []byte, wide bool) versionList {
	var l versionList
	read := func(v []byte) {
		if s := text(v); s != nil {
			l.supported, l.found = []string{string(s)}, true
		} else if isArray(v) {
			l.supported, l.found = textList(v), true
		}
	}
	members(data, func(name, v []byte) bool {
		switch string(name) {
		case "supported":
			l.named = true
			if !l.found && (isArray(v) || wide) {
				read(v)
			}
		case "requested":
			l.requested = string(text(v))
		}
		return true
	})
	if wide && !l.found {
		members(data, func(name, v []byte) bool {
			switch string(name) {
			case "supportedVersions", "expected", "expectedVersion":
				read(v)
			}
			return !l.found
		})
	}
	return l
}

// textList returns the strings of an array, at most maxVersions of them; anything else in it is passed over.
func textList(array []byte) []string {
	const maxVersions = 64
	list := make([]string, 0, 4)
	elements(array, func(v []byte) bool {
		if s := text(v); s != nil {
			list = append(list, string(s))
		}
		return len(list) < maxVersions
	})
	return list
}

// common reports whether the list holds a version that we speak.
func (l *versionList) common() bool { return slices.ContainsFunc(l.supported, spoken) }
