package crosscheck

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/fixtures"
	"github.com/mcperr/mcperr/interpret"
	"github.com/tmaxmax/go-sse"
)

// event is one event with data, as either reader gives it.
type event struct{ data, id string }

// ours reads a whole stream in pieces, the sizes of which chance chooses: where a piece ends must not matter.
func ours(t testing.TB, stream []byte, chance *rand.Rand) (events []event) {
	t.Helper()
	rd := &pieces{rest: stream, chance: chance}
	for m, err := range interpret.Scan(rd, "text/event-stream", interpret.Request{}, interpret.Limits{}) {
		if err != nil {
			t.Fatalf("%q: %v", stream, err)
		}
		if m.Raw != nil { // else an event without data, which tells an id at most
			events = append(events, event{string(m.Raw), m.EventID})
		}
	}
	return events
}

type pieces struct {
	rest   []byte
	chance *rand.Rand
}

func (p *pieces) Read(b []byte) (int, error) {
	if len(p.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(b, p.rest[:min(1+p.chance.IntN(9), len(p.rest))])
	p.rest = p.rest[n:]
	return n, nil
}

// theirs reads the same stream with go-sse, corrected by what is known to differ:
//   - go-sse takes a byte order mark off behind blank lines too; the rules, and we, take it off at the very start only;
//   - an event whose data is empty is none to us, and a byte order mark before the data is skipped;
//   - an event that the end of the stream cuts counts to us if it is a whole JSON object, under the id of the last whole event.
func theirs(t testing.TB, stream []byte) []event {
	t.Helper()
	events := goSSE(t, stream)
	if closed := goSSE(t, slices.Concat(stream, []byte("\n\n"))); len(closed) > len(events) {
		cut := closed[len(closed)-1]
		if cut.id = ""; len(events) > 0 {
			cut.id = events[len(events)-1].id
		}
		if isObject(cut.data) {
			events = append(events, cut)
		}
	}
	events = slices.DeleteFunc(events, func(e event) bool { return e.data == "" })
	for i := range events {
		events[i].data = strings.TrimPrefix(events[i].data, mark)
	}
	return events
}

const mark = "\ufeff"

// lateMark is a byte order mark behind nothing but blank lines.
var lateMark = regexp.MustCompile("^((?:" + mark + ")?[\r\n]+)" + mark)

func goSSE(t testing.TB, stream []byte) (events []event) {
	t.Helper()
	stream = lateMark.ReplaceAll(stream, []byte("${1}x")) // a field name that nobody knows either way
	for e, err := range sse.Read(bytes.NewReader(stream), &sse.ReadConfig{MaxEventSize: 1 << 24}) {
		if err != nil {
			t.Fatalf("%q: go-sse: %v", stream, err)
		}
		events = append(events, event{e.Data, e.LastEventID})
	}
	return events
}

func isObject(data string) bool {
	return strings.HasPrefix(strings.TrimLeft(data, " \t\r\n"), "{") && json.Valid([]byte(data))
}

func compare(t testing.TB, stream []byte, chance *rand.Rand) (events int) {
	t.Helper()
	us, them := ours(t, stream, chance), theirs(t, stream)
	if !slices.Equal(us, them) {
		t.Errorf("stream %q\nours   %q\ntheirs %q", stream, us, them)
	}
	whole := interpret.Reply(interpret.Exchange{Status: 200, Header: http.Header{"Content-Type": {"text/event-stream"}}, Body: stream})
	id := ""
	if events := goSSE(t, stream); len(events) > 0 {
		id = events[len(events)-1].id
	}
	if whole.EventID != id {
		t.Errorf("stream %q\nour last id %q, theirs %q", stream, whole.EventID, id)
	}
	return len(us)
}

func TestEventStreamsOfTheCorpus(t *testing.T) {
	chance := rand.New(rand.NewPCG(1, 1))
	streams, events := 0, 0
	for c, err := range fixtures.Cases() {
		if err != nil {
			t.Fatal(err)
		}
		x, err := c.Exchange()
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(strings.ToLower(x.Header.Get("Content-Type")), "text/event-stream") {
			streams++
			events += compare(t, x.Body, chance)
		}
	}
	t.Logf("%d streams, %d events", streams, events)
	if streams < 100 || events < streams/2 {
		t.Error("that is hardly a comparison")
	}
}

func TestEventStreamsMadeByChance(t *testing.T) {
	events := 0
	for seed := range uint64(5000) {
		chance := rand.New(rand.NewPCG(seed, 2))
		events += compare(t, makeStream(chance), chance)
		if t.Failed() {
			t.Fatalf("with seed %d", seed)
		}
	}
	t.Logf("%d events", events)
}

// makeStream puts a stream together from all that the format knows, and cuts some.
func makeStream(chance *rand.Rand) []byte {
	of := func(choices ...string) string { return choices[chance.IntN(len(choices))] }
	ends := [][]string{{"\n"}, {"\r\n"}, {"\r"}, {"\n", "\r\n", "\r"}}[chance.IntN(4)]
	var b bytes.Buffer
	if chance.IntN(4) == 0 {
		b.WriteString(mark)
	}
	for range chance.IntN(6) {
		for range chance.IntN(5) {
			switch chance.IntN(8) {
			case 0:
				b.WriteString(of(":", ": a comment", ":data: none"))
			case 1:
				b.WriteString("id" + of("", ":", ": ", ":  ", ":7", ": e-8", ": \x00", ": ä"))
			case 2:
				b.WriteString("event" + of("", ": message", ":x", ": "))
			case 3:
				b.WriteString("retry" + of("", ": 1500", ": soon", ":-1"))
			case 4:
				b.WriteString(of("data ", "Data: 1", "dat", "x: y", " data: 1", "\ufeffdata: 1", "a:", "datas: 1"))
			case 5:
				b.WriteString("data" + of("", ":", ": ", ": text", ":text", ":  two", ": a: b", ": {", ": }"))
			default:
				message := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/%d","params":{"a":"ä, b"}}`, chance.IntN(1000))
				if chance.IntN(3) == 0 { // in several lines, cut where JSON may have white space
					message = strings.ReplaceAll(message, `,"`, ","+of(ends...)+`data: "`)
				}
				b.WriteString("data:" + of("", " ") + message)
			}
			b.WriteString(of(ends...))
		}
		b.WriteString(of(ends...))
	}
	stream := b.Bytes()
	if chance.IntN(3) == 0 && len(stream) > 0 {
		stream = stream[:chance.IntN(len(stream))]
	}
	return stream
}
