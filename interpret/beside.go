package interpret

import (
	"regexp"
	"strings"
)

// Secrets that stand beside their name, with no divider between them.

var (
	// element is an element of XML.
	element = regexp.MustCompile(`<([\w:.-]{1,64})(?: [^<>]*)?>([^<>]+)</`)

	// option is an option of a command line and its value.
	option = regexp.MustCompile(`(--?([A-Za-z][\w-]{0,63})[ \t]+)("[^"\n]*"|'[^'\n]*'|[^\s"'` + "`" + `]+)`)

	// userOption is curl's for basic authentication.
	userOption = regexp.MustCompile(`((?:^|\s)(?:-u|-U|--user|--proxy-user)(?: *|=)["']?[^\s:"'=]+:)([^\s"'` + "`" + `]+)`)

	// pair is a header in a list of its own.
	pair = regexp.MustCompile(`([\[(]\s*\\*["']([\w.-]{1,64})\\*["']\s*,\s*\\*["'])([^"'\\]+)(\\*["']\s*[\])])`)

	// nameMember and valueMember are a member that names, and one that holds what is named, in one object; and the other way round.
	nameThenValue = regexp.MustCompile(`(?i)(["'](?:name|key|header|field|param|parameter|variable)\\*["']\s*:\s*\\*["']([\w.-]{1,64})\\*["'][^{}]*?["'](?:value|val|received|input|actual|content)\\*["']\s*:\s*)(\\*"[^"\\]*|\\*'[^'\\]*|\d{4,})`)
	valueThenName = regexp.MustCompile(`(?i)(["'](?:value|val|received|input|actual|content)\\*["']\s*:\s*)(\\*"[^"\\]*|\\*'[^'\\]*|\d{4,})(\\*["']?\s*,\s*\\*["'](?:name|key|header|field|param|parameter|variable)\\*["']\s*:\s*\\*["']([\w.-]{1,64})\\*["'])`)
	headerName    = regexp.MustCompile(`^(?:[A-Z][a-z]+-)+[A-Z][a-z]+$`)
)

func redactBeside(s string) string {
	if strings.Contains(s, "</") {
		s = replaceGroups(element, s, func(m []string) string {
			if !secretName(localName(m[1])) || prose(m[2]) || strings.TrimSpace(m[2]) == "" {
				return m[0]
			}
			return strings.TrimSuffix(m[0], m[2]+"</") + redacted + "</"
		})
	}
	if strings.Contains(s, " -") || strings.HasPrefix(s, "-") || strings.Contains(s, "\n-") || strings.ContainsAny(s, "`'\"") && strings.Contains(s, "-") {
		s = replaceGroups(option, s, func(m []string) string {
			if bare := strings.Trim(m[3], `"'`); !secretName(m[2]) || proseWord(bare) || strings.ContainsAny(bare[:min(len(bare), 1)], "-<[{($%") || bare == "" {
				return m[0]
			}
			return m[1] + redacted
		})
		s = replaceGroups(userOption, s, func(m []string) string {
			if strings.Trim(m[2], "0123456789") == "" { // ids of a user and a group
				return m[0]
			}
			return m[1] + redacted
		})
	}
	if strings.ContainsAny(s, "[(") && strings.Contains(s, ",") {
		s = replaceGroups(pair, s, func(m []string) string {
			header := strings.Contains(m[2], "-") || strings.EqualFold(m[2], "authorization") || strings.EqualFold(m[2], "cookie")
			if !secretName(m[2]) || !random(m[3]) && !header || headerName.MatchString(m[3]) || prose(m[3]) || m[3] == redacted {
				return m[0]
			}
			return m[1] + redacted + m[4]
		})
	}
	if strings.Contains(s, ":") && strings.Contains(s, ",") && hasAny(strings.ToLower(s), valueMarks) {
		s = replaceGroups(nameThenValue, s, func(m []string) string {
			if safe := m[1] + hidden(m[3]); secretName(m[2]) {
				return safe
			}
			return m[0]
		})
		s = replaceGroups(valueThenName, s, func(m []string) string {
			if safe := m[1] + hidden(m[2]) + m[3]; secretName(m[4]) {
				return safe
			}
			return m[0]
		})
	}
	return s
}

var valueMarks = []string{"value", "val", "received", "input", "actual", "content"}

// localName is the name of an element without its prefix.
func localName(name string) string { return name[strings.LastIndexByte(name, ':')+1:] }

// hidden hides a value whose closing quote stands behind it.
func hidden(value string) string {
	bare := strings.TrimLeft(value, `\"'`)
	if bare == "" || prose(bare) {
		return value
	}
	return strings.TrimSuffix(value, bare) + redacted
}

// replaceGroups replaces each match by what f makes of its groups.
func replaceGroups(re *regexp.Regexp, s string, f func(m []string) string) string {
	var b strings.Builder
	done := 0
	for _, at := range re.FindAllStringSubmatchIndex(s, -1) {
		m := make([]string, len(at)/2)
		for i := range m {
			if at[2*i] >= 0 {
				m[i] = s[at[2*i]:at[2*i+1]]
			}
		}
		b.WriteString(s[done:at[0]])
		b.WriteString(f(m))
		done = at[1]
	}
	return b.String() + s[done:]
}
