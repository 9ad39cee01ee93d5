package interpret

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// maxWait bounds every wait that is read: what lies beyond a year is no value, whatever its unit was meant to be.
const maxWait = 365 * 24 * time.Hour

// headerWait reads how long the headers ask to wait: Retry-After (RFC 9110, 10.2.3), else the reset of RateLimit, RateLimit-Reset or
// X-RateLimit-Reset. now stands in for a missing Date; 0 is "they do not say".
func headerWait(h http.Header, now time.Time) time.Duration {
	date := now
	if d, err := http.ParseTime(h.Get("Date")); err == nil {
		date = d
	}
	if d := retryAfter(strings.TrimSpace(h.Get("Retry-After")), date); d > 0 {
		return d
	}
	for _, v := range h.Values("RateLimit") {
		for p := range strings.FieldsFuncSeq(v, func(r rune) bool { return r == ';' || r == ',' }) {
			if t, ok := strings.CutPrefix(strings.TrimSpace(p), "t="); ok {
				if d := seconds(t); d > 0 {
					return d
				}
			}
		}
	}
	for _, name := range []string{"RateLimit-Reset", "X-RateLimit-Reset"} {
		if d := reset(strings.TrimSpace(h.Get(name)), date); d > 0 {
			return d
		}
	}
	return 0
}

// limited reports whether any header of a rate limiter is there, readable or not.
func limited(h http.Header) bool {
	for name := range h {
		if n := strings.ToLower(name); strings.HasPrefix(n, "ratelimit") || strings.HasPrefix(n, "x-ratelimit-") {
			return true
		}
	}
	return false
}

func retryAfter(v string, date time.Time) time.Duration {
	if t, err := http.ParseTime(v); err == nil && !date.IsZero() {
		return within(t.Sub(date))
	}
	return seconds(v)
}

// seconds reads whole seconds, digits only; a fraction is no value.
func seconds(v string) time.Duration {
	n, err := strconv.ParseUint(v, 10, 64)
	if err != nil || n > uint64(maxWait/time.Second) {
		return 0
	}
	return within(time.Duration(n) * time.Second)
}

// reset reads a reset field: seconds from now, or, beyond a year, seconds since 1970.
func reset(v string, date time.Time) time.Duration {
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n <= int64(maxWait/time.Second) || n > math.MaxInt32*64 || date.IsZero() {
		return seconds(v)
	}
	return within(time.Unix(n, 0).Sub(date))
}

func within(d time.Duration) time.Duration {
	if d <= 0 || d > maxWait {
		return 0
	}
	return d
}

// dataWait reads a wait from an error's data: a positive number of milliseconds or seconds, or a google.rpc.RetryInfo, which may stand
// in data itself, in the array that data is, or in data.details.
func dataWait(data []byte) time.Duration {
	found := map[string][]byte{}
	members(data, func(n, v []byte) bool {
		switch name := string(n); name {
		case "retryAfterMs", "retryAfter", "retry_after", "retryAfterSeconds", "retry_after_seconds", "details":
			if found[name] == nil {
				found[name] = v
			}
		}
		return true
	})
	if d := number(found["retryAfterMs"], time.Millisecond); d > 0 {
		return d
	}
	for _, name := range []string{"retryAfter", "retry_after", "retryAfterSeconds", "retry_after_seconds"} {
		if d := number(found[name], time.Second); d > 0 {
			return d
		}
	}
	for _, list := range [][]byte{data, found["details"]} {
		if d := retryInfo(list); d > 0 {
			return d
		}
	}
	return 0
}

// number reads a JSON number of units; a string is no number.
func number(raw []byte, unit time.Duration) time.Duration {
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || !(f > 0) || f > float64(maxWait/unit) {
		return 0
	}
	return within(time.Duration(f * float64(unit)))
}

// retryInfo reads google.rpc.RetryInfo from one object or from a list of them. Its retryDelay is a protobuf Duration: decimal seconds and "s".
func retryInfo(raw []byte) (wait time.Duration) {
	one := func(v []byte) bool {
		if strings.HasSuffix(string(text(member(v, "@type"))), "google.rpc.RetryInfo") {
			if s, ok := strings.CutSuffix(string(text(member(v, "retryDelay"))), "s"); ok && !strings.ContainsAny(s, "eExXpP_+-") {
				wait = number([]byte(s), time.Second)
			}
		}
		return wait == 0
	}
	if isArray(raw) {
		elements(raw, one)
	} else if isObject(raw) {
		one(raw)
	}
	return wait
}
