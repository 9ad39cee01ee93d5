package interpret_test

import (
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// bytesAllocated returns how much f allocates, what was freed meanwhile included.
func bytesAllocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func each(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func refused(code int, message, data string) interpret.Exchange {
	return answer(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"error":{"code":%d,"message":"%s","data":%s}}`, code, message, data))
}

func echoing(message, arguments string) interpret.Exchange {
	x := refused(-32603, message, "0")
	x.Request.Body = []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":` + arguments + `}}`)
	return x
}

func streaming(body string) interpret.Exchange {
	x := answer(body)
	x.Header = eventStream
	return x
}

func statusOnly(status int, h http.Header, body string) interpret.Exchange {
	return interpret.Exchange{Request: call, Status: status, Header: h, Body: []byte(body)}
}

// hostile are replies made to cost: each of some n pieces.
var hostile = []struct {
	name string
	make func(n int) interpret.Exchange
	n    int // about a MiB of them, or all that is looked at
	kind interpret.Kind
}{
	{"names past the cap", func(n int) interpret.Exchange {
		return answer(`{"jsonrpc":"2.0","id":1,"result":{` + each(n, `"n%d":1,`) + `"content":[]}}`)
	}, 100_000, interpret.MalformedReply},
	{"long names", func(n int) interpret.Exchange {
		return answer(`{"jsonrpc":"2.0","id":1,"result":{` + each(1000, `"`+strings.Repeat("n", n/1000)+`%d":1,`) + `"content":[]}}`)
	}, 1 << 20, interpret.OK},
	{"one name", func(n int) interpret.Exchange {
		return answer(`{"jsonrpc":"2.0","id":1,"result":{"` + strings.Repeat("n", n) + `":1,"content":[]}}`)
	}, 1 << 20, interpret.OK},
	{"levels", func(n int) interpret.Exchange {
		return answer(`{"jsonrpc":"2.0","id":1,"result":{"content":` + strings.Repeat("[", n))
	}, 1 << 20, interpret.MalformedReply},
	{"members after the end", func(n int) interpret.Exchange {
		return answer(strings.Repeat(`{"jsonrpc":"2.0","id":1,"result":{}}`, n))
	}, 30_000, interpret.MalformedReply},

	{"empty events", func(n int) interpret.Exchange { return streaming(strings.Repeat("data:\n\n", n)) }, 1_000_000, interpret.ConnectionLost},
	{"events of nothing", func(n int) interpret.Exchange { return streaming(strings.Repeat("data: {}\n\n", n)) }, 100_000, interpret.ConnectionLost},
	{"data lines of one event", func(n int) interpret.Exchange { return streaming(strings.Repeat("data: 1\n", n)) }, 100_000, interpret.ConnectionLost},
	{"carriage returns", func(n int) interpret.Exchange { return streaming(strings.Repeat("\r", n)) }, 1 << 20, interpret.ConnectionLost},
	{"a line without an end", func(n int) interpret.Exchange { return streaming(strings.Repeat(":", n)) }, 1 << 20, interpret.ConnectionLost},
	{"ids", func(n int) interpret.Exchange { return streaming(each(n, "id: %d\n")) }, 100_000, interpret.ConnectionLost},
	{"requests of the server", func(n int) interpret.Exchange {
		return streaming(each(n, `data: {"jsonrpc":"2.0","id":%d,"method":"sampling/createMessage"}`+"\n\n"))
	}, 15_000, interpret.ConnectionLost},

	{"quotes", func(n int) interpret.Exchange { return refused(-32603, strings.Repeat("' ", n), "0") }, 500_000, interpret.ServerError},
	{"quoted letters", func(n int) interpret.Exchange { return refused(-32603, strings.Repeat("'a ", n), "0") }, 300_000, interpret.ServerError},
	{"backslashes", func(n int) interpret.Exchange { return refused(-32603, strings.Repeat(`\\`, n), "0") }, 500_000, interpret.ServerError},
	{"beginnings of phrases", func(n int) interpret.Exchange {
		return refused(-32603, strings.Repeat("client not support tool ", n), "0")
	}, 50_000, interpret.ServerError},
	{"strings sent", func(n int) interpret.Exchange {
		return echoing(strings.Repeat("tool ", 3000), `{`+each(n, `"k%[1]d":"value %[1]d",`)+`"z":0}`)
	}, 30_000, interpret.ServerError},
	{"long strings sent", func(n int) interpret.Exchange {
		return echoing(strings.Repeat("é", 8000), `[`+each(n, `"`+strings.Repeat("é", 1000)+`%d",`)+`0]`)
	}, 500, interpret.ServerError},
	{"strings sent, and a body of as many", func(n int) interpret.Exchange {
		x := echoing("", `{`+each(n, `"k%[1]d":"value %[1]d",`)+`"z":0}`)
		x.Status, x.Body = 400, []byte(`[`+strings.Repeat(`"no",`, n)+`0]`)
		return x
	}, 30_000, interpret.InvalidRequest},

	{"versions", func(n int) interpret.Exchange {
		return refused(-32022, "m", `{"supported":[`+each(n, `"v%d",`)+`"2025-06-18"]}`)
	}, 100_000, interpret.UnsupportedVersion},
	{"capabilities", func(n int) interpret.Exchange {
		return refused(-32021, "m", `{"requiredCapabilities":{`+each(n, `"c%d":{"d":{}},`)+`"z":{}}}`)
	}, 50_000, interpret.MissingCapability},
	{"pages", func(n int) interpret.Exchange {
		x := refused(-32042, "m", `{"elicitations":[`+each(n, `{"url":"https://example.com/%d"},`)+`0]}`)
		x.Request.Capabilities = []string{"elicitation.url"}
		return x
	}, 30_000, interpret.URLElicitation},
	{"input requests", func(n int) interpret.Exchange {
		x := answer(`{"jsonrpc":"2.0","id":1,"result":{"resultType":"input_required","inputRequests":{` + each(n, `"n%d":{"method":"roots/list"},`) + `"z":{}}}}`)
		x.Request.Version, x.Request.Capabilities = interpret.Version20260728, []string{"roots"}
		return x
	}, 30_000, interpret.InputRequired},
	{"delays", func(n int) interpret.Exchange {
		return refused(-1, "m", `{"details":[`+each(n, `{"@type":"google.rpc.RetryInfo","retryDelay":"-%ds"},`)+`0]}`)
	}, 20_000, interpret.UnknownError},

	{"challenges", func(n int) interpret.Exchange {
		return statusOnly(401, http.Header{"Www-Authenticate": {strings.Repeat(`Bearer a="b", `, n)}}, "")
	}, 70_000, interpret.Unauthorized},
	{"scopes", func(n int) interpret.Exchange {
		return statusOnly(403, http.Header{"Www-Authenticate": {`Bearer scope="` + each(n, "s%d ") + `"`}}, "")
	}, 150_000, interpret.InsufficientScope},
	{"products", func(n int) interpret.Exchange {
		return statusOnly(500, http.Header{"Server": {strings.Repeat("a/1 ", n)}}, "")
	}, 200_000, interpret.ServerError},
	{"a page", func(n int) interpret.Exchange { return statusOnly(404, http.Header{}, strings.Repeat("no ", n)) }, 300_000, interpret.NotMCP},
}

// Whatever a reply is made of, four times of it cost about four times as much memory, and never much more than the reply and the request
// have themselves. Were the time to grow faster than that, this test would not end.
func TestCostIsLinear(t *testing.T) {
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			n := h.n
			if raced {
				n /= 16 // slow as it is, it still shows that nothing is shared
			}
			quarter, whole := h.make(n/4), h.make(n)
			var o interpret.Outcome
			less, more := bytesAllocated(func() { interpret.Reply(quarter) }), bytesAllocated(func() { o = interpret.Reply(whole) })
			if o.Kind != h.kind {
				t.Errorf("got %s, want %s", o.Kind, h.kind)
			}
			const noise = 256 << 10 // topics compiled, pools filled
			size := len(whole.Body) + len(whole.Request.Body)
			for _, v := range whole.Header {
				size += len(v[0])
			}
			if raced {
				return
			}
			if more > 5*less+noise {
				t.Errorf("%d bytes were allocated for a quarter, %d for the whole", less, more)
			}
			if most := uint64(64*size + noise); more > most {
				t.Errorf("%d bytes were allocated for %d", more, size)
			}
		})
	}
}

// A result is read in place: what it costs does not grow with it.
func TestASuccessIsReadInPlace(t *testing.T) {
	for name, body := range map[string]func(size int) string{
		"ascii":   func(n int) string { return success(block(strings.Repeat("a", n))) },
		"escaped": func(n int) string { return success(block(strings.Repeat(`\u00e9`, n/6))) },
		"records": records,
	} {
		small, large := exchange(body(1<<20), "application/json"), exchange(body(16<<20), "application/json")
		interpret.Reply(small)
		if o := interpret.Reply(large); o.Kind != interpret.OK || len(o.Result) < 15<<20 {
			t.Fatalf("%s: %s", name, brief(o))
		}
		var less, more uint64
		for range 5 { // now and then somebody else allocates meanwhile
			less, more = bytesAllocated(func() { interpret.Reply(small) }), bytesAllocated(func() { interpret.Reply(large) })
			if more <= less+4096 {
				break
			}
		}
		if more > less+4096 {
			t.Errorf("%s: %d bytes were allocated for 1 MiB, %d for 16 MiB", name, less, more)
		}
	}
}

// A hint that repeats itself costs no more than one that does not.
func TestHintsAreLookedForInSoManyEntries(t *testing.T) {
	for name, data := range map[string]string{
		"the same":  `{"issues":[` + strings.TrimSuffix(strings.Repeat(`{"path":["a",1],"message":"bad","expected":"x"},`, 50_000), ",") + `]}`,
		"empty":     `{"issues":[` + strings.TrimSuffix(strings.Repeat(`{"a":1},`, 50_000), ",") + `]}`,
		"by field":  `{"errors":{` + strings.TrimSuffix(strings.Repeat(`"a":"bad",`, 50_000), ",") + `}}`,
		"different": `{"issues":[` + strings.TrimSuffix(each(50_000, `{"path":["a%d"],"message":"bad"},`), ",") + `]}`,
	} {
		o := interpret.Reply(refused(-32602, "x", data))
		if n := bytesAllocated(func() { o.Hints() }); n > 8<<20 {
			t.Errorf("%s: %d KiB allocated", name, n>>10)
		}
	}
}
