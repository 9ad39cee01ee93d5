package probe

import (
	"context"
	"slices"
	"strings"

	"github.com/mcperr/mcperr/interpret"
)

// Check is one row of the table: a question, what the specification wants as an answer, and how to judge it.
type Check struct {
	ID   string // stable slug
	Asks string // in a few words

	over  transports
	era   interpret.Era       // the only one it applies to; unknown: both
	sends int                 // requests at most
	wants []want              // the first that fits the version and the transport
	unfit func(*Probe) string // why it cannot be asked, "" if it can; nil: it always can
	ask   func(context.Context, *asking)
	watch func(*reply) []string // in place of ask: what is amiss with one reply, whatever was asked

	closed bool // it can be asked of a server that lets nobody in
	early  bool // a server may refuse it before it has read the body, and so without its id
	loses  bool // a client may read the answer as a lost session, and the session is not lost
}

// transports is a set: the zero value is both.
type transports string

const (
	overBoth  transports = ""
	overHTTP  transports = "http"
	overStdio transports = "stdio"
)

// want is a [Want] under its conditions.
type want struct {
	since string // the oldest version that says so
	over  transports
	says  string
	ref   string // page and anchor, below the specification's address and the version; or a whole URL
}

const (
	specification = "https://modelcontextprotocol.io/specification/"
	jsonRPCErrors = "https://www.jsonrpc.org/specification#error_object"
	rfc9110       = "https://www.rfc-editor.org/rfc/rfc9110#section-"
)

// questions are the checks that ask, in their order: what may end a session or a process comes late.
var questions = []Check{
	opening, toolList,
	unknownMethod, unknownTool, unknownResource, unknownPrompt, badArguments, badCursor,
	methodHeader, versionHeader, missingMeta, wrongAccept, wrongContentType, foreignOrigin, noCredentials,
	brokenJSON, noRequest, unknownSession, unspokenVersion, unknownVersion,
}

// overAll are the checks over all replies.
var overAll = []Check{
	stackTraces, internalHosts, filePaths, secrets, reservedCodes, resultTypes, envelopes,
}

// Checks returns every check, in the order of a report.
func Checks() []Check { return slices.Concat(questions, overAll) }

func (c *Check) applies(t interpret.Transport, era interpret.Era) bool {
	return c.over.has(t) && (c.era == interpret.EraUnknown || c.era == era)
}

func (t transports) has(transport interpret.Transport) bool {
	return t == overBoth || string(t) == transport.String()
}

// want returns what the specification says in the version in force, before one is that of the newest.
func (c *Check) want(s *Server) Want {
	version := s.Version
	if version == "" {
		version = interpret.Version20260728
	}
	for _, w := range c.wants {
		if version >= w.since && w.over.has(s.Transport) {
			ref := w.ref
			if !strings.HasPrefix(ref, "https://") {
				ref = specification + version + "/" + ref
			}
			return Want{w.says, ref}
		}
	}
	return Want{}
}
