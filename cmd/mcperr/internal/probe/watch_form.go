package probe

import (
	"fmt"
	"slices"

	"github.com/mcperr/mcperr/interpret"
)

var reservedCodes = Check{
	ID: "reserved_code", Asks: "over all replies: no reserved code that no version defines",
	wants: []want{{says: "codes from -32020 to -32099 only as the specification defines them", ref: "basic#error-codes"}},
	watch: func(r *reply) []string {
		if slices.Contains(r.o.Deviations, interpret.UndefinedReservedCode) {
			return []string{fmt.Sprintf("its code is %d", r.o.Code)}
		}
		return nil
	},
}

var resultTypes = Check{
	ID: "result_type", Asks: "over all replies: every result has resultType", era: interpret.EraModern,
	wants: []want{{says: "resultType in every result", ref: "basic#resulttype"}},
	watch: func(r *reply) []string {
		if slices.Contains(r.o.Deviations, interpret.MissingResultType) {
			return []string{"its result has no resultType"}
		}
		return nil
	},
}

var envelopes = Check{
	ID: "envelope", Asks: "over all replies: JSON-RPC as it must be written",
	wants: []want{{says: "one object with jsonrpc, the id that was sent, and a result or an error", ref: "https://www.jsonrpc.org/specification#response_object"}},
	watch: func(r *reply) (found []string) {
		for _, d := range r.o.Deviations {
			if says, ok := forms[d]; ok && !(r.early && d == interpret.IDMissing) {
				found = append(found, says)
			}
		}
		return found
	},
}

// forms are departures in the form of an answer, whatever it means.
var forms = map[interpret.Deviation]string{
	interpret.BothResultAndError:  "it has a result and an error",
	interpret.CaseFoldedMember:    "a member's name differs from the defined one in case",
	interpret.CodeNotInteger:      "its error has no code that is an integer",
	interpret.DuplicateMember:     "it repeats a member",
	interpret.ErrorNotObject:      "its error is no object",
	interpret.ErrorToNotification: "it answers a notification",
	interpret.IDMismatch:          "its id is another one",
	interpret.IDMissing:           "its error lacks the id of the request",
	interpret.MissingJSONRPC:      `it lacks jsonrpc "2.0"`,
	interpret.ResultNotObject:     "its result is no object",
	interpret.RetiredCode:         "its code is one that the version has retired",
	interpret.StdoutNoise:         "lines on standard output are no JSON-RPC",
	interpret.TrailingData:        "bytes follow the JSON value",
	interpret.UnknownResultType:   "its resultType is one that nothing declared",
	interpret.WrongContentType:    "it is JSON-RPC under another content type",
}
