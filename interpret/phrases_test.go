package interpret

import (
	"strings"
	"testing"
)

func TestPhrases(t *testing.T) {
	for _, c := range []struct {
		name   string
		topic  *topic
		speak  []string
		silent []string
	}{
		{"no such tool", saysNoTool,
			[]string{"Unknown tool: ", "no such tool", "Unrecognized tool", "undefined tool", "Invalid tool name", "no tool named x", "No tool called 'x'",
				"Tool 'x' not found", "tool x does not exist", "the tool doesn't exist", "Tool x is not registered", "tool isn't available", "MCP error -32602: Tool x not found"},
			[]string{"", "tool", "not found", "file not found by the tool", "unknown toolbox", "the stool was not found", "tool\nnot found", "Tool execution failed"}},
		{"no such prompt", saysNoPrompt,
			[]string{"Unknown prompt: x", "invalid prompt name", "Prompt x not found", "no prompt named x", "prompt is not defined"},
			[]string{"Unknown tool", "prompt", "promptly not found"}},
		{"no such resource", saysNoResource,
			[]string{"Resource not found", "resource x does not exist", "Unknown resource", "no such resource", "not found: resource x", "invalid URI", "Invalid url: x",
				"uri scheme is invalid", "unsupported scheme", "Unsupported URI", "no handler for uri"},
			[]string{"resource", "not found", "resourceful, but not founded"}},
		{"arguments", saysArgument,
			[]string{"Missing required argument", "invalid arguments for tool add", "unexpected keyword argument", "unknown field", "property a is required",
				"field required", "parameter x must be a number", "unmarshaling arguments", "unmarshal into params", "requires arguments", "missing field `a`",
				"invalid type: string", "unknown variant `x`"},
			[]string{"argument", "required", "missing", "the argument was fine", "upstream returned 500"}},
		{"client capability", saysCapability,
			[]string{"Client does not support elicitation", "client doesn't declare the sampling capability", "Client did not declare roots", "the client lacks support for sampling",
				"client must be configured with sampling", "sampling is not supported by the client", "client sampling not supported", "no back-channel for requests"},
			[]string{"server does not support sampling", "client does not support it", "sampling", "the client asked for elicitation"}},
		{"output", saysOutput,
			[]string{"Structured content does not match", "output validation error", "output schema", "Invalid task creation result", "returned an unexpected result",
				"Error invoking tool", "error calling tool", "Error executing prompt"},
			[]string{"output", "schema", "structured", "error in tool"}},
		{"tasks", saysTask,
			[]string{"tool does not support task", `does not support "tasks"`, "tasks are not supported", "task-based invocation", "requires task augmentation"},
			[]string{"task", "does not support it", "multitasks are not supported"}},
		{"the envelope", saysMeta,
			[]string{"missing io.modelcontextprotocol/protocolVersion", "_meta['io.modelcontextprotocol/clientInfo']"},
			[]string{"io.modelcontextprotocol", "ioXmodelcontextprotocol/x"}},
		{"the session", saysSession,
			[]string{"Session not found", "session id is required", "session x has expired", "Invalid session ID", "no valid session", "Unknown session", "Bad Request: No valid session ID provided"},
			[]string{"session", "the session is fine", "invalid request"}},
		{"the handshake", saysHandshake,
			[]string{"Server not initialized", "invalid during initialization", "method not allowed during session initialization", "duplicate initialize", "already initialized",
				"first message must be initialize"},
			[]string{"initialize", "initialized"}},
		{"a feature of the server", saysServerFeature,
			[]string{"Server does not support tools", "server does not support completions"},
			[]string{"client does not support tools", "server does not support it"}},
		{"unmarshaling", saysUnmarshal, []string{"json: cannot unmarshal string into Go value", "unmarshaling x into y"}, []string{"unmarshal"}},
	} {
		for _, s := range c.speak {
			if !c.topic.in(s) || !c.topic.in(strings.ToUpper(s)) {
				t.Errorf("%s: %q does not count", c.name, s)
			}
		}
		for _, s := range c.silent {
			if c.topic.in(s) {
				t.Errorf("%s: %q counts", c.name, s)
			}
		}
	}
}

func TestAPhraseSpansAHundredCharacters(t *testing.T) {
	near, far := strings.Repeat("é", 100), strings.Repeat("é", 101)
	if !saysNoTool.in("tool " + near[:len(near)-4] + " not found") {
		t.Error("too short")
	}
	if saysNoTool.in("tool " + far + " not found") {
		t.Error("too long")
	}
	if saysNoTool.in("tool " + cutMark + "\n not found") {
		t.Error("over a line's end")
	}
}
