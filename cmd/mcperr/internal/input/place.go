package input

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// jsonError adds the place to an error of encoding/json, as line and column of b.
func jsonError(b []byte, err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("%s: %w", place(b, syntax.Offset), err)
	}
	if kind, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("%s: member %s cannot be a %s", place(b, kind.Offset), kind.Field, kind.Value)
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("%s: the JSON ends too early", place(b, int64(len(b))))
	}
	return err
}

// place names an offset the way editors do.
func place(b []byte, offset int64) string {
	before := b[:min(max(offset-1, 0), int64(len(b)))]
	return fmt.Sprintf("line %d, column %d", bytes.Count(before, []byte("\n"))+1, len(before)-bytes.LastIndexByte(before, '\n'))
}
