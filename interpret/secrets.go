package interpret

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Credentials are found by their form, here, or by the name that stands before them, in named.go.

// secretForm is a key or a token that needs no name: how it begins, at the edge of a word, and how it goes on.
type secretForm struct {
	begin string
	rest  *regexp.Regexp
	word  bool // a word of any length goes on from begin, then a dot
}

// webToken begins a JSON Web Token (RFC 7519): it is {" in Base64.
const webToken = "eyJ"

// secretForms are those of the issuers whose tokens leak most.
var secretForms = compileForms([][]string{
	{`[A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END[A-Z ]*PRIVATE KEY(?: BLOCK)?-----|\z)`, "-----BEGIN"}, // PEM, and RFC 9580
	{`[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)*`, webToken},
	{`[\w-]{6,}`, "sk-"}, // OpenAI, Anthropic and others
	{`\w{8,}`, "sk_live_", "sk_test_", "rk_live_", "rk_test_", "pk_live_", "pk_test_", "whsec_"}, // Stripe
	{`\w{16,}`, "gho_", "ghp_", "ghr_", "ghs_", "ghu_", "github_pat_"},
	{`[\w-]{16,}`, "glpat-", "glptt-", "glrt-", "gldt-", "glcbt-"}, // GitLab
	{`[A-Z0-9]{16}\b`, "AKIA", "ASIA", "ABIA", "ACCA"},             // AWS
	{`[\w.-]{16,}`, "AIza", "ya29.", "GOCSPX-"},                    // Google
	{`[a-z]-[\w-]{8,}`, "xox"},                                     // Slack, and the next two
	{`[\w-]{8,}`, "xapp-"},
	{`[\w/]+`, "hooks.slack.com/services/"},
	{`\w{16,}`, "npm_", "hf_", "dop_v1_", "shpat_", "lin_api_", "pul_", "dckr_pat_", "glsa_"},
	{`[\w-]{16,}`, "pypi-", "hvs.", "hvb."},
	{`[\w-]{16,}\.[\w-]{16,}`, "SG."}, // SendGrid
	{`[0-9a-f]{32}\b`, "key-", "SK"},  // Mailgun, Twilio
	{`(?:v\d+/)?webhooks/\d+/[\w-]+`, "discord.com/api/", "discordapp.com/api/"},
	{`\d+:[\w-]+`, "api.telegram.org/bot", "api.telegram.org/file/bot"},
})

func compileForms(rows [][]string) (list []secretForm) {
	for _, row := range rows {
		rest := regexp.MustCompile("^(?:" + row[0] + ")")
		for _, begin := range row[1:] {
			list = append(list, secretForm{begin, rest, begin == webToken})
		}
	}
	return list
}

// redact replaces what has this form.
func (f *secretForm) redact(s string) string {
	var b strings.Builder
	done := 0
	for at := 0; ; {
		i := strings.Index(s[at:], f.begin)
		if i < 0 {
			return b.String() + s[done:]
		}
		i += at
		at = i + len(f.begin)
		if wordBefore(s, i) && wordAfter(f.begin, 0) {
			continue
		}
		word := 0
		if f.word {
			if word = wordLen(s[at:]); at+word == len(s) || s[at+word] != '.' {
				at += word
				continue
			}
		}
		if n := len(f.rest.FindString(s[at:])); n > 0 {
			b.WriteString(s[done:i])
			b.WriteString(redacted)
			at += n
			done = at
		} else {
			at += word // where one beginning in a word fails, the later ones do: each word is read once
		}
	}
}

// wordLen returns how many letters, digits, low lines and hyphens s begins with.
func wordLen(s string) int {
	n := strings.IndexFunc(s, func(r rune) bool {
		return r != '-' && r != '_' && (r >= 0x80 || !unicode.IsLetter(r) && !unicode.IsDigit(r))
	})
	if n < 0 {
		return len(s)
	}
	return n
}

// urlUser is the user part of a URL (RFC 3986, section 3.2.1), with or without a password. A password with a stray @ is taken along.
var urlUser = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)[^\s/?#"'<>\\]+@`)

// urlPassword is a user part whose password has a stray / # or ?. What is behind the colon is no password if it may be a port.
var urlPassword = regexp.MustCompile(`([A-Za-z][A-Za-z0-9+.-]*://)[^\s/?#"'<>\\@:\[]*:(?:\d{6,}|\d*[^\s/?#"'<>\\@0-9][^\s/?#"'<>\\@]*)[/?#][^\s"'<>\\]*@`)

// telegramToken is the token of a bot of Telegram outside of a URL: its number and a key.
var telegramToken = regexp.MustCompile(`\b\d{6,12}:AA[\w-]{30,}`)

// digestResponse is what a client proves to know its password by (RFC 7616, section 3.4).
var digestResponse = regexp.MustCompile(`(?i)(\bresponse *= *\\*)(?:"[^"\\]+|'[^'\\]+|[0-9a-f]{32,})`)

// urlSecret is a query parameter whose short name is a secret's in a URL only.
var urlSecret = regexp.MustCompile(`(?i)((?:[?&;]|\\u0026)(?:amp;)?(?:key|sig|code|auth|pass|pw|hmac|jwt|ticket|assertion|state|nonce)=)[^\s&;#"'<>\\]+`)

// cookies are the pairs of a Cookie or Set-Cookie header.
var cookies = regexp.MustCompile(`(?i)(\b(?:set-)?cookie2?\\*["']? *: *\\*["']?)[^\s=;,"']+=[^\s;,"'\\]*(?:; *[^\s=;,"']+(?:=[^\s;,"'\\]*)?)*`)

// schemeValue is a credential behind the name of its scheme (RFC 9110, section 11.4).
var schemeValue = regexp.MustCompile(`\b(?i:(bearer|dpop)|(basic|negotiate|ntlm|apikey))( +|[ \t]*\r?\n[ \t]+)([A-Za-z0-9._~+/-]{3,}=*)`)

var schemeMarks = []string{"bearer", "dpop", "basic", "negotiate", "ntlm", "apikey"}

func redactForms(s string) string {
	for i := range secretForms {
		s = secretForms[i].redact(s)
	}
	if strings.Contains(s, "://") && strings.Contains(s, "@") {
		s = urlUser.ReplaceAllString(s, "${1}"+redacted+"@")
		s = urlPassword.ReplaceAllString(s, "${1}"+redacted+"@")
	}
	if strings.Contains(s, "=") && strings.ContainsAny(s, `?&;\`) {
		s = urlSecret.ReplaceAllString(s, "${1}"+redacted)
	}
	if strings.Contains(s, ":AA") {
		s = telegramToken.ReplaceAllString(s, redacted)
	}
	lower := strings.ToLower(s)
	if strings.Contains(lower, "cookie") {
		s = cookies.ReplaceAllString(s, "${1}"+redacted)
	}
	if strings.Contains(lower, "digest ") {
		s = digestResponse.ReplaceAllStringFunc(s, func(match string) string {
			part := digestResponse.FindStringSubmatch(match)
			quote := match[len(part[1]):][:1]
			return part[1] + strings.Trim(quote, "0123456789abcdefABCDEF") + redacted
		})
	}
	s = redactNamed(redactBeside(s))
	if hasAny(lower, schemeMarks) {
		s = schemeValue.ReplaceAllStringFunc(s, redactScheme)
	}
	return s
}

func hasAny(s string, list []string) bool {
	return slices.ContainsFunc(list, func(mark string) bool { return strings.Contains(s, mark) })
}

// challengeParam begins the parameters of a challenge, which has no credential (RFC 9110, section 11.3; RFC 6750, section 3).
var challengeParam = regexp.MustCompile(`^(?:realm|scope|error|error_description|error_uri|resource_metadata|charset|algs|nonce)=$`)

func redactScheme(match string) string {
	part := schemeValue.FindStringSubmatch(match)
	value := part[4]
	if challengeParam.MatchString(value) || plainWord(value) && (part[2] != "" || len(value) < 16) { // "bearer token", "basic usage"
		return match
	}
	return part[1] + part[2] + part[3] + redacted
}

// plainWord reports whether a value is a word: letters of one case, but for the first.
func plainWord(value string) bool {
	rest := strings.TrimLeftFunc(value, unicode.IsUpper)
	if rest == "" {
		return true
	}
	return len(value)-len(rest) <= 1 && strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLower(r) }) < 0
}
