package probe

import (
	"net"
	"regexp"
	"strings"
)

var stackTraces = Check{
	ID: "stack_trace", Asks: "over all replies: no stack trace",
	wants: []want{{says: "a message limited to a concise single sentence", ref: "schema#error"}},
	watch: func(r *reply) []string { return betrays(r, "it sends a stack trace", traces) },
}

// traces are lines of a trace in the languages that servers are written in.
var traces = regexp.MustCompile(strings.Join([]string{
	`Traceback \(most recent call last\)`, `(?m)^\s*File "[^"\n]+", line \d+`, // Python
	`(?m)^\s*at [^\n(]{1,200}\([^()\n]{1,300}:\d+(?::\d+)?\)`, `(?m)^\s*at (?:file:|node:|async )?[^\s()]+:\d+:\d+$`, // JavaScript, Java, Kotlin
	`(?m)^\s*at [^\n]{1,200} in [^\n]{1,300}:line \d+`,                   // C#
	`goroutine \d+ \[[a-z ]+`, `(?m)^\t?\S+\.go:\d+(?: \+0x[0-9a-f]+)?$`, // Go
	`thread '[^'\n]*' panicked at`, `(?m)^\s*\d+: (?:0x[0-9a-f]+ - )?std::\w+`, // Rust
	`(?m)^\s*(?:from )?\S+\.rb:\d+:in `, // Ruby
	`(?m)^#\d+ \S+\(\d+\): `,            // PHP
}, "|"))

var internalHosts = Check{
	ID: "internal_host", Asks: "over all replies: no internal host",
	wants: []want{{says: "a message limited to a concise single sentence", ref: "schema#error"}},
	watch: func(r *reply) []string {
		if !r.refused() {
			return nil
		}
		var found []string
		for _, m := range hosts.FindAllString(r.said(), -1) {
			if internal(m) {
				found = append(found, "it names the internal host "+quoted(m))
			}
		}
		return found
	},
}

// hosts are addresses, with a port or without, and names that no public zone has.
var hosts = regexp.MustCompile(`(?i)\b(?:\d{1,3}\.){3}\d{1,3}\b(?::\d{1,5})?|\blocalhost:\d{1,5}\b|` +
	`\b[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?\.(?:internal|local|localdomain|lan|intranet|corp|svc|cluster)\b(?::\d{1,5})?`)

// internal reports whether a host is none that the internet knows. A bare name is: the pattern took no others.
func internal(host string) bool {
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	ip := net.ParseIP(host)
	if ip == nil {
		return strings.ContainsFunc(host, func(c rune) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' })
	}
	return ip.IsPrivate() || ip.IsLoopback() || ip.IsLinkLocalUnicast()
}

var filePaths = Check{
	ID: "file_path", Asks: "over all replies: no file path",
	wants: []want{{says: "a message limited to a concise single sentence", ref: "schema#error"}},
	watch: func(r *reply) []string {
		if !r.refused() {
			return nil
		}
		var found []string
		for _, m := range paths.FindAllStringSubmatch(r.said(), seenMost) {
			found = append(found, "it names the file "+quoted(m[1]))
		}
		return found
	},
}

// paths are absolute paths below the directories where servers live, and those of Windows.
var paths = regexp.MustCompile(`(?:^|[\s"'(=\[<,;:>‹])((?:file://)?/(?:home|Users|usr|var|opt|srv|app|root|tmp|etc|mnt|private|workspace|nix|proc)/[^\s"'()<>\[\],;]+|` +
	`[A-Za-z]:\\{1,2}[^\s"'()<>\[\],;]+)`)

var secrets = Check{
	ID: "secret", Asks: "over all replies: no secret",
	wants: []want{{says: "no credentials in what a client, its log or a model reads", ref: specification + "2025-11-25/basic/security_best_practices"}},
	watch: func(r *reply) []string {
		text := r.said()
		clean := scrubber.Redact(text)
		if clean == text {
			return nil
		}
		i := strings.Index(clean, "[redacted]")
		from := max(0, i-24)
		for from > 0 && clean[from]&0xc0 == 0x80 {
			from--
		}
		return []string{"it sends a credential: " + quoted(clean[from:i+len("[redacted]")])}
	},
}

// betrays is the first line in a refusal that the pattern finds.
func betrays(r *reply, fault string, pattern *regexp.Regexp) []string {
	if !r.refused() {
		return nil
	}
	if m := pattern.FindString(r.said()); m != "" {
		return []string{fault + ": " + quoted(m)}
	}
	return nil
}
