package interpret

import (
	"regexp"
	"strings"
)

// wording is how one validator, or one SDK, words what was wrong with arguments. The recordings it was read from are in the test's table.
type wording struct {
	id    string
	whole *regexp.Regexp           // its first group is what is read; from there to its end it is taken out of the text
	read  func(part string) []Hint // none: it is something else after all
	plain bool                     // a text in this wording is as clear as its hints, and stays
}

// wordings in the order in which they are tried; the first that fits is the only one.
var wordings = []wording{
	{"pydantic", regexp.MustCompile(`\d+ validation errors? for [^\n]+(\n[\s\S]+)$`), readPydantic, false},
	{"go-sdk", regexp.MustCompile(`(validating "arguments": .+)$`), readGoSchema, false},
	{"go json", regexp.MustCompile(`((?:unmarshaling "(?:[^"\\]|\\.)*" into an? \S+: )?json: cannot unmarshal .+)$`), readGoJSON, false},
	{"mcp-go schema", regexp.MustCompile(`input schema validation failed: (.+)$`), readMCPGo, false},
	{"zod", regexp.MustCompile(`(?s)(?:Invalid arguments for (?:tool|prompt) [^:\n]+|parameter validation failed): (.+?)(?:\. Please check the parameter types and values according to the tool's schema\.)?$`), readZod, false},
	{"networknt", regexp.MustCompile(`[Vv]alidation errors: (\[.+\])$`), readNetworknt, false},
	{"ajv", regexp.MustCompile(`(?:^|[:\n] ?)((?:data)?(?:[/.][^\s/.]+)* must .+)$`), readAjv, false},
	{"sentence", regexp.MustCompile(`^(?:.*(?:Invalid arguments for (?:tool|prompt) [^:]+|[Ii]nvalid params|Input validation error|deserialize parameters|Error executing tool [^:]+): )?(.+)$`), readSentence, true},
}

// aboutOutput is said of what the server itself made: no argument is at fault then.
var aboutOutput = regexp.MustCompile(`(?i)structured ?content|output ?(?:validation|schema)|task creation result`)

// prose looks for a wording in a text, takes in its hints, and returns the text without what they say.
func (w *words) prose(s string) string {
	if s == "" || aboutOutput.MatchString(s) {
		return s
	}
	for _, row := range wordings {
		at := row.whole.FindStringSubmatchIndex(s)
		if at == nil {
			continue
		}
		hints := row.read(s[at[2]:at[3]])
		if len(hints) == 0 {
			continue
		}
		known := len(w.hints)
		for _, h := range hints {
			w.add(h)
		}
		if row.plain {
			w.plain = len(w.hints) - known
			return s
		}
		return strings.TrimSpace(s[:at[2]] + s[at[1]:])
	}
	return s
}

// facts are phrases in which a problem says what was expected, allowed or received.
var facts = []*regexp.Regexp{
	regexp.MustCompile(`[Ee]xpected (?P<allowed>'[^\n]+' \| [^\n]+), received (?P<received>'.*')$`),
	regexp.MustCompile(`[Ee]xpected (?P<expected>[\w ]+), received (?P<received>\w+)$`),
	regexp.MustCompile(`expected one of (?P<allowed>.+)$`),
	regexp.MustCompile(`^Too (?:big|small): expected (?P<expected>\w+) to (?:be|have) (?P<allowed>.+)$`),
	regexp.MustCompile(`^(?P<expected>Number|String|Array) must (?:be|contain) (?P<allowed>.+)$`),
	regexp.MustCompile(`^Input should be (?P<allowed>'.+|(?:less|greater) than .+)$`),
	regexp.MustCompile(`^Input should be (?:an? )?(?P<expected>(?:valid )?[\w ]+?)(?:, .*)?$`),
	regexp.MustCompile(`^String should match pattern '(?P<allowed>.+)'$`),
	regexp.MustCompile(`^must be (?P<allowed>[<>]=? .+|one of .+)$`),
	regexp.MustCompile(`^must match (?:pattern|format) "(?P<allowed>.+)"$`),
	regexp.MustCompile(`^must be (?P<expected>(?:string|number|integer|boolean|object|array|null)(?:,\w+)*)$`),
	regexp.MustCompile(`^(?P<received>\w+) found, (?P<expected>[\w\[\], ]+) expected$`),
}

// derived fills in what the problem says.
func derived(h Hint) Hint {
	for _, re := range facts {
		m := re.FindStringSubmatch(h.Problem)
		if m == nil {
			continue
		}
		for i, name := range re.SubexpNames() {
			if name == "expected" {
				m[i] = strings.ToLower(m[i])
			}
			fill(&h, name, m[i])
		}
		break
	}
	return h
}

// fill sets the member of that name where it is empty.
func fill(h *Hint, name, value string) {
	to := map[string]*string{
		"path": &h.Path, "problem": &h.Problem, "expected": &h.Expected, "allowed": &h.Allowed, "received": &h.Received,
	}[name]
	if to != nil && *to == "" {
		*to = value
	}
}

// sentences are whole texts that name one argument.
var sentences = compile(
	`(?P<problem>[Mm]issing) (?:required )?(?:argument|parameter|property|field)s?:? ['"\x60]?(?P<path>[\w.-]+)['"\x60]?`,
	`(?:required )?(?:argument|parameter|property|field) ['"\x60](?P<path>[\w.-]+)['"\x60] (?P<problem>not found|is missing|is required|is not an? [\w ]+)`,
	`['"\x60](?P<path>[\w.-]+)['"\x60] (?P<problem>is (?:a )?required(?: property)?)`,
	`.*\brequires argument ['"\x60](?P<path>[\w.-]+)['"\x60]`,
	`(?:argument|parameter|property|field) ['"\x60]?(?P<path>[\w.-]+)['"\x60]? (?P<problem>must be (?:one of (?P<allowed>.+)|an? (?P<expected>\w+)(?:, got (?P<received>.+))?|.+))`,
	`['"\x60](?P<path>[\w.-]+)['"\x60] (?P<problem>must be (?:one of (?P<allowed>.+)|an? (?P<expected>\w+)|.+))`,
	`(?P<path>[a-z]\w*) (?P<problem>must be one of (?P<allowed>.+))`,
	`(?P<problem>[Uu]nexpected|[Uu]nknown|[Uu]nrecognized) (?:argument|parameter|property|field)s? ['"\x60](?P<path>[\w.-]+)['"\x60](?:, expected (?:one of )?(?P<allowed>.+))?`,
	`(?P<problem>unknown variant) \x60(?P<received>.*)\x60, expected (?:one of )?(?P<allowed>.+)`,                          // serde
	`(?P<problem>invalid (?:type|value|length)): (?P<received>.+), expected (?P<expected>.+?)(?: at line \d+ column \d+)?`, // serde
	`(?P<received>'.*'|[\d.]+) is not of type (?P<expected>'\w+'(?:, '\w+')*)`,                                             // jsonschema (Python)
	`(?P<received>'.*'|[\d.]+) is not one of \[(?P<allowed>.+)\]`,
	`(?P<received>[\d.-]+) (?P<problem>is (?:greater|less) than (?:or equal to )?the (?P<allowed>(?:maximum|minimum) of [\d.-]+))`,
	`(?P<received>'.*') does not match '(?P<allowed>.+)'`,
	`Additional properties are not allowed \('(?P<path>[^']+)' (?P<problem>was unexpected)\)`,
	`The arguments dictionary is (?P<problem>missing) a value for the required parameter '(?P<path>[^']+)'\.(?: \(Parameter 'arguments'\))?`, // C#
	`The JSON value could not be converted to (?P<expected>[\w.\x60\[\]]+)\. Path: (?P<path>\$\S*) \|.*`,
	`Invalid (?P<path>[a-z]\w*): (?P<received>[\w.-]+)\. (?P<problem>Must .+)`,
)

func compile(list ...string) (all []*regexp.Regexp) {
	for _, s := range list {
		all = append(all, regexp.MustCompile(`^(?:`+s+`)$`))
	}
	return all
}

func readSentence(s string) []Hint {
	for _, re := range sentences {
		m := re.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		var h Hint
		for i, name := range re.SubexpNames() {
			fill(&h, name, m[i])
		}
		h.Path = dotted(h.Path)
		h.Problem = strings.ToLower(h.Problem[:min(len(h.Problem), 1)]) + h.Problem[min(len(h.Problem), 1):]
		return []Hint{h}
	}
	return nil
}
