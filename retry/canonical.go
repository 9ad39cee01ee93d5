package retry

import (
	"bytes"
	"encoding/json"
	"io"
	"strconv"
)

// canonical writes a JSON value so that equal ones are equal bytes: without white space, members in order, numbers in one form.
// What is no JSON stays as it is.
func canonical(raw []byte) []byte {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return bytes.TrimSpace(raw)
	}
	if _, err := d.Token(); err != io.EOF { // bytes after the value
		return bytes.TrimSpace(raw)
	}
	b, err := json.Marshal(sameNumbers(v))
	if err != nil {
		return bytes.TrimSpace(raw)
	}
	return b
}

// sameNumbers gives every number its shortest form, so that 1, 1.0 and 1e0 are one. Whole numbers beyond 2^53 keep all their digits.
func sameNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if _, err := strconv.ParseInt(v.String(), 10, 64); err == nil {
			return v
		}
		if f, err := v.Float64(); err == nil {
			return json.Number(strconv.FormatFloat(f, 'f', -1, 64))
		}
	case []any:
		for i := range v {
			v[i] = sameNumbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = sameNumbers(v[k])
		}
	}
	return v
}
