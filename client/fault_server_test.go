package client

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// point is where the first call of the tool goes wrong.
type point string

const (
	beforeAccept  point = "before accept"
	afterAccept   point = "after accept"
	midRequest    point = "mid-request"
	beforeHeaders point = "before headers"
	midHeaders    point = "mid-headers"
	midJSON       point = "mid-JSON"
	midSSE        point = "mid-SSE"
	midSSEWithID  point = "mid-SSE, resumable"
	afterJSON     point = "after the answer"
	afterSSE      point = "after the answer, SSE"
	openSSE       point = "SSE left open"
	silence       point = "never an answer"
)

var points = []point{
	beforeAccept, afterAccept, midRequest, beforeHeaders, midHeaders, midJSON, midSSE, midSSEWithID, afterJSON, afterSSE, openSSE, silence,
}

// firstReply is what the server means to say to the first call of the tool; later ones succeed.
type firstReply struct {
	name   string
	status int
	header string         // lines of further headers
	body   string         // $ID stands for the id
	runs   bool           // the tool runs before the server says so
	kind   interpret.Kind // what the call ends in where the reply arrives whole; "" if the client may go on
	modern bool           // 2026-07-28 only
}

const (
	doneResult = `{"resultType":"complete","content":[{"type":"text","text":"done"}]}`
	jsonType   = "Content-Type: application/json\r\n"
)

func rpcFault(code int, data string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":$ID,"error":{"code":%d,"message":"no"%s}}`, code, data)
}

var firstReplies = []firstReply{
	{name: "result", status: 200, header: jsonType, body: `{"jsonrpc":"2.0","id":$ID,"result":` + doneResult + `}`, runs: true, kind: interpret.OK},
	{name: "isError", status: 200, header: jsonType, body: `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"complete","content":[],"isError":true}}`, runs: true, kind: interpret.ToolError},
	{name: "-32602", status: 200, header: jsonType, body: rpcFault(-32602, ""), kind: interpret.InvalidArguments},
	{name: "-32603", status: 200, header: jsonType, body: rpcFault(-32603, ""), runs: true},
	{name: "-32000", status: 200, header: jsonType, body: rpcFault(-32000, ""), runs: true, kind: interpret.UnknownError},
	{name: "-32000 with a delay", status: 200, header: jsonType, body: rpcFault(-32000, `,"data":{"retryAfterMs":1}`), runs: true},
	{name: "state only", status: 200, header: jsonType, body: `{"jsonrpc":"2.0","id":$ID,"result":{"resultType":"input_required","requestState":"s"}}`, modern: true},
	{name: "-32020", status: 400, header: jsonType, body: rpcFault(-32020, ""), modern: true},
	{name: "-32022", status: 400, header: jsonType, body: rpcFault(-32022, `,"data":{"supported":["2025-11-25","2026-07-28"],"requested":"2026-07-28"}`), modern: true},
	{name: "429", status: 429, header: "Content-Type: text/plain\r\n", body: "slow down"},
	{name: "503", status: 503, header: "Server: nginx\r\nContent-Type: text/html\r\n", body: "<html>503</html>", runs: true},
	{name: "500", status: 500, header: "Content-Type: text/plain\r\n", body: "oops", runs: true},
	{name: "404", status: 404, header: "Content-Type: text/plain\r\n", body: "not found"},
	{name: "401", status: 401, header: "WWW-Authenticate: Bearer\r\n", body: ""},
	{name: "403", status: 403, header: "Content-Type: text/plain\r\n", body: "no", kind: interpret.Forbidden},
	{name: "HTML", status: 200, header: "Content-Type: text/html\r\n", body: "<html>hello</html>", runs: true, kind: interpret.NotMCP},
	{name: "wrong id", status: 200, header: jsonType, body: `{"jsonrpc":"2.0","id":999,"result":` + doneResult + `}`, runs: true, kind: interpret.MalformedReply},
	{name: "202", status: 202, header: "", body: "", runs: true, kind: interpret.MalformedReply},
}

// faultServer speaks HTTP by hand, so that it can break off anywhere. One request a connection.
type faultServer struct {
	t      *testing.T
	ln     net.Listener
	modern bool
	reply  firstReply
	work   sync.WaitGroup
	over   chan struct{}

	mu      sync.Mutex
	at      point // of the next call of the tool; "" is good
	ran     int   // executions of the tool
	whole   int   // whole results that were written
	said    bool  // the first reply was written whole
	session int
	owed    json.RawMessage // id whose answer a resumed stream gets
}

func newFaultServer(t *testing.T, modern bool, reply firstReply) *faultServer {
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f := &faultServer{t: t, ln: ln, modern: modern, reply: reply, over: make(chan struct{})}
	f.work.Go(f.accept)
	t.Cleanup(func() { close(f.over); ln.Close(); f.work.Wait() })
	return f
}

func (f *faultServer) accept() {
	for {
		conn, err := f.ln.Accept()
		if err != nil {
			return
		}
		f.work.Go(func() {
			defer conn.Close()
			stop := make(chan struct{})
			defer close(stop)
			f.work.Go(func() {
				select {
				case <-f.over:
					conn.Close()
				case <-stop:
				}
			})
			f.serve(conn)
		})
	}
}

// take returns where the next call of the tool goes wrong, once: if it is one of these, or wherever.
func (f *faultServer) take(these ...point) point {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := f.at
	if len(these) > 0 && !slices.Contains(these, at) {
		return ""
	}
	f.at = ""
	return at
}

func (f *faultServer) serve(conn net.Conn) {
	if f.take(afterAccept) != "" {
		return
	}
	r, err := http.ReadRequest(bufio.NewReader(conn))
	if err != nil {
		return
	}
	if f.take(midRequest) != "" {
		io.CopyN(io.Discard, r.Body, r.ContentLength/2)
		return
	}
	body, _ := io.ReadAll(r.Body)
	var m message
	json.Unmarshal(body, &m)
	switch {
	case r.Method == http.MethodGet:
		f.resumed(conn, r.Header.Get(headerLastEvent))
	case r.Method == http.MethodDelete:
		answer(conn, 200, "", "")
	case m.ID == nil:
		answer(conn, 202, "", "")
	case m.Method == "tools/call":
		f.call(conn, r, m)
	default:
		f.others(conn, m)
	}
}

func (f *faultServer) others(conn net.Conn, m message) {
	ok := func(extra, result string) {
		answer(conn, 200, jsonType+extra, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result))
	}
	switch {
	case m.Method == "server/discover" && f.modern:
		ok("", `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`)
	case m.Method == "initialize" && (!f.modern || f.reply.name == "-32022"):
		f.mu.Lock()
		f.session++
		n := f.session
		f.mu.Unlock()
		ok(fmt.Sprintf("Mcp-Session-Id: s%d\r\n", n), `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"f","version":"1"}}`)
	case m.Method == "tools/list":
		ok("", `{"resultType":"complete","tools":[{"name":"act","inputSchema":{"type":"object"}}]}`)
	default:
		answer(conn, 400, "Content-Type: text/plain\r\n", "Bad Request")
	}
}

// call runs the tool, or goes wrong as the test wants.
func (f *faultServer) call(conn net.Conn, r *http.Request, m message) {
	at, reply := f.take(), f.reply
	if at == "" {
		f.run()
		f.mu.Lock()
		f.whole++
		f.mu.Unlock()
		answer(conn, 200, jsonType, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, doneResult))
		return
	}
	if reply.runs {
		f.run()
	}
	body := strings.ReplaceAll(reply.body, "$ID", string(m.ID))
	event := "event: message\r\ndata: " + body + "\r\n\r\n"
	const stream = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
	arrived := func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.said = true
		if reply.name == "result" {
			f.whole++
		}
	}
	switch at {
	case beforeHeaders:
	case midHeaders:
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Ty")
	case midJSON:
		text := head(reply.status, reply.header, len(body)) + body
		io.WriteString(conn, text[:len(text)-len(body)/2-1])
	case midSSE:
		io.WriteString(conn, stream+event[:len(event)/2])
	case midSSEWithID:
		io.WriteString(conn, stream+"id: e1\r\nretry: 1\r\ndata:\r\n\r\n"+event[:len(event)/2])
		f.mu.Lock()
		f.owed = m.ID
		f.mu.Unlock()
	case afterJSON:
		arrived()
		answer(conn, reply.status, reply.header, body)
		io.WriteString(conn, "garbage")
	case afterSSE:
		arrived()
		io.WriteString(conn, stream+event)
	case openSSE:
		arrived()
		io.WriteString(conn, stream+event)
		<-f.over
	case silence:
		io.WriteString(conn, stream+": wait\n\n")
		io.Copy(io.Discard, conn) // until the client hangs up
	}
}

// resumed gives a stream that broke its end.
func (f *faultServer) resumed(conn net.Conn, after string) {
	f.mu.Lock()
	id := f.owed
	f.owed = nil
	f.said = id != nil && after == "e1"
	if f.said && f.reply.name == "result" {
		f.whole++
	}
	f.mu.Unlock()
	if id == nil || after != "e1" {
		answer(conn, 405, "", "")
		return
	}
	io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nid: e2\r\ndata: "+strings.ReplaceAll(f.reply.body, "$ID", string(id))+"\r\n\r\n")
}

func (f *faultServer) run() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ran++
}

func head(status int, header string, length int) string {
	return fmt.Sprintf("HTTP/1.1 %d %s\r\n%sContent-Length: %d\r\nConnection: close\r\n\r\n", status, http.StatusText(status), header, length)
}

func answer(w io.Writer, status int, header, body string) {
	io.WriteString(w, head(status, header, len(body))+body)
}

// dialer returns a Transport that uses no connection twice, and whose next dial goes to a closed port if the server is armed so.
func (f *faultServer) dialer() *http.Transport {
	const nowhere = "127.0.0.1:1" // nobody listens there, and no other server of the test can get it
	var d net.Dialer
	return &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		if f.take(beforeAccept) != "" {
			addr = nowhere
		}
		return d.DialContext(ctx, network, addr)
	}}
}
