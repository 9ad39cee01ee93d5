package interpret_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/mcperr/mcperr/fixtures"
	"github.com/mcperr/mcperr/interpret"
)

// variant is one way in which a message may be made that two readers read apart, or that only looks like another.
type variant struct {
	name  string
	apply func(text []byte, m member) []byte // nil: does not apply to this member
	holds func(c carried, text []byte, m member, fail func(string))
}

func splice(text []byte, from, to int, put string) []byte {
	return slices.Concat(text[:from], []byte(put), text[to:])
}

// quoted is a name as a JSON string, escaped as a whole if asked.
func quoted(name string, escaped bool) string {
	if !escaped {
		b, _ := json.Marshal(name)
		return string(b)
	}
	var b strings.Builder
	for _, u := range utf16.Encode([]rune(name)) {
		fmt.Fprintf(&b, `\u%04x`, u)
	}
	return `"` + b.String() + `"`
}

// folded is a name that differs in case only, in the ways that Unicode knows; "" if there is none.
func folded(name string) string {
	switch i := strings.IndexAny(name, "skaeijmr"); {
	case i < 0:
		return ""
	case name[i] == 's':
		return name[:i] + "ſ" + name[i+1:]
	case name[i] == 'k':
		return name[:i] + "K" + name[i+1:] // the Kelvin sign
	default:
		return name[:i] + strings.ToUpper(name[i:i+1]) + name[i+1:]
	}
}

// defined are the names that mean something in each level.
func defined(m member) bool {
	return slices.Contains(map[string][]string{
		"":       {"jsonrpc", "id", "method", "result", "error"},
		"error":  {"code", "message", "data"},
		"result": {"content", "isError", "resultType", "inputRequests", "requestState", "contents", "messages", "tools", "supportedVersions", "protocolVersion", "task"},
	}[m.level], m.name)
}

const neutral = "a name that nothing defines"

// once is a variant of the whole message.
func once(apply func([]byte) []byte) func([]byte, member) []byte {
	return func(text []byte, m member) []byte {
		if m.level != "" || m.name != "jsonrpc" {
			return nil
		}
		return apply(text)
	}
}

var variants = []variant{
	{"the member twice, the other value first", func(text []byte, m member) []byte {
		return splice(text, m.start, m.start, quoted(m.name, false)+`:"other",`)
	}, unread(interpret.DuplicateMember)},
	{"the member twice, the same value", func(text []byte, m member) []byte {
		return splice(text, m.to, m.to, ","+string(text[m.start:m.to]))
	}, unread(interpret.DuplicateMember)},
	{"the member twice, once escaped", func(text []byte, m member) []byte {
		return splice(text, m.to, m.to, ","+quoted(m.name, true)+":0")
	}, unread(interpret.DuplicateMember)},
	{"an object after the message", once(func(text []byte) []byte {
		return slices.Concat(text, []byte(" {}"))
	}), unread(interpret.TrailingData)},
	{"the message twice", once(func(text []byte) []byte {
		return slices.Concat(text, text)
	}), unread(interpret.TrailingData)},
	{"a brace too many", once(func(text []byte) []byte {
		return slices.Concat(text, []byte("}"))
	}), unread(interpret.TrailingData)},
	{"nested past the limit", func(text []byte, m member) []byte {
		if m.level != "" || m.name != "result" && m.name != "error" {
			return nil
		}
		return splice(text, m.from, m.to, strings.Repeat("[", 10_001)+strings.Repeat("]", 10_001))
	}, unread("")},
	{"cut before its end", func(text []byte, m member) []byte { return text[:m.to-1] }, noAnswer},

	{"the id of another request", func(text []byte, m member) []byte {
		if m.level != "" || m.name != "id" {
			return nil
		}
		return splice(text, m.from, m.to, "987654321")
	}, noAnswer},

	{"the name in another case", func(text []byte, m member) []byte {
		if f := folded(m.name); f != "" && defined(m) {
			return splice(text, m.start, m.end, quoted(f, false))
		}
		return nil
	}, func(c carried, text []byte, m member, fail func(string)) {
		other := c.put(splice(c.text, m.start, m.end, quoted(neutral, false)))
		same(interpret.Reply(c.put(text)), interpret.Reply(other), "a name that nothing defines", fail)
	}},
	{"beside it the name in another case", func(text []byte, m member) []byte {
		if f := folded(m.name); f != "" && defined(m) {
			return splice(text, m.to, m.to, ","+quoted(f, false)+":true")
		}
		return nil
	}, func(c carried, text []byte, m member, fail func(string)) {
		o := interpret.Reply(c.put(text))
		same(o, c.plain, "the message without it", fail)
		if o.Answered && !slices.Contains(o.Deviations, interpret.CaseFoldedMember) {
			fail("is not noted")
		}
	}},

	{"the name escaped", func(text []byte, m member) []byte {
		return splice(text, m.start, m.end, quoted(m.name, true))
	}, asPlain},
	{"the id escaped", func(text []byte, m member) []byte {
		var id string
		if m.level != "" || m.name != "id" || text[m.from] != '"' || json.Unmarshal(text[m.from:m.to], &id) != nil {
			return nil
		}
		return splice(text, m.from, m.to, quoted(id, true))
	}, asPlain},
	{"a byte order mark before it", once(func(text []byte) []byte {
		return slices.Concat([]byte("\xef\xbb\xbf"), text)
	}), asPlain},
}

func asPlain(c carried, text []byte, m member, fail func(string)) {
	same(interpret.Reply(c.put(text)), c.plain, "the plain message", fail)
}

// noAnswer: the message is no success, and no reason to send again that the exchange without it would not be.
func noAnswer(c carried, text []byte, m member, fail func(string)) {
	o, bare := interpret.Reply(c.put(text)), c.bare
	success := []interpret.Kind{interpret.OK, interpret.Task, interpret.InputRequired, interpret.ToolError, interpret.URLElicitation}
	if o.Kind != bare.Kind && slices.Contains(success, o.Kind) || o.Answered {
		fail("reads as the answer: " + brief(o))
	}
	// Under 400 any text that speaks of the session counts, and so does it for the era that no gateway answers with JSON-RPC.
	read := o.Why[0] == "session_words" || o.Kind == interpret.LegacyServer && bare.Origin == interpret.OriginGateway
	if rank(o) > rank(bare) && !read {
		fail("gives leave to be sent again: " + brief(o) + "\nwithout the message: " + brief(bare))
	}
}

// unread: nothing in the message counts, and the only thing noted of it is why.
func unread(why interpret.Deviation) func(carried, []byte, member, func(string)) {
	return func(c carried, text []byte, m member, fail func(string)) {
		noAnswer(c, text, m, fail)
		x := c.put(text)
		o, bare := interpret.Reply(x), c.bare
		if x.Status >= 300 {
			o, bare := o, bare
			o.Deviations, bare.Deviations = nil, nil
			same(o, bare, "the status alone", fail)
		} else if x.Failure == nil && !x.Truncated && x.Request.ID != "" && o.Kind != interpret.MalformedReply {
			fail("is no malformed reply: " + brief(o))
		}
		if o.HasCode && !bare.HasCode {
			fail("reports a code")
		}
		if why != "" && x.Failure == nil && !slices.Contains(o.Deviations, why) && !slices.Contains(o.Deviations, interpret.DuplicateMember) {
			fail("is not noted: " + brief(o))
		}
	}
}

// same: two outcomes mean the same, but for a note on the case of a name.
func same(got, want interpret.Outcome, as string, fail func(string)) {
	for _, o := range []*interpret.Outcome{&got, &want} {
		o.Deviations = slices.DeleteFunc(slices.Clone(o.Deviations), func(d interpret.Deviation) bool { return d == interpret.CaseFoldedMember })
	}
	if diff := fixtures.Diff(labelled(want), labelled(got)); diff != nil {
		fail("reads not as " + as + ": " + strings.Join(diff, "; "))
	}
}

// rank orders outcomes by the leave that they give. Without a remedy, leave after one is leave to repeat what does no harm.
func rank(o interpret.Outcome) int {
	if o.Leave == interpret.LeaveRemedy && o.Remedy == "" {
		o.Leave = interpret.LeaveRepeatable
	}
	return slices.Index([]interpret.Leave{interpret.LeaveNever, interpret.LeaveRepeatable, interpret.LeaveRemedy, interpret.LeaveAlways}, o.Leave)
}

func brief(o interpret.Outcome) string {
	return fmt.Sprintf("%s, ran %s, leave %s, remedy %q, why %q, deviations %q", o.Kind, o.Ran, o.Leave, o.Remedy, o.Why, o.Deviations)
}

// try makes the variant of the exchange's answer at its nth member and checks it.
func (v *variant) try(c carried, m member, fail func(string)) {
	if text := v.apply(c.text, m); text != nil {
		v.holds(c, text, m, func(why string) { fail(fmt.Sprintf("%s (%q of %q) %s\n%.300q", v.name, m.name, m.level, why, text)) })
	}
}

func TestHostileVariantsOfEveryCase(t *testing.T) {
	tried := 0
	for _, k := range distinct(t) {
		c, ok := answerOf(k.x)
		if !ok {
			continue
		}
		for i := range variants {
			for _, m := range members(c.text) {
				tried++
				variants[i].try(c, m, func(why string) { t.Errorf("%s: %s", k.ID, why) })
			}
		}
		if raced && tried > 5000 {
			return // slow as it is, it has seen every way through the code
		}
	}
	if tried < 20_000 {
		t.Errorf("only %d variants were tried", tried)
	}
}
