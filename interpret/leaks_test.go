package interpret

import (
	"encoding/json"
	"strings"
	"testing"
)

// planted is a secret of no known form: only what stands around it tells that it is one.
const planted = "Xq7Zr9Kw"

// Wherever a credential stands by its name, it does not stay; every text names another place, @ being the secret, and @@ the secret
// and an at sign.
func TestPlacesOfSecrets(t *testing.T) {
	for _, text := range []string{
		"-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n@\n-----END PGP PRIVATE KEY BLOCK-----", "-----BEGIN PGP PRIVATE KEY BLOCK-----\n@",
		"-----BEGIN OPENSSH PRIVATE KEY-----\n@\n",
		"https://u:a#@@h/", "https://u:a/@@h.example/x", "postgres://app:a?@@db:5432/x", "https://u:@#b@@h/", "https://u:@@h/",
		"https://h.example/?u=%2Fcb%3Faccess_token%3D@", "https://h.example/?u=%2Fcb%3Fa%3Db%26token%3D@%26z%3D1", "?u=%252Fcb%253Faccess_token%253D@",
		`{"tokens":["@"]}`, `{"tokens":["a b","@"],"x":1}`, `{"password":{"value":"@"}}`, `{"secrets":{"db":{"now":"@","old":["@"]}}}`, `{\"passwords\":[\"@\"]}`,
		`{"name":"X-Api-Key","value":"@"}`, `{"key": "api_key", "in": "header", "value": "@"}`, `{"value":"@","name":"accessToken"}`, `{\"name\":\"token\",\"value\":\"@\"}`,
		`["X-Api-Key","@"]`, `[["x-api-key", "@"], ["accept", "text/html"]]`, `("x-api-key", "@")`, `('authorization', '@')`, `[\"api_key\",\"@\"]`,
		"Authorization: Bearer\n @", "Authorization: Bearer\r\n\t@", "sent Bearer\n @", "password:\n  @", "password:\n    \"@\"", "token:\n  - @",
		"{&quot;password&quot;:&quot;@&quot;,&quot;a&quot;:1}", "&#34;token&#34;: &#34;@&#34;", "password=&quot;@&quot;",
		"<password>@</password>", "<ns:apiKey type=\"x\">@</ns:apiKey>", "<a><Token>@</Token></a>",
		"password：@", "token＝@", "api_key：@",
		"psql --password @ -h db", "cmd --api-key '@'", "x --token \"@\"", "-password @", "curl -u bob:@ https://h.example/", "curl --user bob:@", "curl -u 'bob:@' h",
		"https://discord.com/api/webhooks/123456/@", "https://discord.com/api/v10/webhooks/123456/@-_x", "https://api.telegram.org/bot123456:@/getMe",
		"12345678:AA@_@_@_@_@ is the bot", `Digest username="bob", realm="r", response="@"`, `Authorization: Digest username="bob", uri="/", response="@", qop=auth`,
	} {
		text = strings.NewReplacer("@@", planted+"@", "@", planted).Replace(text)
		for _, got := range []string{new(Scrubber).Scrub(text), new(Scrubber).Redact(text)} {
			if strings.Contains(got, planted) || !strings.Contains(got, redacted) {
				t.Errorf("%q\n got %q", text, got)
			}
			if again := new(Scrubber).Scrub(got); strings.Count(again, redacted) != strings.Count(got, redacted) {
				t.Errorf("twice: %q becomes %q", got, again)
			}
		}
	}
}

// Credentials that are numbers, words or of an issuer's form.
func TestMoreSecrets(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"password":98765432}`, `{"password":[redacted]}`},
		{`{"otp": 123456, "max": 4}`, `{"otp": [redacted], "max": 4}`},
		{`{"tokens":[98765432,"swordfish"],"n":1}`, `{"tokens":[[redacted],"[redacted]"],"n":1}`},
		{`{"password":{"value":"swordfish"},"user":"ann"}`, `{"password":{"value":"[redacted]"},"user":"ann"}`},
		{"SK0123456789abcdef0123456789abcdef", "[redacted]"},
		{"mysql --password swordfish db", "mysql --password [redacted] db"},
		{"curl -u bob:swordfish https://h.example/", "curl -u bob:[redacted] https://h.example/"},
		{"<password>swordfish</password>", "<password>[redacted]</password>"},
		{`["X-Api-Key","swordfish"]`, `["X-Api-Key","[redacted]"]`},
	} {
		if got := new(Scrubber).Scrub(c.text); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}

// What tells of secrets, and holds none, stays as it is.
func TestOrdinaryTexts(t *testing.T) {
	for _, text := range []string{
		"password: must have 8 characters", "password:\n  must have 8 characters", "token:\n  at line 3", "password: 8-character minimum",
		`{"password":["must have 8 characters","is too short"]}`, `{"properties":{"password":{"type":"string","minLength":8,"description":"at least eight"}}}`,
		`{"usage":{"tokens":4096,"max_tokens":98765432}}`, `{"token": 17}`, `"passwords": 1200`,
		`{"required":["password","username"]}`, `["token","query"]`, `["Authorization","Content-Type"]`, `("password", "username")`,
		`{"name":"query","value":"abc123def"}`, `{"name":"password","value":"must not be empty"}`,
		"the --password flag is required", "--token is missing", "use --token to pass a token", "--password <password>", "--api-key $KEY", "docker run -u 1000:1000 x",
		"<token> is a placeholder, </b>", "<password>must have 8 characters</password>", "<title>401 Unauthorized</title>",
		"https://api.example.com:8443/users/a@b.example", "http://h:80?mail=a@b.example", "https://[::1]:8080/a@b", "https://h.example/a:b/c@d",
		"SKU 0123 and SK", "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----", "https://discord.com/api/oauth2", "12:30:45 AA", "response=ok, digest mismatch",
		"100%3A50", "密码：错误", "name：value", "&quot;field&quot;: &quot;email&quot;", "error: invalid password\n  at login (x.js:3)",
	} {
		if got := new(Scrubber).Scrub(text); got != text {
			t.Errorf("%q\n got %q", text, got)
		}
	}
}

// A hint about a secret does not show it, by whatever name and at whatever depth; @ is the secret.
func TestHintsHideSecrets(t *testing.T) {
	for _, secret := range []string{planted, "swordfish"} {
		for _, data := range []string{
			`{"field":"token[0]","received":"@"}`, `{"field":"headers.authorization.0","received":"@"}`, `{"field":"credentials.value","received":"@"}`,
			`{"field":"passwords","received":"@"}`, `{"field":"/apiKeys/2/x","received":"@"}`, `{"path":["user","password",0],"input":"@"}`,
			`{"field":"password","allowed":"@"}`, `{"field":"password","expected":"@"}`, `{"field":"password","allowed":["@"]}`, `{"field":"password","hint":"@"}`,
			`{"errors":{"password":"@"}}`, `{"errors":{"password":["@"]}}`, `{"errors":[{"path":["user","password"],"message":"invalid value @"}]}`,
			`{"errors":[{"path":["token"],"message":"'@' is too short"}]}`, `{"field":"secret","message":"got @, wanted another"}`,
		} {
			o := Outcome{Kind: InvalidArguments, Message: "Invalid params", Data: []byte(strings.ReplaceAll(data, "@", secret))}
			b, _ := json.Marshal([]any{o.Hints(), o.Said(nil)})
			if len(o.Hints()) == 0 || strings.Contains(string(b), secret) {
				t.Errorf("%s: %s", o.Data, b)
			}
		}
	}
	for _, h := range []Hint{
		{Path: "password", Problem: "must have at least 8 characters", Allowed: "length >= 8"},
		{Path: "password", Problem: "missing", Expected: "string"},
		{Path: "user.tokens.0", Problem: "required"},
		{Path: "password", Problem: "must be an 8-character string, value is too short"},
		{Path: "max_tokens", Problem: "must be smaller", Received: "98765432"},
		{Path: "query", Problem: "'abc123def' is unknown", Allowed: "xyz"},
	} {
		w := words{}
		if w.add(h); len(w.hints) != 1 || w.hints[0] != h {
			t.Errorf("%+v became %+v", h, w.hints)
		}
	}
}
