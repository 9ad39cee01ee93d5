package interpret

import (
	"regexp"
	"strings"
)

// A topic is something that words can speak of. A word rule matches phrases, never single words, and never what we sent ourselves.
type topic struct{ re *regexp.Regexp }

// in reports whether the text, from which echoes have been cut, speaks of the topic.
func (p *topic) in(words string) bool { return words != "" && p.re.MatchString(words) }

// gap is what … stands for in a phrase: some characters of the same line, after a whole word.
const gap = `\b[^\n]{0,100}?`

// phrases compiles a topic from phrases: regular expressions in which … is a gap, matched at word edges, case ignored.
func phrases(list ...string) *topic {
	for i, p := range list {
		p = strings.ReplaceAll(p, "…", gap)
		list[i] = `\b(?:` + p + `)`
		if last := p[len(p)-1]; last != ':' && last != '/' {
			list[i] += `\b`
		}
	}
	return &topic{regexp.MustCompile(`(?i)` + strings.Join(list, "|"))}
}

// The word table. It starts from recordings; a structural rule goes before a word rule wherever one decides.
var (
	saysNoTool   = missing("tool", "tool name")
	saysNoPrompt = missing("prompt", "prompt name")

	saysNoResource = phrases(
		`(?:unknown|no such|no) resources?`, `resources?…(?:not found|does not exist|doesn't exist)`, `not found…resources?`,
		`invalid ur[il]`, `ur[il]…invalid`, `unsupported (?:uri|scheme|uri scheme)`, `no handler for (?:uri|resource)`)

	saysArgument = phrases(
		`(?:missing|invalid|required|unexpected|unknown)…(?:arguments?|parameters?|property|properties|fields?)`,
		`(?:arguments?|parameters?|property|properties|fields?)…(?:missing|invalid|required|must|validation|expected)`,
		`unmarshal(?:ing|l?ed)?…(?:arguments|into…params)`, `requires arguments?`, `missing field`, `invalid type:`, `unknown variant`)
	saysUnmarshal = phrases(`unmarshal(?:ing)?…into`)

	saysCapability = phrases(
		`client…(?:does not|doesn't|did not|didn't|not|lacks)…(?:support|supports|declare|declared|capability|have)…(?:sampling|elicitation|roots)`,
		`client…(?:sampling|elicitation|roots)…not (?:supported|available|declared)`,
		`(?:sampling|elicitation|roots)…not supported by the client`,
		`client must be configured with (?:sampling|elicitation|roots)`, `no back-channel`)

	saysOutput = phrases(
		`structured content`, `output (?:validation|schema)`, `invalid task creation result`, `returned an?…result`,
		`error (?:invoking|calling|executing) (?:tool|prompt|resource)`)

	saysTask = phrases(
		`does not support ['"`+"`"+`]?tasks?`, `tasks (?:is|are) not supported`, `task-based invocation`, `requires task`)

	saysMeta = phrases(`io\.modelcontextprotocol/`)

	saysSession = phrases(
		`sessions?…(?:not found|not valid|invalid|unknown|expired|required|missing|terminated|closed)`,
		`(?:invalid|unknown|expired|missing|no|no valid|bad)…sessions?`)

	saysHandshake = phrases(
		`(?:invalid|not allowed)…during (?:session )?initialization`, `not initialized`, `duplicate initialize`, `already initialized`,
		`first message…initialize`)

	saysServerFeature = phrases(`server does not support (?:tools|resources|prompts|logging|completions?|tasks)`)
)

// missing is the topic "no such thing", for a tool or a prompt.
func missing(noun, name string) *topic {
	return phrases(
		`(?:unknown|no such|unrecognized|undefined) `+noun, `invalid `+name, `no `+noun+` (?:named|called)`,
		noun+`s?…(?:not found|does not exist|doesn't exist|(?:is not|isn't) (?:registered|available|defined))`)
}
