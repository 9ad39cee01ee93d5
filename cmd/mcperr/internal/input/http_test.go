package input

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// allocated returns how many bytes f takes.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Whatever a response claims of its length, the file is taken apart once: eight times the responses take eight times the memory.
func TestManyResponsesAreReadOnce(t *testing.T) {
	for name, response := range map[string]string{
		"a chunk beyond the file":   "HTTP/1.1 401 U\r\nTransfer-Encoding: chunked\r\n\r\nfffffff\r\n",
		"a chunk over many of them": "HTTP/1.1 401 U\r\nTransfer-Encoding: chunked\r\n\r\n2000\r\n",
		"chunks":                    "HTTP/1.1 401 U\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n\r\n",
		"no length":                 "HTTP/1.1 301 M\r\n\r\nmoved\r\n",
		"a length":                  "HTTP/1.1 401 U\r\nContent-Length: 2\r\n\r\nno",
	} {
		work := func(n int) uint64 {
			b := []byte(strings.Repeat(response, n) + "HTTP/1.1 200 OK\r\n\r\n{}")
			return allocated(func() {
				if replies, err := Read(b, Options{Name: "f", Form: HTTP}); err != nil || len(replies) != n+1 {
					t.Fatalf("%s: %d replies, %v; want %d", name, len(replies), err, n+1)
				}
			})
		}
		if few, many := work(500), work(4000); many > 14*few {
			t.Errorf("%s: 500 responses take %d bytes, 4000 take %d", name, few, many)
		}
	}
}

// All bodies together stay under the limit, for they are all kept.
func TestDecompressedBodiesShareALimit(t *testing.T) {
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	if _, err := w.Write(make([]byte, 1000)); err != nil || w.Close() != nil {
		t.Fatal("gzip")
	}
	response := fmt.Sprintf("HTTP/1.1 401 U\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s\r\n", z.Len(), &z)
	b := []byte(response + response)
	if replies, err := Read(b, Options{Name: "f", Form: HTTP, MaxBytes: 2000}); err != nil || len(replies) != 2 || len(replies[1].Exchange.Body) != 1000 {
		t.Errorf("within the limit: %d replies, %v", len(replies), err)
	}
	_, err := Read(b, Options{Name: "f", Form: HTTP, MaxBytes: 1999})
	if err == nil || !strings.Contains(err.Error(), "response 2: the body: more than 1999 bytes") {
		t.Errorf("over the limit: %v", err)
	}
}
