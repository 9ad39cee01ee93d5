package interpret

import (
	"regexp"
	"strings"
	"unicode"
)

// Credentials are found by their form, or by the name that stands before them.

// secretForms are keys and tokens that need no name.
var secretForms = regexp.MustCompile(strings.Join([]string{
	`-----BEGIN[A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END[A-Z ]*PRIVATE KEY-----|\z)`,
	`\beyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)*`,                                  // JSON Web Token
	`\bsk-[\w-]{6,}`,                                                          // OpenAI, Anthropic and others
	`\b[prs]k_(?:live|test)_\w{8,}|\bwhsec_\w{8,}`,                            // Stripe
	`\bgh[oprsu]_\w{16,}|\bgithub_pat_\w{16,}`,                                // GitHub
	`\bgl(?:pat|ptt|rt|dt|cbt)-[\w-]{16,}`,                                    // GitLab
	`\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b`,                                 // AWS
	`\bAIza[\w-]{30,}|\bya29\.[\w.-]{16,}|\bGOCSPX-[\w-]{16,}`,                // Google
	`\bxox[a-z]-[\w-]{8,}|\bxapp-[\w-]{8,}|hooks\.slack\.com/services/[\w/]+`, // Slack
	`\b(?:npm|hf|dop_v1|shpat|lin_api|pul|dckr_pat|glsa)_\w{16,}|\bpypi-[\w-]{16,}`,
	`\bSG\.[\w-]{16,}\.[\w-]{16,}|\bkey-[0-9a-f]{32}\b|\bhv[sb]\.[\w-]{16,}`, // SendGrid, Mailgun, Vault
	`\b\d{8,10}:AA[\w-]{30,}`,                                                // Telegram
}, "|"))

// urlUser is the user part of a URL (RFC 3986, section 3.2.1), with or without a password. A password with a stray @ is taken along.
var urlUser = regexp.MustCompile(`(\b[A-Za-z][A-Za-z0-9+.-]*://)[^\s/?#"'<>\\]+@`)

// urlSecret is a query parameter whose short name is a secret's in a URL only.
var urlSecret = regexp.MustCompile(`(?i)([?&;](?:amp;)?(?:key|sig|code|auth|pass|pw|hmac|jwt|ticket|assertion|state|nonce)=)[^\s&;#"'<>\\]+`)

// schemeValue is a credential behind the name of its scheme (RFC 9110, section 11.4).
var schemeValue = regexp.MustCompile(`\b(?i:(bearer|dpop)|(basic|negotiate|ntlm|apikey))( +)([A-Za-z0-9._~+/-]{3,}=*)`)

// secretWord ends the name of a secret.
const secretWord = `(?:token|secret|password|passwd|passphrase|passcode|pwd|pass|otp|credentials?|signature|authorization|auth|jwt|bearer|cookie|` +
	`(?:api|access|secret|private|auth|account|signing|encryption|master|subscription|license|service|session)[._-]?key|session[._-]?id)`

// named is the name of a secret, what divides it from its value, and the value. Quotes may be escaped, as in JSON inside of JSON.
var named = regexp.MustCompile(`(?i)\b([\w.-]*` + secretWord + `)(\\*["'\x60]?\]? *(?:=>|:=|=|:) *)` +
	`(\\*"(?:[^"\\]|\\[^"])*\\*"|\\*'[^']*'|(?:bearer|basic|digest|token|apikey|dpop) +[^\s"',;\\\[]+|[^\s"',;&<>\\(){}\[\]]+)`)

// cookies are the pairs of a Cookie or Set-Cookie header.
var cookies = regexp.MustCompile(`(?i)(\b(?:set-)?cookie2?\\*["']? *: *\\*["']?)[^\s=;,"']+=[^\s;,"'\\]*(?:; *[^\s=;,"']+(?:=[^\s;,"'\\]*)?)*`)

func redactForms(s string) string {
	s = secretForms.ReplaceAllString(s, redacted)
	if strings.Contains(s, "://") {
		s = urlUser.ReplaceAllString(s, "${1}"+redacted+"@")
	}
	if strings.Contains(s, "=") {
		s = urlSecret.ReplaceAllString(s, "${1}"+redacted)
	}
	if strings.ContainsAny(s, ":=") {
		s = cookies.ReplaceAllString(s, "${1}"+redacted)
		s = replaceParts(named, s, redactNamed)
	}
	return replaceParts(schemeValue, s, redactScheme)
}

// replaceParts replaces every match of re by what edit makes of its groups; "" leaves it as it is.
func replaceParts(re *regexp.Regexp, s string, edit func(part []string) string) string {
	var b strings.Builder
	end := 0
	for _, at := range re.FindAllStringSubmatchIndex(s, -1) {
		part := make([]string, len(at)/2)
		for i := range part {
			if at[2*i] >= 0 {
				part[i] = s[at[2*i]:at[2*i+1]]
			}
		}
		if r := edit(part); r != "" {
			b.WriteString(s[end:at[0]])
			b.WriteString(r)
			end = at[1]
		}
	}
	return b.String() + s[end:]
}

// challengeParam begins the parameters of a challenge, which has no credential (RFC 9110, section 11.3; RFC 6750, section 3).
var challengeParam = regexp.MustCompile(`^(?:realm|scope|error|error_description|error_uri|resource_metadata|charset|algs|nonce)=$`)

func redactScheme(part []string) string {
	scheme, value := part[1]+part[2], part[4]
	if challengeParam.MatchString(value) || plainWord(value) && (part[2] != "" || len(value) < 16) { // "bearer token", "basic usage"
		return ""
	}
	return scheme + part[3] + redacted
}

// redactNamed replaces the value of a secret's name. After a colon a plain word is rather prose ("token: expected a string"), unless the name
// is quoted, as in JSON.
func redactNamed(part []string) string {
	name, divider, value := part[1], part[2], part[3]
	if !secretName(name) {
		return ""
	}
	bare := strings.Trim(value, `\"'`)
	quote := value[:len(value)-len(strings.TrimLeft(value, `\"'`))]
	quoted := strings.ContainsAny(divider, "\"'`")
	switch {
	case bare == "", bare == "null", bare == "true", bare == "false", bare == "undefined", bare == "None":
		return ""
	case strings.Contains(divider, "="), quoted && quote != "":
	case quoted && !random(bare): // a number, or prose behind a quoted name
		return ""
	case !quoted && quote == "" && !random(bare):
		return ""
	}
	if scheme, _, ok := strings.Cut(bare, " "); ok && quote == "" {
		return name + divider + scheme + " " + redacted
	}
	return name + divider + quote + redacted + quote
}

// secretEnd is secretWord as a word of its own, at the end of a name.
var secretEnd = regexp.MustCompile(`(?i)(?:^|[\W_])` + secretWord + `$`)

// secretName reports whether a member, header or parameter of this name holds a secret: by the last of its words, so that max_tokens does not.
func secretName(name string) bool { return secretEnd.MatchString(snake(name)) }

// snake puts a divider before every word of a name in camel case: accessToken becomes access_Token, APIKey API_Key.
func snake(name string) string {
	var b strings.Builder
	r := []rune(name)
	for i, c := range r {
		if i > 0 && unicode.IsUpper(c) && (unicode.IsLower(r[i-1]) || unicode.IsDigit(r[i-1]) || unicode.IsUpper(r[i-1]) && i+1 < len(r) && unicode.IsLower(r[i+1])) {
			b.WriteByte('_')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// random reports whether a value looks drawn rather than written: it has a digit or a sign of Base64 in it and is no plain number, or is long.
func random(value string) bool {
	letters, others := 0, 0
	for _, r := range value {
		switch {
		case unicode.IsLetter(r):
			letters++
		case strings.ContainsRune("0123456789+/=_$!#%^*", r):
			others++
		}
	}
	return len(value) >= 6 && letters > 0 && others > 0 || len(value) >= 20
}

// plainWord reports whether a value is a word: letters of one case, but for the first.
func plainWord(value string) bool {
	rest := strings.TrimLeftFunc(value, unicode.IsUpper)
	if rest == "" {
		return true
	}
	return len(value)-len(rest) <= 1 && strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLower(r) }) < 0
}
