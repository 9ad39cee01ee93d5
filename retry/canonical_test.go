package retry

import "testing"

// What is no JSON value and no more is not taken for the value that it begins with.
func TestCanonicalKeepsWhatIsNoJSON(t *testing.T) {
	for raw, want := range map[string]string{
		` { "b" : 1.0, "a" : [] } `: `{"a":[],"b":1}`,
		`{"a":1}}`:                  `{"a":1}}`,
		`{"a":1}]junk `:             `{"a":1}]junk`,
		`{"a":1} {"b":2}`:           `{"a":1} {"b":2}`,
		`{"a":1,}`:                  `{"a":1,}`,
		``:                          ``,
	} {
		if got := string(canonical([]byte(raw))); got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}
