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
// What a schema leaves open makes no hint: whether a string matches a pattern that Go does not have, or that dialects read differently, and whether
// it is of a format that need not be checked.
type Set struct {
	mu    sync.RWMutex
	tools map[string]*tool
}

var _ retry.ArgumentChecker = (*Set)(nil)

type tool struct {
	source any // the schema, decoded
	mu     sync.Mutex
	schema *jsonschema.Schema // whose judges set unsure: one check at a time
	unsure bool
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
	if s.tools == nil {
		s.tools = make(map[string]*tool)
	}
	return put(s.tools, name, t, err)
}

// AddTool is Add for an entry of tools/list as the server wrote it.
func (s *Set) AddTool(raw []byte) error {
	name, schema, err := entry(raw)
	if err != nil {
		return err
	}
	return s.Add(name, schema)
}

// Replace takes in a whole tools/list, an entry each as AddTool takes it, in place of all that the set had: a tool that is not among them is dropped.
// Until it returns, calls are checked by what the set had; none is checked by part of the list. The error joins those of the entries that could not
// be taken, whose tools are not checked; the others are. What Add or another Replace does meanwhile may be undone.
func (s *Set) Replace(entries ...[]byte) error {
	tools := make(map[string]*tool)
	var errs []error
	for _, raw := range entries {
		name, schema, err := entry(raw)
		if err == nil {
			t, bad := compile(schema)
			err = put(tools, name, t, bad)
		}
		if err != nil {
			errs = append(errs, err)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tools = tools
	return errors.Join(errs...)
}

func entry(raw []byte) (name string, inputSchema []byte, err error) {
	var e struct {
		Name        string          `json:"name"`
		InputSchema json.RawMessage `json:"inputSchema"`
	}
	if err := json.Unmarshal(raw, &e); err != nil {
		return "", nil, fmt.Errorf("toolschema: %w", err)
	}
	return e.Name, e.InputSchema, nil
}

// put makes t the tool of the name, or takes away the one it had if there is an error.
func put(tools map[string]*tool, name string, t *tool, err error) error {
	delete(tools, name)
	if err == nil && len(tools) >= mostTools {
		err = fmt.Errorf("more than %d tools", mostTools)
	}
	if err != nil {
		return fmt.Errorf("toolschema: %q: %w", name, err)
	}
	tools[name] = t
	return nil
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
	c.UseRegexpEngine(newPattern)
	if err := c.AddResource(location, doc); err != nil {
		return nil, err
	}
	schema, err := c.Compile(location)
	if err != nil {
		return nil, err
	}
	t := &tool{source: doc, schema: schema}
	if (&settler{t, make(map[*jsonschema.Schema]int)}).settle(schema) > mostParts {
		return nil, errTooLarge
	}
	return t, nil
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
	if invalid, ok := errors.AsType[*jsonschema.ValidationError](t.validate(v)); ok {
		return t.hints(invalid, nil)
	}
	return nil
}

func (t *tool) validate(v any) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.unsure = false
	return t.schema.Validate(v)
}
