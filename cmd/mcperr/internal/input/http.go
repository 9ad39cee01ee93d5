package input

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/textproto"
	"regexp"
	"strconv"
	"unicode"

	"github.com/mcperr/mcperr/interpret"
)

// statusLine is that of HTTP/1, and of the HTTP/2 and HTTP/3 that curl -i prints.
var statusLine = regexp.MustCompile(`^HTTP/\d(?:\.\d)? (\d{3})(?: .*)?$`)

// readHTTP reads responses as curl -i prints them: interim ones are passed over, those of a redirect chain are replies of their own.
// A body shorter than its Content-Length is one whose connection ended.
func readHTTP(b []byte, o Options) (replies []Reply, err error) {
	budget := unzipping{most: o.MaxBytes, left: o.MaxBytes}
	for rest := pastSpace(b); len(rest) > 0; rest = pastSpace(rest) {
		var r Reply
		if r, rest, err = readResponse(rest, &budget); err != nil {
			return nil, fmt.Errorf("response %d: %w", len(replies)+1, err)
		}
		if r.Exchange.Status >= 200 {
			replies = append(replies, r)
		}
	}
	if replies == nil {
		return nil, errors.New("there are only interim responses (1xx), no final one")
	}
	return replies, nil
}

// pastSpace returns what follows white space. It does not look at the end, which is far off while there are responses.
func pastSpace(b []byte) []byte { return bytes.TrimLeftFunc(b, unicode.IsSpace) }

func readResponse(b []byte, budget *unzipping) (r Reply, rest []byte, err error) {
	line, header, rest, err := head(b)
	status := statusLine.FindStringSubmatch(line)
	if status == nil {
		return r, nil, fmt.Errorf("%q is no status line; it reads like HTTP/1.1 404 Not Found", begin([]byte(line)))
	}
	if err != nil {
		return r, nil, err
	}
	x := &r.Exchange
	x.Status, _ = strconv.Atoi(status[1]) // three digits
	if x.Header = header; x.Status < 200 {
		return r, rest, nil
	}
	body, rest := r.body(rest)
	if x.Body, err = budget.unzip(body, header.Get("Content-Encoding")); err != nil {
		return r, nil, fmt.Errorf("the body: %w", err)
	}
	r.Answers = answers(*x)
	return r, rest, nil
}

// head reads the first line and the headers; rest is what follows them. Lines may end without a carriage return.
func head(b []byte) (line string, h http.Header, rest []byte, err error) {
	source := bytes.NewReader(b)
	in := textproto.NewReader(bufio.NewReader(source))
	if line, err = in.ReadLine(); err != nil {
		return line, nil, nil, err
	}
	mime, err := in.ReadMIMEHeader()
	if err != nil && !errors.Is(err, io.EOF) {
		return line, nil, nil, fmt.Errorf("the headers: %w; a blank line stands between them and the body", err)
	}
	return line, http.Header(mime), b[len(b)-source.Len()-in.R.Buffered():], nil
}

// body cuts the body from what follows the headers.
func (r *Reply) body(b []byte) (body, rest []byte) {
	h := r.Exchange.Header
	if length, err := strconv.Atoi(h.Get("Content-Length")); err == nil && length >= 0 {
		if length > len(b) {
			r.Exchange.Failure = &interpret.Failure{What: interpret.FailedEOF, Delivery: interpret.DeliveryAnswering}
			r.Assumed = append(r.Assumed, fmt.Sprintf("the connection ended: %d bytes of body, Content-Length says %d", len(b), length))
			return b, nil
		}
		if after := pastSpace(b[length:]); len(after) == 0 || bytes.HasPrefix(after, []byte("HTTP/")) {
			return b[:length], after
		}
		r.Assumed = append(r.Assumed, fmt.Sprintf("all %d bytes are the body, Content-Length says %d", len(b), length))
		return b, nil
	}
	piece := b // no byte is read for two responses, whatever their chunks claim
	if followed(r.Exchange.Status) {
		if next := nextResponse.FindIndex(b); next != nil {
			piece = b[:next[0]]
		}
	}
	if h.Get("Transfer-Encoding") == "chunked" {
		source := bytes.NewReader(piece)
		in := bufio.NewReader(source)
		if plain, err := io.ReadAll(httputil.NewChunkedReader(in)); err == nil {
			return plain, b[len(piece)-source.Len()-in.Buffered():]
		}
		// curl has taken the chunks off
	}
	return piece, b[len(piece):]
}

// nextResponse finds a status line behind a body that does not say how long it is.
var nextResponse = regexp.MustCompile(`(?m)^HTTP/\d(?:\.\d)? \d{3}(?: [^\r\n]*)?\r?$`)

// followed reports whether clients go on to another response after this status, so that curl -i prints both.
func followed(status int) bool { return status/100 == 3 || status == 401 || status == 407 }

// unzipping is what may still be decompressed of an input, all its bodies together: they are all kept.
type unzipping struct{ most, left int64 }

// unzip undoes gzip where it has not been undone already.
func (u *unzipping) unzip(b []byte, encoding string) ([]byte, error) {
	if encoding == "" || !bytes.HasPrefix(b, []byte{0x1f, 0x8b}) {
		return b, nil
	}
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return nil, fmt.Errorf("gzip: %w; curl --compressed prints it plain", err)
	}
	plain, err := io.ReadAll(io.LimitReader(z, u.left+1))
	if u.left -= int64(len(plain)); u.left < 0 {
		return nil, fmt.Errorf("more than %d bytes once decompressed; --max-bytes raises the limit", u.most)
	}
	if err != nil {
		return nil, fmt.Errorf("gzip: %w; curl --compressed prints it plain", err)
	}
	return plain, nil
}
