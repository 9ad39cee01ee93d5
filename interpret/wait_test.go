package interpret

import (
	"net/http"
	"testing"
	"time"
)

const (
	date   = "Mon, 30 Nov 2026 10:00:00 GMT"
	minute = "Mon, 30 Nov 2026 10:01:00 GMT"
	year   = 365 * 24 * time.Hour
)

func TestWaitsInHeaders(t *testing.T) {
	received := time.Date(2026, 11, 30, 10, 0, 30, 0, time.UTC)
	for _, c := range []struct {
		name string
		h    http.Header
		want time.Duration
	}{
		{"seconds", http.Header{"Retry-After": {"120"}}, 2 * time.Minute},
		{"white space", http.Header{"Retry-After": {" 120 "}}, 2 * time.Minute},
		{"zero", http.Header{"Retry-After": {"0"}}, 0},
		{"negative", http.Header{"Retry-After": {"-1"}}, 0},
		{"with a sign", http.Header{"Retry-After": {"+5"}}, 0},
		{"a fraction", http.Header{"Retry-After": {"1.5"}}, 0},
		{"with a unit", http.Header{"Retry-After": {"5s"}}, 0},
		{"no number", http.Header{"Retry-After": {"soon"}}, 0},
		{"a year", http.Header{"Retry-After": {"31536000"}}, year},
		{"more than a year", http.Header{"Retry-After": {"31536001"}}, 0},
		{"seconds that overflow a Duration", http.Header{"Retry-After": {"9223372036854775807"}}, 0},
		{"seconds that overflow an integer", http.Header{"Retry-After": {"99999999999999999999"}}, 0},
		{"a date, by the reply's own clock", http.Header{"Retry-After": {minute}, "Date": {date}}, time.Minute},
		{"a date, by ours", http.Header{"Retry-After": {minute}}, 30 * time.Second},
		{"a date, the reply's own unreadable", http.Header{"Retry-After": {minute}, "Date": {"yesterday"}}, 30 * time.Second},
		{"the date now", http.Header{"Retry-After": {date}, "Date": {date}}, 0},
		{"a date that has passed", http.Header{"Retry-After": {date}, "Date": {minute}}, 0},
		{"a date of RFC 850", http.Header{"Retry-After": {"Monday, 30-Nov-26 10:01:00 GMT"}, "Date": {date}}, time.Minute},
		{"a date beyond a year", http.Header{"Retry-After": {"Mon, 30 Nov 2099 10:00:00 GMT"}, "Date": {date}}, 0},
		{"a date beyond all Durations", http.Header{"Retry-After": {"Mon, 30 Nov 9999 10:00:00 GMT"}, "Date": {"Mon, 01 Jan 0001 00:00:00 GMT"}}, 0},

		{"RateLimit", http.Header{"Ratelimit": {`"default";r=0;t=7`}}, 7 * time.Second},
		{"RateLimit of several policies", http.Header{"Ratelimit": {`"a";r=5;t=0, "b";r=0; t=9`}}, 9 * time.Second},
		{"RateLimit without t", http.Header{"Ratelimit": {`limit=10, remaining=0, reset=5`}}, 0},
		{"RateLimit-Reset", http.Header{"Ratelimit-Reset": {"5"}}, 5 * time.Second},
		{"X-RateLimit-Reset in seconds", http.Header{"X-Ratelimit-Reset": {"5"}}, 5 * time.Second},
		{"X-RateLimit-Reset since 1970", http.Header{"X-Ratelimit-Reset": {"1796032860"}, "Date": {date}}, time.Minute},
		{"X-RateLimit-Reset in milliseconds since 1970", http.Header{"X-Ratelimit-Reset": {"1796032860000"}, "Date": {date}}, 0},
		{"a reset that has passed", http.Header{"X-Ratelimit-Reset": {"1796000000"}, "Date": {date}}, 0},
		{"a reset that overflows", http.Header{"X-Ratelimit-Reset": {"9223372036854775807"}, "Date": {date}}, 0},
		{"a reset below zero", http.Header{"X-Ratelimit-Reset": {"-5"}, "Date": {date}}, 0},

		{"the first that holds a value", http.Header{"Retry-After": {"x"}, "Ratelimit": {"t=0"}, "Ratelimit-Reset": {""}, "X-Ratelimit-Reset": {"3"}}, 3 * time.Second},
		{"Retry-After before a reset", http.Header{"Retry-After": {"1"}, "X-Ratelimit-Reset": {"3"}}, time.Second},
		{"none", http.Header{}, 0},
	} {
		if got := headerWait(c.h, received); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
	if got := headerWait(http.Header{"Retry-After": {minute}}, time.Time{}); got != 0 {
		t.Errorf("a date, and nobody knows what time it is: got %v", got)
	}
}

func TestWaitsInData(t *testing.T) {
	const info = `{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"1.5s"}`
	for _, c := range []struct {
		data string
		want time.Duration
	}{
		{`{"retryAfterMs":1500}`, 1500 * time.Millisecond},
		{`{"retryAfter":2}`, 2 * time.Second},
		{`{"retry_after":2.5}`, 2500 * time.Millisecond},
		{`{"retryAfterSeconds":2e1}`, 20 * time.Second},
		{`{"retry_after_seconds":2}`, 2 * time.Second},
		{`{"retryAfter":9,"retryAfterMs":1}`, time.Millisecond},
		{`{"retry_after_seconds":4,"retry_after":2}`, 2 * time.Second},
		{`{"retryAfterMs":0,"retryAfter":2}`, 2 * time.Second},
		{`{"retryAfter":1,"retryAfter":2}`, time.Second},
		{`{"retry\u0041fter":2}`, 2 * time.Second},
		{`{"RetryAfter":2}`, 0},
		{`{"retryAfter":"2"}`, 0},
		{`{"retryAfter":-2}`, 0},
		{`{"retryAfter":null}`, 0},
		{`{"retryAfter":[2]}`, 0},
		{`{"retryAfter":31536000}`, year},
		{`{"retryAfter":31536000.5}`, 0},
		{`{"retryAfter":1e308}`, 0},
		{`{"retryAfter":1e999}`, 0},
		{`{"retryAfter":1e-12}`, 0},
		{`{"retryAfterMs":31536000001}`, 0},
		{info, 1500 * time.Millisecond},
		{`[{"@type":"other","retryDelay":"9s"},` + info + `]`, 1500 * time.Millisecond},
		{`{"details":[` + info + `]}`, 1500 * time.Millisecond},
		{`{"details":` + info + `,"retryAfter":1}`, time.Second},
		{`{"@type":"google.rpc.RetryInfo","retryDelay":"2s"}`, 2 * time.Second},
		{`{"@type":"google.rpc.RetryInfo","retryDelay":"2"}`, 0},
		{`{"@type":"google.rpc.RetryInfo","retryDelay":"1e3s"}`, 0},
		{`{"@type":"google.rpc.RetryInfo","retryDelay":"-2s"}`, 0},
		{`{"@type":"google.rpc.RetryInfo","retryDelay":"Infs"}`, 0},
		{`{"@type":"google.rpc.RetryInfo","retryDelay":"NaNs"}`, 0},
		{`{"@type":"google.rpc.RetryInfo","retryDelay":"0x10s"}`, 0},
		{`{"@type":"google.rpc.RetryInfo","retryDelay":2}`, 0},
		{`{"@type":"google.rpc.ErrorInfo","retryDelay":"2s"}`, 0},
		{`5`, 0}, {`"5"`, 0}, {`[5]`, 0}, {``, 0},
	} {
		if got := dataWait([]byte(c.data)); got != c.want {
			t.Errorf("%s: got %v, want %v", c.data, got, c.want)
		}
	}
}

func TestRateLimiters(t *testing.T) {
	for name, want := range map[string]bool{
		"Ratelimit": true, "Ratelimit-Policy": true, "X-Ratelimit-Remaining": true, "x-ratelimit-reset": true, "Retry-After": false, "X-Rate": false,
	} {
		if got := limited(http.Header{name: {""}}); got != want {
			t.Errorf("%s: got %t", name, got)
		}
	}
}

// No wait that is read is negative or beyond a year, whatever the bytes.
func FuzzWait(f *testing.F) {
	f.Add("120", "", "", "", "{}", int64(0))
	f.Add(minute, "", `"default";r=0;t=7`, "1796032860", `{"retryAfterMs":1500}`, int64(1796032800))
	f.Add("", date, "t=1", "99999999999", `[{"@type":"google.rpc.RetryInfo","retryDelay":"1.5s"}]`, int64(-1))
	f.Fuzz(func(t *testing.T, after, date, limit, reset, data string, now int64) {
		h := http.Header{"Retry-After": {after}, "Date": {date}, "Ratelimit": {limit}, "X-Ratelimit-Reset": {reset}}
		for _, d := range []time.Duration{headerWait(h, time.Unix(now, 0)), headerWait(h, time.Time{}), dataWait([]byte(data))} {
			if d < 0 || d > year {
				t.Errorf("a wait of %v", d)
			}
		}
	})
}
