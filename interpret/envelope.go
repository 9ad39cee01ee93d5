package interpret

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// form says what a piece of a reply was.
type form uint8

const (
	notJSON form = iota // no JSON value
	notRPC              // JSON, but no JSON-RPC message
	isRPC               // a JSON-RPC message
)

// message is one JSON-RPC message, read strictly: its envelope, its error and the top level of its result.
type message struct {
	form   form
	unread Deviation // why two readers could read it apart: duplicate_member or trailing_data; nothing in it counts then
	deep   bool      // nested past the limit: it counts for nothing either
	event  string    // id of the event that carried it

	raw       []byte
	jsonrpc   bool // jsonrpc is "2.0"
	id        []byte
	method    string
	params    []byte
	hasMethod bool
	hasResult bool
	hasError  bool
	result    []byte // raw; null counts as there
	err       []byte // raw; null counts as there
	folded    bool   // a member differs from a defined one only in case

	res result
	rpc rpcError
}

// rpcError is what the error member holds.
type rpcError struct {
	code     int64
	hasCode  bool
	message  []byte
	data     []byte
	isObject bool
}

// answer reports whether the message is of the shape that answers something.
func (m *message) answer() bool { return m.form == isRPC && !m.hasMethod }

// broken reports that no member of the message may be used.
func (m *message) broken() bool { return m.unread != "" || m.deep }

// both, faulty and good look past a null beside the other member.
func (m *message) both() bool {
	return m.hasResult && m.hasError && !isNull(m.result) && !isNull(m.err)
}
func (m *message) faulty() bool { return m.hasError && !isNull(m.err) && !m.both() }
func (m *message) good() bool   { return m.hasResult && !m.faulty() && !m.both() }

func isNull(raw []byte) bool { return len(raw) == 4 && raw[0] == 'n' }

// isObject and isArray look at the first byte of a whole value.
func isObject(raw []byte) bool { return len(raw) > 0 && raw[0] == '{' }
func isArray(raw []byte) bool  { return len(raw) > 0 && raw[0] == '[' }

// names of the levels that are read strictly.
var (
	envelopeNames = []string{"jsonrpc", "id", "method", "params", "result", "error"}
	errorNames    = []string{"code", "message", "data"}
	bom           = []byte("\xef\xbb\xbf")
)

// maxNames bounds the distinct member names of one strict level; past it the level is not read. No version defines a tenth of that.
const maxNames = 1024

// readMessage reads one JSON text. A BOM before it is skipped.
func readMessage(src []byte) message {
	src = bytes.TrimPrefix(src, bom)
	m := message{raw: src}
	t := newTokens(src)
	defer t.done()
	if t.kind() != '{' {
		if t.value(); t.err == nil && len(t.rest()) == 0 {
			m.form = notRPC
		}
		return m
	}
	var hasVersion bool
	seen := level{defined: envelopeNames}
	for t.enter(); t.more(); {
		name := t.name()
		if t.err != nil {
			break
		}
		seen.add(name)
		switch string(name) {
		case "jsonrpc":
			hasVersion = true
			m.jsonrpc = string(t.value()) == `"2.0"`
		case "id":
			m.id = t.value()
		case "method":
			v := t.value()
			m.hasMethod, m.method = true, string(text(v))
		case "params":
			m.params = t.value()
		case "result":
			m.hasResult = true
			m.result = m.res.read(&t, &seen)
		case "error":
			m.hasError = true
			m.err = m.rpc.read(&t, &seen)
		default:
			t.value()
		}
	}
	t.leave()
	m.folded = seen.folded
	looksRPC := hasVersion || m.id != nil && (m.hasResult || m.hasError || m.hasMethod)
	switch {
	case t.tooDeep():
		m.deep = true
		if looksRPC {
			m.form = isRPC
		}
	case t.err != nil:
		m.form = notJSON
	case !looksRPC:
		if m.form = notRPC; len(t.rest()) > 0 {
			m.form = notJSON
		}
	default:
		m.form = isRPC
		if seen.twice {
			m.unread = DuplicateMember
		} else if len(t.rest()) > 0 {
			m.unread = TrailingData
		} else if seen.over {
			m.deep = true
		}
	}
	return m
}

func (e *rpcError) read(t *tokens, up *level) []byte {
	e.isObject = t.kind() == '{'
	return t.strict(errorNames, up, func(name, v []byte) {
		switch string(name) {
		case "code":
			e.code, e.hasCode = integer(v)
		case "message":
			e.message = text(v)
		case "data":
			e.data = v
		}
	})
}

// strict reads a value, whose members it shows if it is an object, and returns its bytes. What it sees of the names goes up.
func (t *tokens) strict(defined []string, up *level, visit func(name, value []byte)) []byte {
	if t.kind() != '{' {
		return t.value()
	}
	seen := level{defined: defined}
	start := t.dec.InputOffset()
	for t.enter(); t.more(); {
		name := t.name()
		if t.err != nil {
			break
		}
		seen.add(name)
		visit(name, t.value())
	}
	t.leave()
	up.join(&seen)
	if t.err != nil {
		return nil
	}
	return bytes.TrimLeft(t.src[start:t.dec.InputOffset()], " \t\r\n:")
}

// integer reads a JSON number that is an integer of at most 53 bits, however it is written (1, 1.0, 1e0).
func integer(raw []byte) (int64, bool) {
	const limit = 1 << 53
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil && -limit < n && n < limit {
		return n, true
	}
	if len(raw) == 0 || raw[0] != '-' && (raw[0] < '0' || raw[0] > '9') {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if n := int64(f); err == nil && -limit < f && f < limit && float64(n) == f {
		return n, true
	}
	return 0, false
}

// sameID compares two ids as JSON text. Strings are compared by their characters, for a server may escape what we did not.
func sameID(a, b []byte) bool {
	if bytes.Equal(a, b) {
		return true
	}
	return len(a) > 0 && len(b) > 0 && a[0] == '"' && b[0] == '"' && bytes.Equal(text(a), text(b))
}

// level watches the member names of one object.
type level struct {
	defined []string
	few     [16][]byte // enough for almost every reply, without a map
	n       int
	many    map[string]struct{}
	twice   bool
	folded  bool
	over    bool
}

func (l *level) add(name []byte) {
	l.folded = l.folded || l.folds(name)
	if l.has(name) {
		l.twice = true
		return
	}
	switch {
	case l.n < len(l.few):
		l.few[l.n] = name
	case l.n < maxNames:
		if l.many == nil {
			l.many = make(map[string]struct{})
		}
		l.many[string(name)] = struct{}{}
	default:
		l.over = true
		return
	}
	l.n++
}

// folds reports whether the name differs from a defined one in nothing but case.
func (l *level) folds(name []byte) bool {
	for _, d := range l.defined {
		if string(name) == d {
			return false
		}
	}
	return slices.ContainsFunc(l.defined, func(d string) bool {
		return len(name) <= 3*len(d) && strings.EqualFold(string(name), d) // folding changes the length of a character at most threefold
	})
}

func (l *level) has(name []byte) bool {
	for _, s := range l.few[:min(l.n, len(l.few))] {
		if bytes.Equal(s, name) {
			return true
		}
	}
	_, ok := l.many[string(name)]
	return ok
}

// join takes what was seen one level down into account.
func (l *level) join(down *level) {
	l.twice = l.twice || down.twice
	l.folded = l.folded || down.folded
	l.over = l.over || down.over
}
