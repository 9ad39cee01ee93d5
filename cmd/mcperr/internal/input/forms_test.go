package input

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcperr/mcperr/fixtures"
	"github.com/mcperr/mcperr/interpret"
)

// corpus is every case, as an exchange under its id.
var corpus = sync.OnceValues(func() (map[string]interpret.Exchange, error) {
	all := map[string]interpret.Exchange{}
	for c, err := range fixtures.Cases() {
		if err != nil {
			return nil, err
		}
		if all[c.ID], err = c.Exchange(); err != nil {
			return nil, err
		}
	}
	return all, nil
})

// exchanges returns those of the corpus that fit: what was recorded is what the readers must give back.
func exchanges(t *testing.T, fit func(interpret.Exchange) bool) map[string]interpret.Exchange {
	t.Helper()
	recorded, err := corpus()
	if err != nil {
		t.Fatal(err)
	}
	all := maps.Clone(recorded)
	maps.DeleteFunc(all, func(_ string, x interpret.Exchange) bool { return !fit(x) })
	if len(all) < 30 {
		t.Fatalf("only %d cases of the corpus fit; the test would show little", len(all))
	}
	return all
}

func wholeHTTP(x interpret.Exchange) bool { return x.Status >= 200 && x.Failure == nil && !x.Truncated }

// printed writes a response as a recorder would.
func printed(x interpret.Exchange, eol string, framing http.Header, body []byte) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s%s", x.Status, http.StatusText(x.Status), eol)
	for _, h := range []http.Header{x.Header, framing} {
		for _, name := range slices.Sorted(maps.Keys(h)) {
			for _, v := range h[name] {
				fmt.Fprintf(&b, "%s: %s%s", name, v, eol)
			}
		}
	}
	b.WriteString(eol)
	b.Write(body)
	return b.Bytes()
}

func chunked(body []byte) []byte {
	var b bytes.Buffer
	for piece := range slices.Chunk(body, 11) {
		fmt.Fprintf(&b, "%x\r\n%s\r\n", len(piece), piece)
	}
	b.WriteString("0\r\n\r\n")
	return b.Bytes()
}

func one(t *testing.T, b []byte, o Options) Reply {
	t.Helper()
	replies, err := Read(b, o)
	if err != nil {
		t.Fatalf("%v\n%q", err, b[:min(len(b), 300)])
	}
	if len(replies) != 1 {
		t.Fatalf("%d replies, want one\n%q", len(replies), b[:min(len(b), 300)])
	}
	return replies[0]
}

func TestRawResponsesReadAsRecorded(t *testing.T) {
	for id, x := range exchanges(t, wholeHTTP) {
		x.Header = x.Header.Clone()
		x.Header.Del("Content-Length")
		x.Header.Del("Transfer-Encoding")
		length := http.Header{"Content-Length": {fmt.Sprint(len(x.Body))}}
		for name, b := range map[string][]byte{
			"length":     printed(x, "\r\n", length, x.Body),
			"line feeds": printed(x, "\n", length, x.Body),
			"to the end": printed(x, "\r\n", nil, x.Body),
			"chunks":     printed(x, "\r\n", http.Header{"Transfer-Encoding": {"chunked"}}, chunked(x.Body)),
			"curl":       printed(x, "\r\n", http.Header{"Transfer-Encoding": {"chunked"}}, x.Body),
			"interim":    append([]byte("HTTP/1.1 100 Continue\r\n\r\n"), printed(x, "\r\n", length, x.Body)...),
		} {
			got := one(t, b, Options{Name: "f"})
			if got.Form != HTTP || got.Exchange.Status != x.Status || !bytes.Equal(got.Exchange.Body, x.Body) || got.Exchange.Failure != nil {
				t.Errorf("%s, %s: form %s, status %d, body %q", id, name, got.Form, got.Exchange.Status, got.Exchange.Body)
			}
			got.Exchange.Header.Del("Content-Length")
			got.Exchange.Header.Del("Transfer-Encoding")
			if !sameHeader(got.Exchange.Header, x.Header) {
				t.Errorf("%s, %s: headers %v, want %v", id, name, got.Exchange.Header, x.Header)
			}
		}
	}
}

// sameHeader compares headers. White space at the ends of a value is no part of it, and a folded value is one line (RFC 9110, 5.5; RFC 9112, 5.2).
func sameHeader(a, b http.Header) bool {
	return maps.EqualFunc(a, b, func(v, w []string) bool {
		return slices.EqualFunc(v, w, func(a, b string) bool { return slices.Equal(strings.Fields(a), strings.Fields(b)) })
	})
}

func TestCutResponseIsAConnectionThatEnded(t *testing.T) {
	for id, x := range exchanges(t, func(x interpret.Exchange) bool { return wholeHTTP(x) && len(x.Body) > 1 }) {
		b := printed(x, "\r\n", http.Header{"Content-Length": {fmt.Sprint(len(x.Body))}}, x.Body[:len(x.Body)/2])
		got := one(t, b, Options{Name: "f"})
		if f := got.Exchange.Failure; f == nil || f.What != interpret.FailedEOF || f.Delivery != interpret.DeliveryAnswering || got.Assumed == nil {
			t.Errorf("%s: failure %v, assumed %q", id, f, got.Assumed)
		}
	}
}

func TestBareBodiesReadAsRecorded(t *testing.T) {
	streams := 0
	for id, x := range exchanges(t, func(x interpret.Exchange) bool { return wholeHTTP(x) && len(bytes.TrimSpace(x.Body)) > 0 }) {
		var message struct{ Jsonrpc string }
		want := Form("")
		switch kind := x.Header.Get("Content-Type"); {
		case strings.HasPrefix(kind, "text/event-stream") && bytes.Contains(x.Body, []byte("data:")) && eventLine.Match(x.Body):
			want = Stream
			streams++
		case json.Unmarshal(x.Body, &message) == nil && message.Jsonrpc != "":
			want = Message
		default:
			continue
		}
		got := one(t, x.Body, Options{Name: "f"})
		if got.Form != want || !bytes.Equal(bytes.TrimPrefix(x.Body, []byte("\ufeff")), got.Exchange.Body) {
			t.Errorf("%s: form %s, want %s: %q", id, got.Form, want, got.Exchange.Body)
		}
	}
	if streams < 30 {
		t.Errorf("only %d event streams", streams)
	}
}

func TestTranscriptsReadAsRecorded(t *testing.T) {
	fit := func(x interpret.Exchange) bool { return len(x.Lines) > 0 && x.Failure == nil && !x.Truncated }
	for id, x := range exchanges(t, fit) {
		b := append(bytes.Join(x.Lines, []byte("\n")), '\n')
		if bytes.Contains(b, []byte("\r")) {
			continue // an editor's file has no such lines
		}
		replies, err := Read(b, Options{Name: "f", Form: Stdio})
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		var lines [][]byte
		for _, r := range replies {
			lines = append(lines, r.Exchange.Lines...)
		}
		ours := slices.ContainsFunc(x.Lines, func(l []byte) bool { m, _ := wire(l); return ofClient(m.method) })
		if !ours && !slices.EqualFunc(lines, x.Lines, bytes.Equal) {
			t.Errorf("%s: lines %q, want %q", id, lines, x.Lines)
		}
	}
}

// recording writes exchanges as a HAR.
func recording(t *testing.T, list []interpret.Exchange) []byte {
	t.Helper()
	type pair map[string]string
	var entries []any
	for _, x := range list {
		headers := []pair{{"name": ":status", "value": "200"}}
		for name, values := range x.Header {
			for _, v := range values {
				headers = append(headers, pair{"name": name, "value": v})
			}
		}
		entries = append(entries, map[string]any{
			"startedDateTime": "2026-08-01T10:00:00.000Z",
			"request": map[string]any{
				"method": "POST", "url": "http://127.0.0.1/mcp", "headers": []pair{},
				"postData": pair{"mimeType": "application/json", "text": `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`},
			},
			"response": map[string]any{
				"status": x.Status, "headers": headers,
				"content": map[string]any{"size": len(x.Body), "encoding": "base64", "text": base64.StdEncoding.EncodeToString(x.Body)},
			},
		})
	}
	b, err := json.Marshal(map[string]any{"log": map[string]any{"version": "1.2", "entries": entries}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestRecordingReadsAsRecorded(t *testing.T) {
	all := exchanges(t, wholeHTTP)
	ids := slices.Sorted(maps.Keys(all))
	var list []interpret.Exchange
	for _, id := range ids {
		list = append(list, all[id])
	}
	replies, err := Read(recording(t, list), Options{Name: "f.har"})
	if err != nil {
		t.Fatal(err)
	}
	if len(replies) != len(list) {
		t.Fatalf("%d replies of %d entries", len(replies), len(list))
	}
	for i, r := range replies {
		x := r.Exchange
		if x.Status != list[i].Status || !bytes.Equal(x.Body, list[i].Body) || !sameHeader(x.Header, list[i].Header) || !r.Asked || x.Received.IsZero() {
			t.Errorf("%s: %d %v %q", ids[i], x.Status, x.Header, x.Body)
		}
	}
	// One entry alone, and an array of them, are recordings too.
	var file struct {
		Log struct{ Entries []json.RawMessage }
	}
	if err := json.Unmarshal(recording(t, list[:1]), &file); err != nil {
		t.Fatal(err)
	}
	one(t, file.Log.Entries[0], Options{Name: "f"})
	one(t, fmt.Appendf(nil, "[%s]", file.Log.Entries[0]), Options{Name: "f"})
}

func TestCorpusFilesReadAsCases(t *testing.T) {
	var n int
	for c, err := range fixtures.Cases() {
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(c)
		if err != nil {
			t.Fatal(err)
		}
		n++
		if got := one(t, b, Options{Name: "f"}); got.Form != Case || got.ID != c.ID || !got.Asked {
			t.Errorf("%s: read as %s with id %s", c.ID, got.Form, got.ID)
		}
	}
	if n == 0 {
		t.Fatal("no cases")
	}
}
