// Package toolschema checks the arguments of a call by the tool's own schema, for servers whose refusal names no argument.
//
// A [Set] goes into [retry.ModelText]; what it finds is told to the model as the schema's word, beside the server's and never in its place. It is a
// module of its own, so that the library does not require a validator.
package toolschema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// Set holds the input schemas of one server's tools. The zero value is empty and ready; it is safe for concurrent use.
// A schema is a server's: nothing that it refers to elsewhere is loaded, and one that could take long to check is not taken.
type Set struct {
	mu    sync.RWMutex
	tools map[string]*tool
}

var _ retry.ArgumentChecker = (*Set)(nil)

type tool struct {
	schema *jsonschema.Schema
	source any // the same, decoded, to look up what a missing property should be
}

// Bounds, over which nothing is checked.
const (
	mostSchema    = 256 << 10 // bytes of a schema
	mostArguments = 64 << 10  // bytes of arguments
	mostTools     = 4096      // of a server
)

// Add takes in the inputSchema of a tool, raw JSON, in place of the one it had. On an error the tool has none and is not checked.
func (s *Set) Add(name string, inputSchema []byte) error {
	t, err := compile(inputSchema)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.tools, name)
	if err == nil && len(s.tools) >= mostTools {
		err = fmt.Errorf("more than %d tools", mostTools)
	}
	if err != nil {
		return fmt.Errorf("toolschema: %q: %w", name, err)
	}
	if s.tools == nil {
		s.tools = make(map[string]*tool)
	}
	s.tools[name] = t
	return nil
}

// AddTool is Add for an entry of tools/list as the server wrote it.
func (s *Set) AddTool(raw []byte) error {
	var entry struct {
		Name        string          `json:"name"`
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	if err := json.Unmarshal(raw, &entry); err != nil {
		return fmt.Errorf("toolschema: %w", err)
	}
	return s.Add(entry.Name, entry.InputSchema)
}

const location = "tool:///input"

func compile(raw []byte) (*tool, error) {
	if len(raw) > mostSchema {
		return nil, fmt.Errorf("the schema has %d bytes, of %d", len(raw), mostSchema)
	}
	doc, err := decode(raw)
	if err != nil {
		return nil, err
	}
	if err := affordable(doc); err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(nothing{})
	c.UseRegexpEngine(pattern)
	if err := c.AddResource(location, doc); err != nil {
		return nil, err
	}
	schema, err := c.Compile(location)
	if err != nil {
		return nil, err
	}
	return &tool{schema, doc}, nil
}

// CheckArguments returns what the tool's schema has against the arguments, nil if it has nothing or is not known. No arguments are {}.
func (s *Set) CheckArguments(name string, arguments []byte) []interpret.Hint {
	s.mu.RLock()
	t := s.tools[name]
	s.mu.RUnlock()
	if t == nil || len(arguments) > mostArguments {
		return nil
	}
	if len(bytes.TrimSpace(arguments)) == 0 {
		arguments = []byte("{}")
	}
	v, err := decode(arguments)
	if err != nil {
		return nil
	}
	invalid, ok := errors.AsType[*jsonschema.ValidationError](t.schema.Validate(v))
	if !ok {
		return nil
	}
	return t.hints(invalid, nil)
}
