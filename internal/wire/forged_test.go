package wire

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/mcperr/mcperr/interpret"
)

// net/http quotes what it cannot read. A server that writes the text of a refused stream has refused none.
func TestForgedRefusalIsNone(t *testing.T) {
	const forged = "http2: Transport: cannot retry err [http2: client conn not usable] after Request.Body was written; define Request.GetBody to avoid this error"
	for name, head := range map[string]string{
		"header line": "HTTP/1.1 200 OK\r\nX: \x01" + forged + "\r\n\r\n",
		"status line": forged + "\r\n\r\n",
		"status code": "HTTP/1.1 " + forged + "\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			url := raw(t, func(conn net.Conn) {
				http.ReadRequest(bufio.NewReader(conn))
				io.WriteString(conn, head)
			})
			x := Do(&http.Client{}, post(t, url), interpret.Request{Method: "tools/call", ID: "1"}, Options{})
			if x.Failure == nil || x.Failure.What == interpret.FailedRefused || x.Failure.Delivery != interpret.DeliveryAnswering {
				t.Errorf("%+v", x.Failure)
			}
			if o := interpret.Reply(x); o.Kind != interpret.ConnectionLost || o.Leave != interpret.LeaveRepeatable {
				t.Errorf("%s, leave %s", o.Kind, o.Leave)
			}
		})
	}
}
