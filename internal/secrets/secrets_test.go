package secrets

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
)

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	got = slices.Sorted(slices.Values(got))
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

func TestHeader(t *testing.T) {
	for _, c := range []struct {
		name, value string
		want        []string
	}{
		{"Authorization", "Bearer correcthorse", []string{"correcthorse"}},
		{"authorization", "correcthorse", []string{"correcthorse"}},
		{"Proxy-Authorization", "Basic YWxpY2U6aHVudGVyMjI=", []string{"YWxpY2U6aHVudGVyMjI=", "hunter22"}},                           // alice
		{"Authorization", "basic c2tfbGl2ZV9hQjNkRTVmRzo=", []string{"c2tfbGl2ZV9hQjNkRTVmRzo=", "sk_live_aB3dE5fG"}},                 // and no password
		{"Authorization", "Basic c2tfbGl2ZV9hQjNkRTVmRzp4LW9hdXRo", []string{"c2tfbGl2ZV9hQjNkRTVmRzp4LW9hdXRo", "sk_live_aB3dE5fG"}}, // and a short one
		{"Authorization", "Bearer short", nil},
		{"X-Api-Key", "tenant-42-Zq8w", []string{"tenant-42-Zq8w"}},
		{"X-Api-Key", "production", []string{"production"}},
		{"X-Api-Key", "Bearer correcthorse", []string{"Bearer correcthorse", "correcthorse"}},
		{"X-Key", "correcthorse", []string{"correcthorse"}},
		{"Api-Token", "correcthorse", []string{"correcthorse"}},
		{"X-Custom", "3f9a7c1e5b8d2f4a6c0e9b7d1f3a5c8e2b4d6f80", []string{"3f9a7c1e5b8d2f4a6c0e9b7d1f3a5c8e2b4d6f80"}},
		{"X-Custom", "Zm9vYmFyYmF6cXV4", []string{"Zm9vYmFyYmF6cXV4"}},
		{"X-Custom", strings.Repeat("abcdefgh", 4), []string{strings.Repeat("abcdefgh", 4)}},
		{"X-Session-Id", "3f9a7c1e5b8d", []string{"3f9a7c1e5b8d"}},
		{"Cookie", "sid=3f9a7c1e5b8d; theme=midnight; token=midnight2", []string{"3f9a7c1e5b8d", "midnight2"}},

		{"X-Environment", "production", nil},
		{"X-Goog-User-Project", "my-project-123456", nil},
		{"X-Region", "europe-west4", nil},
		{"X-Toolsets", "repos,issues,pull_requests", nil},
		{"X-Github-Api-Version", "2022-11-28-pReview9x", nil},
		{"X-Tenant-Id", "550e8400-e29b-41d4-a716-446655440000", nil},
		{"X-Account", "123456789012", nil},
		{"User-Agent", "Mozilla/5.0 (X11; aB3dE5fG7h)", nil},
		{"Accept", "application/vnd.aB3dE5fG7h+json", nil},
		{"Content-Type", "multipart/form-data; boundary=aB3dE5fG7h", nil},
		{"Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", nil},
		{"Idempotency-Key", "0af7651916cd43dd8448eb211c80319c", nil},
	} {
		same(t, c.name+": "+c.value, Header(http.Header{c.name: {c.value}}), c.want...)
	}
	same(t, "several values", Header(http.Header{"X-Api-Key": {"correcthorse", "correcthorse", "batterystaple"}}), "correcthorse", "batterystaple")
	same(t, "none", Header(nil))
}

func TestURL(t *testing.T) {
	for address, want := range map[string][]string{
		"https://h.example/a8Kd0fLq2/mcp?page=correcthorse":               nil,
		"https://alice:hunter%2022@h.example/":                            {"hunter 22", "YWxpY2U6aHVudGVyIDIy"},
		"https://sk_live_aB3dE5fG@h.example/":                             {"sk_live_aB3dE5fG", "c2tfbGl2ZV9hQjNkRTVmRzo="},
		"https://h.example/?key=correcthorse&sig=a&api_key=batterystaple": {"correcthorse", "batterystaple"},
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		same(t, address, URL(u), want...)
	}
	same(t, "none", URL(nil))
}

func TestEnv(t *testing.T) {
	same(t, "environment", Env([]string{
		"HOME=/home/a8Kd0fLq2", "PWD=/home/a8Kd0fLq2", "OLDPWD=/home/a8Kd0fLq2", "SSH_AUTH_SOCK=/run/a8Kd0fLq2", "KEYBOARD=a8Kd0fLq2", "MONKEY=a8Kd0fLq2",
		"EMPTY_KEY=", "SHORT_KEY=1234567", "nothing", "A_KEY",
		"EXAMPLE_KEY=key-value", "GITHUB_TOKEN=token-value", "apiSecret=secret-value", "DB_PASSWORD=pass=word", "OPENAI_APIKEY=apikey-value",
		"DATABASE_URL=postgres://app:db-password@db.internal/x", "HOMEPAGE=https://h.example/",
	}), "key-value", "token-value", "secret-value", "pass=word", "apikey-value", "db-password", "YXBwOmRiLXBhc3N3b3Jk")
}

func TestArgs(t *testing.T) {
	same(t, "arguments", Args([]string{
		"-y", "@scope/server-a8Kd0fLq2", "--verbose", "/srv/files/a8Kd0fLq2", "--port=12345678", "--token=joined-value", "--api-key", "next-value", "--key", "--flag-value",
		"-e", "GITHUB_TOKEN=docker-value", "--header", "Authorization: Bearer header-value", "--dsn=mysql://app:dsn-password@db/x", "postgres://app:db-password@db/x",
	}), "joined-value", "next-value", "docker-value", "header-value", "dsn-password", "YXBwOmRzbi1wYXNzd29yZA==", "db-password", "YXBwOmRiLXBhc3N3b3Jk")
	same(t, "none", Args(nil))
}
