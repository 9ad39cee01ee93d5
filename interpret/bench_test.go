package interpret_test

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/mcperr/mcperr/interpret"
)

// The benchmarks stand beside encoding/json decoding the same bytes, and beside a bare pass of the tokenizer: read the ratio, not the numbers.

const errorReply = `{"jsonrpc":"2.0","id":"call-7f3a91","error":{"code":-32022,"message":"Unsupported protocol version: 2024-11-05","data":{"supported":["2025-06-18","2025-11-25","2026-07-28"],"requested":"2024-11-05","retryAfterMs":1500,"requestId":"req_01J9ZQ4"}}}`

const toolError = `{"jsonrpc":"2.0","id":"call-7f3a91","result":{"content":[{"type":"text","text":"Input validation error: Invalid arguments for tool add: b: Invalid input: expected number, received undefined"}],"isError":true}}`

// streamReply is an answer as most servers of the handshake era send it: progress, then the result, each an event.
const streamReply = "event: message\nid: 1\ndata: " + `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}` + "\n\n" +
	"event: message\nid: 2\ndata: " + toolError + "\n\n"

// envelope is what a client decodes a reply into that does not use this library.
type envelope struct {
	JSONRPC string             `json:"jsonrpc"`
	ID      stdjson.RawMessage `json:"id"`
	Result  map[string]any     `json:"result"`
	Error   *struct {
		Code    int64  `json:"code"`
		Message string `json:"message"`
		Data    any    `json:"data"`
	} `json:"error"`
}

func exchange(body, contentType string) interpret.Exchange {
	return interpret.Exchange{
		Request: interpret.Request{
			Method: "tools/call", Target: "add", ID: `"call-7f3a91"`, Version: "2025-11-25", Era: interpret.EraLegacy, Arguments: interpret.ArgumentsObject,
		},
		Status: 200, Header: http.Header{"Content-Type": {contentType}}, Body: []byte(body),
	}
}

func success(text string) string {
	return `{"jsonrpc":"2.0","id":"call-7f3a91","result":{"content":[` + text + `]}}`
}

func block(text string) string { return `{"type":"text","text":"` + text + `"}` }

func records(size int) string {
	var b strings.Builder
	b.WriteString(`{"type":"text","text":"rows"}],"structuredContent":{"rows":[`)
	for i := 0; b.Len() < size; i++ {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"id":%d,"name":"row %d","ok":true,"score":%d.5}`, i, i, i%97)
	}
	b.WriteString(`]},"_meta":{"n":[1]`)
	s := b.String()
	return `{"jsonrpc":"2.0","id":"call-7f3a91","result":{"content":[` + s + `}}}`
}

func BenchmarkReply(b *testing.B) {
	const mib = 1 << 20
	ascii := func(n int) string {
		return success(block(strings.Repeat("All work and no play makes Jack a dull boy. ", n/44)))
	}
	for _, c := range []struct{ name, body, contentType string }{
		{"error", errorReply, "application/json"},
		{"toolError", toolError, "application/json"},
		{"stream", streamReply, sse},
		{"ascii1MiB", ascii(mib), "application/json"},
		{"escaped1MiB", success(block(strings.Repeat(`line \"one\"\nline \u00e9\ttwo `, mib/30))), "application/json"},
		{"records1MiB", records(mib), "application/json"},
		{"ascii4MiB", ascii(4 * mib), "application/json"},
		{"ascii16MiB", ascii(16 * mib), "application/json"},
		{"ascii64MiB", ascii(64 * mib), "application/json"},
	} {
		x := exchange(c.body, c.contentType)
		run := func(reader string, read func() error) {
			b.Run(c.name+"/"+reader, func(b *testing.B) {
				b.SetBytes(int64(len(c.body)))
				b.ReportAllocs()
				for b.Loop() {
					if err := read(); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
		run("mcperr", func() error {
			if o := interpret.Reply(x); !o.Answered {
				return o.Err()
			}
			return nil
		})
		run("encodingjson", func() error {
			return eachText(x, func(text []byte) error { return stdjson.Unmarshal(text, new(envelope)) })
		})
		run("jsontext", func() error {
			return eachText(x, func(text []byte) error {
				return jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)).SkipValue()
			})
		})
	}
}

// eachText visits the JSON texts of a reply, as a reader would that knows nothing of event streams but their data lines.
func eachText(x interpret.Exchange, visit func([]byte) error) error {
	if x.Header.Get("Content-Type") != sse {
		return visit(x.Body)
	}
	for line := range bytes.Lines(x.Body) {
		if data, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			if err := visit(data); err != nil {
				return err
			}
		}
	}
	return nil
}

// BenchmarkHostile reads replies that were made to cost.
func BenchmarkHostile(b *testing.B) {
	for _, h := range hostile {
		x := h.make(h.n)
		b.Run(strings.ReplaceAll(h.name, " ", "_"), func(b *testing.B) {
			b.SetBytes(int64(len(x.Body) + len(x.Request.Body)))
			b.ReportAllocs()
			for b.Loop() {
				if o := interpret.Reply(x); o.Kind != h.kind {
					b.Fatal(o.Kind)
				}
			}
		})
	}
}
