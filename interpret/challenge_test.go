package interpret

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// shown writes challenges as scheme(name=value …), one after the other.
func shown(list []challenge) string {
	var b strings.Builder
	for _, c := range list {
		b.WriteString(c.scheme + "(")
		for i, p := range c.params {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(p[0] + "=" + p[1])
		}
		b.WriteString(")")
	}
	return b.String()
}

func TestChallengesByRFC9110(t *testing.T) {
	for _, c := range []struct {
		name   string
		fields []string
		want   string
	}{
		{"a scheme alone", []string{`Bearer`}, `Bearer()`},
		{"quoted", []string{`Basic realm="simple"`}, `Basic(realm=simple)`},
		{"a token", []string{`Basic realm=simple`}, `Basic(realm=simple)`},
		{"the example of section 11.6.1", []string{`Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\""`},
			`Basic(realm=simple)Newauth(realm=apps type=1 title=Login to "apps")`},
		{"in several fields", []string{`Basic realm="a"`, `Bearer scope="b c", error="insufficient_scope"`},
			`Basic(realm=a)Bearer(scope=b c error=insufficient_scope)`},
		{"schemes alone", []string{`Negotiate, NTLM, Bearer`}, `Negotiate()NTLM()Bearer()`},
		{"token68", []string{`Negotiate YIIB+w/x~y==, Bearer realm="r"`}, `Negotiate()Bearer(realm=r)`},
		{"token68 without padding", []string{`Negotiate YIIB, Bearer realm="r"`}, `Negotiate()Bearer(realm=r)`},
		{"a comma inside quotes", []string{`Bearer realm="a, Basic b", scope="c"`}, `Bearer(realm=a, Basic b scope=c)`},
		{"an escaped backslash before the quote", []string{`Bearer realm="a\\", scope="c"`}, `Bearer(realm=a\ scope=c)`},
		{"white space around the equals sign", []string{"Bearer realm = \"a\" ,\tscope\t=b"}, `Bearer(realm=a scope=b)`},
		{"empty elements", []string{`, ,Bearer realm=a,, ,scope=b,`}, `Bearer(realm=a scope=b)`},
		{"an empty string", []string{`Bearer scope="", realm="a"`}, `Bearer(scope= realm=a)`},
		{"names in any case", []string{`bEARER ReAlM="A"`}, `bEARER(realm=A)`},
		{"a URL", []string{`Bearer resource_metadata="https://mcp.example/.well-known/oauth-protected-resource?a=b&c=d"`},
			`Bearer(resource_metadata=https://mcp.example/.well-known/oauth-protected-resource?a=b&c=d)`},
		{"parameters of nobody", []string{`realm="a", Bearer scope=b`}, `Bearer(scope=b)`},
		{"an unclosed string ends its field", []string{`Bearer realm="a, scope=b`, `Basic realm=c`}, `Bearer()Basic(realm=c)`},
		{"a comma left out before a scheme", []string{`Bearer realm="a" Basic realm="b"`}, `Bearer(realm=a)Basic(realm=b)`},
		{"a text without its quotes", []string{`Bearer error=insufficient_scope, error_description=The token lacks scope, scope="read"`},
			`Bearer(error=insufficient_scope error_description=The scope=read)`},
		{"a URL without its quotes", []string{`Bearer resource_metadata=https://mcp.example/x?a=b, error="insufficient_scope", scope="a"`},
			`Bearer(resource_metadata=https://mcp.example/x?a=b error=insufficient_scope scope=a)`},
		{"half a quotation", []string{`Bearer realm=a", scope="b"`}, `Bearer(scope=b)`},
		{"marks in a text without its quotes", []string{`Bearer error_description=Expired (at 10:00): sign in, scope="read"`},
			`Bearer(error_description=Expired scope=read)`},
		{"what is no challenge is passed over", []string{`Bearer realm=a, <x>, Basic realm=b`}, `Bearer(realm=a)Basic(realm=b)`},
		{"a quoted string where none belongs ends its field", []string{`Bearer realm=a, "x", Basic realm=b`, `Digest realm=c`}, `Bearer(realm=a)Digest(realm=c)`},
		{"nothing", []string{"", " ", ",", `"Bearer"`}, ``},
	} {
		if got := shown(challenges(http.Header{"Www-Authenticate": c.fields})); got != c.want {
			t.Errorf("%s: %q\ngot  %s\nwant %s", c.name, c.fields, got, c.want)
		}
	}
}

func TestScopesAreASet(t *testing.T) {
	c := challenges(http.Header{"Www-Authenticate": {`Bearer scope="files:read  files:write files:read", scope="other"`}})[0]
	if got := scopes(c.get("scope")); !slices.Equal(got, []string{"files:read", "files:write"}) {
		t.Errorf("got %q", got)
	}
}

func TestScopesAreBounded(t *testing.T) {
	var field strings.Builder
	field.WriteString(`Bearer scope="`)
	for i := range 200_000 {
		fmt.Fprintf(&field, "s%d ", i)
	}
	c := challenges(http.Header{"Www-Authenticate": {field.String() + `"`}})[0]
	if got := scopes("a " + strings.Repeat("x", longScope+1) + " b"); !slices.Equal(got, []string{"a", "b"}) {
		t.Errorf("got %q", got)
	}
	if got := scopes(c.get("scope")); len(got) != maxScopes || got[0] != "s0" {
		t.Errorf("%d scopes", len(got))
	}
}

func TestWhichChallengesCount(t *testing.T) {
	for _, c := range []struct{ field, scope, metadata string }{
		{`Basic scope="a", BEARER scope="b", Bearer scope="c"`, "b", ""},
		{`Basic scope="a", resource_metadata="m"`, "", ""},
		{`Bearer realm="r", Bearer scope="c", resource_metadata="m"`, "c", "m"},
		{`Bearer scope="a", resource_metadata="m", Bearer error="insufficient_scope", scope="b"`, "b", "m"},
		{`Bearer error="invalid_token", DPoP error="insufficient_scope", scope="b"`, "b", ""},
	} {
		list := challenges(http.Header{"Www-Authenticate": {c.field}})
		if scope, metadata := demand(list, "scope"), demand(list, "resource_metadata"); scope != c.scope || metadata != c.metadata {
			t.Errorf("%s: scope %q, metadata %q", c.field, scope, metadata)
		}
	}
}

func FuzzChallenges(f *testing.F) {
	f.Add(`Basic realm="simple", Newauth realm="apps", type=1, title="Login to \"apps\""`)
	f.Add(`Negotiate YIIB==, Bearer scope="a b" , error=insufficient_scope`)
	f.Add(`Bearer realm="a, scope="b`)
	f.Fuzz(func(t *testing.T, field string) {
		list := challenges(http.Header{"Www-Authenticate": {field}})
		var b strings.Builder
		for i, c := range list {
			if c.scheme == "" || strings.ContainsAny(c.scheme, " \t,=\"") {
				t.Errorf("a scheme %q", c.scheme)
			}
			if i > 0 {
				b.WriteString(", ")
			}
			b.WriteString(c.scheme)
			for j, p := range c.params {
				if p[0] == "" || p[0] != strings.ToLower(p[0]) {
					t.Errorf("a parameter %q", p[0])
				}
				if b.WriteByte(' '); j > 0 {
					b.WriteString(", ")
				}
				b.WriteString(p[0] + `="` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p[1]) + `"`)
			}
		}
		// What was read, written out as RFC 9110 would have it, reads the same.
		if again := challenges(http.Header{"Www-Authenticate": {b.String()}}); shown(again) != shown(list) {
			t.Errorf("%q\nread    %s\nwritten %s\nread    %s", field, shown(list), b.String(), shown(again))
		}
	})
}
