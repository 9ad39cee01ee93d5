package interpret

import "net/http"

func ParseRequest(body []byte, h http.Header) (Request, error) { return Request{}, nil }
