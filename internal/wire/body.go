package wire

import (
	"bytes"
	"io"
	"net/http"

	"github.com/mcperr/mcperr/interpret"
)

// TakeBody reads the body of a request that is about to be sent, nil if it has none, and closes it.
func TakeBody(r *http.Request) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	defer r.Body.Close()
	return io.ReadAll(r.Body)
}

// WithBody returns a copy of r that has the body which was taken from it, and can give it again.
func WithBody(r *http.Request, body []byte) *http.Request {
	c := r.WithContext(r.Context())
	if len(body) == 0 {
		c.Body, c.GetBody, c.ContentLength = http.NoBody, func() (io.ReadCloser, error) { return http.NoBody, nil }, 0
		return c
	}
	c.ContentLength = int64(len(body))
	c.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	c.Body, _ = c.GetBody()
	return c
}

// Undescribed reports whether req says nothing of what is sent, so that the bytes are to be read for it: see [Describe].
func Undescribed(req interpret.Request) bool { return req.Method == "" && req.HTTPMethod == "" }

// Describe reads the facts of a request from its body and its headers. What is no message of the protocol has its bytes alone, and its verb
// where that is not POST.
func Describe(r *http.Request, body []byte) interpret.Request {
	header := r.Header
	if header == nil {
		header = http.Header{} // nil would mean stdio
	}
	req, _ := interpret.ParseRequest(body, header)
	if r.Method != "" && r.Method != http.MethodPost {
		req.HTTPMethod = r.Method
	}
	return req
}
