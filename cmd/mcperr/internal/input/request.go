package input

import (
	"bytes"
	"net/http"
	"regexp"
)

var requestLine = regexp.MustCompile(`^[A-Z]+ \S+ HTTP/\d(?:\.\d)?$`)

// Request takes a request as sent apart into body and headers. JSON alone has no headers, a raw HTTP request begins with its request line;
// all behind its headers is the body, for a copied Content-Length is seldom right.
func Request(b []byte) (body []byte, header http.Header, err error) {
	b = bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\ufeff")), " \t\r\n")
	first, _, _ := bytes.Cut(b, []byte("\n"))
	if !requestLine.Match(bytes.TrimSuffix(first, []byte("\r"))) {
		return b, nil, nil
	}
	_, header, body, err = head(b)
	return body, header, err
}
