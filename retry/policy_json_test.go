package retry

import (
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/mcperr/mcperr/interpret"
)

func TestParsePolicy(t *testing.T) {
	p, err := ParsePolicy([]byte(`{
		"floor": "2025-03-26", "attempts": 6, "sends": 12, "scopeRounds": 1, "inputRounds": 2, "resumes": 7,
		"firstDelay": "250ms", "topDelay": "10s", "hintCap": "1m30s", "timeBudget": "2m", "deposit": 0.1, "burst": 5,
		"rules": [
			{"name": "busy", "codes": [-32050, -32051], "kinds": ["unknown_error"], "remedies": ["resume"], "statuses": [503],
			 "methods": ["tools/call"], "tools": ["search"], "action": "retry", "tries": 2, "minDelay": "1.5s"},
			{"st\u0061tuses": [500], "action": "abort"}
		]
	}`))
	if err != nil {
		t.Fatal(err)
	}
	want := &Policy{
		Floor: "2025-03-26", Attempts: 6, Sends: 12, ScopeRounds: 1, InputRounds: 2, Resumes: 7,
		FirstDelay: 250 * time.Millisecond, TopDelay: 10 * time.Second, HintCap: 90 * time.Second, TimeBudget: 2 * time.Minute,
		Deposit: 0.1, Burst: 5,
		Rules: []Rule{
			{Name: "busy", Codes: []int64{-32050, -32051}, Kinds: []interpret.Kind{interpret.UnknownError}, Remedies: []interpret.Remedy{interpret.Resume},
				Statuses: []int{503}, Methods: []string{"tools/call"}, Tools: []string{"search"}, Action: Retry, Tries: 2, MinDelay: 1500 * time.Millisecond},
			{Statuses: []int{500}},
		},
	}
	if !reflect.DeepEqual(p, want) {
		t.Errorf("got %+v\nwant %+v", p, want)
	}
}

func TestPolicyRoundTrip(t *testing.T) {
	for _, p := range []*Policy{
		{},
		DefaultPolicy(),
		{TimeBudget: 90 * time.Minute, HintCap: time.Nanosecond},
		new(Policy).With(Rule{Name: `"<&>"`, Codes: []int64{0, math.MinInt32}, Action: Ask, Tries: 1}, Rule{Tools: []string{"a b"}, Action: Surface, MinDelay: time.Hour}),
	} {
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		var back Policy
		if err := json.Unmarshal(b, &back); err != nil {
			t.Errorf("%s: %v", b, err)
		} else if !reflect.DeepEqual(&back, p) {
			t.Errorf("%s: got %+v, want %+v", b, back, p)
		}
	}
	b, _ := json.Marshal(&Policy{Attempts: -1, FirstDelay: -1, Resumes: -1, Deposit: math.NaN(), Burst: -1})
	n, _ := json.Marshal((*Policy)(nil))
	if string(b) != "{}" || string(n) != "null" {
		t.Errorf("negative members: %s, nil: %s", b, n)
	}
}

// A policy held by value, and a rule of its own, have the same form as within a policy.
func TestPolicyRoundTripByValue(t *testing.T) {
	type config struct {
		Policy Policy
		Rules  []Rule
	}
	rule := Rule{Name: "busy", Kinds: []interpret.Kind{interpret.RateLimited}, Statuses: []int{503}, Action: Retry, Tries: 2, MinDelay: time.Second}
	c := config{Policy{Attempts: 2, FirstDelay: time.Second, Rules: []Rule{rule}}, []Rule{rule, {Codes: []int64{1}}}}
	b, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var back config
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	if !reflect.DeepEqual(back, c) {
		t.Errorf("%s: got %+v, want %+v", b, back, c)
	}
	if _, err := ParsePolicy([]byte(`{"rules":[` + marshal(t, rule) + `]}`)); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{`{"Codes":[1],"action":"retry"}`, `{"action":"retry"}`, `{"codes":[1]}`, `{"codes":[1],"action":"retry","tries":0}`, `null`, `7`} {
		kept := rule
		if err := json.Unmarshal([]byte(bad), &kept); !errors.As(err, new(*PolicyError)) || !reflect.DeepEqual(kept, rule) {
			t.Errorf("%s: error %v, read %+v", bad, err, kept)
		}
	}
}

// What is written can be read again, and says the same. What cannot is an error that says why.
func TestPoliciesWithoutAForm(t *testing.T) {
	with := func(rules ...Rule) *Policy { return new(Policy).With(rules...) }
	busy, idle := Rule{Name: "busy", Codes: []int64{1, 2}, Action: Retry}, Rule{Name: "busy", Codes: []int64{2, 1}}
	const ofAPolicy, ofJSON = "of the policy alone", "of JSON"
	for _, c := range []struct {
		name         string
		policy       *Policy
		member, want string // of the PolicyError
		fault        string // "": of the first rule itself
	}{
		{"matches every fault", with(Rule{Name: "all", Action: Abort}), "rules[0]", "a rule needs something to match", ""},
		{"contradicts", with(busy, idle), "rules[1]", `"busy" contradicts the rule at`, ofAPolicy},
		{"contradicts what was there", with(busy).With(idle), "rules[1]", `"busy" contradicts the rule at`, ofAPolicy},
		{"a kind of a later version", with(Rule{Kinds: []interpret.Kind{"of_a_later_version"}}), "rules[0].kinds[0]", `unknown kind "of_a_later_version"`, ""},
		{"a kind without a fault", with(Rule{Kinds: []interpret.Kind{interpret.OK}}), "rules[0].kinds[0]", `unknown kind "ok"`, ""},
		{"a remedy of a later version", with(Rule{Remedies: []interpret.Remedy{"reload"}}), "rules[0].remedies[0]", `unknown remedy "reload"`, ""},
		{"a code of 54 bits", with(Rule{Codes: []int64{1 << 53}}), "rules[0].codes[0]", "9007199254740992 is no code", ""},
		{"no HTTP status", with(Rule{Statuses: []int{42}}), "rules[0].statuses[0]", "42 is no HTTP status", ""},
		{"tools outside tools/call", with(Rule{Methods: []string{"prompts/get"}, Tools: []string{"x"}}), "rules[0]", "tools are matched in tools/call only", ""},
		{"a name of nothing", with(Rule{Tools: []string{""}}), "rules[0].tools[0]", `"" is no text`, ""},
		{"a floor that is not spoken", &Policy{Floor: "2025-04-01"}, "floor", `"2025-04-01" is no protocol version`, ofAPolicy},
		{"more than anybody counts", &Policy{Attempts: math.MaxInt64}, "attempts", "9223372036854775807 is no count", ofAPolicy},
		{"an infinite number", &Policy{Burst: math.Inf(1)}, "", "", ofJSON},
		{"a tool that is no UTF-8", with(Rule{Tools: []string{"a\xff"}}), "", "", ofJSON},
		{"a name that is no UTF-8", with(Rule{Name: "\xff", Codes: []int64{1}}), "", "", ofJSON},
	} {
		refuse := func(v any, member string) {
			t.Helper()
			b, err := json.Marshal(v)
			fault, refused := errors.AsType[*PolicyError](err)
			if err == nil || refused == (c.fault == ofJSON) {
				t.Errorf("%s: %T: %v, %s", c.name, v, err, b)
			} else if refused && (fault.Member != member || !strings.HasPrefix(fault.Problem, c.want)) {
				t.Errorf("%s: %T: %s, want %s: %s", c.name, v, fault, member, c.want)
			}
		}
		refuse(c.policy, c.member)
		refuse(*c.policy, c.member)
		if c.fault == "" {
			refuse(c.policy.Rules[0], strings.TrimPrefix(strings.TrimPrefix(c.member, "rules[0]"), "."))
		}
	}
}

func marshal(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestPolicyErrors(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"unknown member", "{\n  \"retries\": 3\n}", `policy:2:3: unknown member "retries"; allowed: floor, attempts, sends,`},
		{"case counts", `{"Attempts":3}`, `policy:1:2: unknown member "Attempts"; allowed: floor`},
		{"member twice", `{"attempts":3, "attempts":4}`, `policy:1:16: member "attempts" is there twice; allowed: each member once`},
		{"member twice, escaped", `{"attempts":3, "\u0061ttempts":4}`, `policy:1:16: member "attempts" is there twice`},
		{"unknown member of a rule", "{\"rules\":[\n{\"code\":[1],\"action\":\"retry\"}]}", `policy:2:2: rules[0]: unknown member "code"; allowed: name, codes, kinds, remedies, statuses, methods, tools, action, tries, minDelay`},
		{"unknown kind", `{"rules":[{"kinds":["timeout","rate_limit"],"action":"retry"}]}`, `policy:1:31: rules[0].kinds[1]: unknown kind "rate_limit"; allowed: input_required, tool_error,`},
		{"a result is no fault", `{"rules":[{"kinds":["ok"],"action":"retry"}]}`, `policy:1:21: rules[0].kinds[0]: unknown kind "ok"; allowed: input_required`},
		{"unknown remedy", `{"rules":[{"remedies":["reload"],"action":"retry"}]}`, `policy:1:24: rules[0].remedies[0]: unknown remedy "reload"; allowed: renegotiate, initialize,`},
		{"unknown action", `{"rules":[{"codes":[1],"action":"Retry"}]}`, `policy:1:33: rules[0].action: unknown action "Retry"; allowed: abort, surface, ask, retry`},
		{"proceed is no action of a rule", `{"rules":[{"codes":[1],"action":"proceed"}]}`, `unknown action "proceed"; allowed: abort, surface, ask, retry`},
		{"action missing", `{"rules":[ {"codes":[1]}]}`, `policy:1:12: rules[0]: a rule needs an action; allowed: abort, surface, ask, retry`},
		{"code with a fraction", `{"rules":[{"codes":[-32000.5],"action":"retry"}]}`, `policy:1:21: rules[0].codes[0]: -32000.5 is no code; allowed: an integer of at most 53 bits`},
		{"code with an exponent", `{"rules":[{"codes":[1e3],"action":"retry"}]}`, `1e3 is no code`},
		{"code as a string", `{"rules":[{"codes":["-32000"],"action":"retry"}]}`, `"-32000" is no code`},
		{"code of 54 bits", `{"rules":[{"codes":[9007199254740992],"action":"retry"}]}`, `9007199254740992 is no code`},
		{"no list", `{"rules":[{"codes":-32000,"action":"retry"}]}`, `policy:1:20: rules[0].codes: -32000 is not an array; allowed: an array`},
		{"status", `{"rules":[{"statuses":[42],"action":"retry"}]}`, `policy:1:24: rules[0].statuses[0]: 42 is no HTTP status; allowed: an integer from 100 to 599`},
		{"duration as a number", `{"hintCap": 60}`, `policy:1:13: hintCap: 60 is no duration; allowed: a string above zero like "1.5s"`},
		{"duration without a unit", `{"hintCap": "60"}`, `policy:1:13: hintCap: "60" is no duration`},
		{"duration below zero", `{"hintCap": "-1s"}`, `"-1s" is no duration`},
		{"duration of zero", `{"rules":[{"codes":[1],"action":"retry","minDelay":"0s"}]}`, `rules[0].minDelay: "0s" is no duration`},
		{"count of zero", `{"attempts":0}`, `policy:1:13: attempts: 0 is no count; allowed: an integer above zero, or no such member for the default`},
		{"amount", `{"deposit":"0.2"}`, `policy:1:12: deposit: "0.2" is no amount`},
		{"version beyond the newest", `{"floor":"2026-07-29"}`, `policy:1:10: floor: "2026-07-29" is no protocol version that is spoken here; allowed: 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25, 2026-07-28`},
		{"version before the oldest", `{"floor":"2020-01-01"}`, `policy:1:10: floor: "2020-01-01" is no protocol version that is spoken here; allowed: 2024-11-05, `},
		{"a day between two versions", `{"floor":"2025-04-01"}`, `policy:1:10: floor: "2025-04-01" is no protocol version`},
		{"version", `{"floor":"latest"}`, `policy:1:10: floor: "latest" is no protocol version that is spoken here; allowed: 2024-11-05`},
		{"version as a number", `{"floor":20250326}`, `policy:1:10: floor: 20250326 is no protocol version`},
		{"empty rule", `{"rules":[{"codes":[1],"action":"ask"},{}]}`, `policy:1:40: rules[1]: a rule needs an action`},
		{"nothing to match", `{"rules":[{"name":"all","action":"retry","tries":1}]}`, `policy:1:11: rules[0]: a rule needs something to match; allowed: codes, kinds, remedies, statuses, methods, tools`},
		{"empty list", `{"rules":[{"codes":[],"action":"retry"}]}`, `policy:1:20: rules[0].codes: the list is empty; allowed: at least one entry, or no such member`},
		{"tools outside tools/call", `{"rules":[{"methods":["prompts/get"],"tools":["x"],"action":"retry"}]}`, `tools are matched in tools/call only`},
		{"contradiction, one with the method that tools have anyhow", `{"rules":[{"tools":["x"],"action":"retry"},{"tools":["x"],"methods":["tools/call"],"action":"abort"}]}`,
			`policy:1:44: rules[1]: "methods[tools/call] tools[x]" contradicts the rule at 1:11, which matches the same and says retry; allowed: one of the two, or another name`},
		{"contradiction", "{\"rules\":[\n  {\"name\":\"busy\",\"codes\":[1,2],\"action\":\"retry\"},\n  {\"name\":\"busy\",\"codes\":[2,1,1],\"action\":\"surface\"}]}", `policy:3:3: rules[1]: "busy" contradicts the rule at 2:3, which matches the same and says retry; allowed: one of the two, or another name`},
		{"a name in characters", `{"rules":[{"name":"жук","codes":[1.5],"action":"retry"}]}`, `policy:1:34: rules[0].codes[0]`},
		{"trailing bytes", "{}\n {}", `policy:2:2: {} after the policy; allowed: nothing`},
		{"no object", `[]`, `policy:1:1: [] is not an object; allowed: an object`},
		{"null", `null`, `policy:1:1: null is not an object`},
		{"nothing", ``, `policy:1:1: the policy ends too early`},
		{"cut", `{"attempts":3`, `policy:1:14: the policy ends too early`},
		{"no JSON", "{\n\"attempts\": 3,\n}", `policy:2:14: `},
		{"comment", "// mine\n{}", `policy:1:1: `},
		{"no UTF-8", "{\"floor\":\"\xff\"}", `policy:1:11: floor: `},
	} {
		p, err := ParsePolicy([]byte(c.in))
		var e *PolicyError
		if !errors.As(err, &e) || p != nil {
			t.Errorf("%s: %v, %v; want a *PolicyError", c.name, p, err)
		} else if !strings.HasPrefix(err.Error(), c.want) && (strings.HasPrefix(c.want, "policy:") || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s:\n got %s\nwant %s", c.name, err, c.want)
		}
	}
}

func TestSameNameOtherMatchIsNoContradiction(t *testing.T) {
	for _, in := range []string{
		`{"rules":[{"name":"a","codes":[1],"action":"retry"},{"name":"a","codes":[2],"action":"ask"}]}`,
		`{"rules":[{"name":"a","codes":[1],"action":"retry"},{"name":"b","codes":[1],"action":"ask"}]}`,
		`{"rules":[{"name":"a","codes":[1],"action":"retry"},{"name":"a","codes":[1],"action":"retry","tries":1}]}`,
	} {
		if _, err := ParsePolicy([]byte(in)); err != nil {
			t.Errorf("%s: %v", in, err)
		}
	}
}

// The work on a policy grows with its length: it is compared with no rule but the one it could contradict.
func TestManyRulesOfOneName(t *testing.T) {
	work := func(rules int) float64 {
		text := []byte(`{"rules":[` + strings.TrimSuffix(strings.Repeat(`{"name":"a","codes":[1],"action":"ask"},`, rules), ",") + `]}`)
		return testing.AllocsPerRun(1, func() {
			if p, err := ParsePolicy(text); err != nil || len(p.Rules) != rules {
				t.Fatalf("%d rules: %v", rules, err)
			}
		})
	}
	if few, many := work(100), work(800); many > 12*few {
		t.Errorf("100 rules take %v allocations, 800 take %v", few, many)
	}
}

func TestEveryVersionIsAFloor(t *testing.T) {
	for _, v := range interpret.Versions() {
		if p, err := ParsePolicy([]byte(`{"floor":"` + v + `"}`)); err != nil || p.Floor != v {
			t.Errorf("%s: %v", v, err)
		}
	}
}

func FuzzParsePolicy(f *testing.F) {
	f.Add([]byte(`{"floor":"2025-03-26","attempts":6,"rules":[{"name":"busy","codes":[-32050],"action":"retry","minDelay":"1.5s"}]}`))
	f.Add([]byte("{\"rules\":[{\"tools\":[\"x\"],\n\"action\":\"ask\"}]} x"))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, err := ParsePolicy(b)
		if err != nil {
			if e, ok := errors.AsType[*PolicyError](err); !ok || e.Line < 1 || e.Column < 1 || e.Problem == "" {
				t.Fatalf("%#v", err)
			}
			return
		}
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		back, err := ParsePolicy(text)
		if err != nil || !reflect.DeepEqual(back, p) {
			t.Fatalf("%s: %+v, %v; want %+v", text, back, err, p)
		}
	})
}
