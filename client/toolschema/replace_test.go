package toolschema

import (
	"fmt"
	"strings"
	"sync"
	"testing"
)

func TestReplace(t *testing.T) {
	var s Set
	s.Add("gone", []byte(`{"required":["x"]}`))
	if err := s.Replace([]byte(`{"name":"a","inputSchema":{"required":["x"]}}`), []byte(`{"name":"b","inputSchema":{"required":["y"]}}`)); err != nil {
		t.Fatal(err)
	}
	missing := func(tool string) string {
		var paths []string
		for _, h := range s.CheckArguments(tool, nil) {
			paths = append(paths, h.Path)
		}
		return strings.Join(paths, " ")
	}
	if gone, a, b := missing("gone"), missing("a"), missing("b"); gone != "" || a != "x" || b != "y" {
		t.Errorf("gone: %q, a: %q, b: %q", gone, a, b)
	}
	err := s.Replace(
		[]byte(`{"name":"a","inputSchema":{"required":["z"]}}`),
		[]byte(`{"name":"b","inputSchema":{"type":"flying"}}`), []byte(`[`),
		[]byte(`{"name":"c","inputSchema":{"required":["x"]}}`), []byte(`{"name":"c","inputSchema":7}`))
	if err == nil || len(strings.Split(err.Error(), "toolschema: ")) != 4 {
		t.Errorf("three entries are bad: %v", err)
	}
	if a, b, c := missing("a"), missing("b"), missing("c"); a != "z" || b != "" || c != "" {
		t.Errorf("a: %q, b: %q, c: %q", a, b, c)
	}
	var many [][]byte
	for i := range mostTools + 1 {
		many = append(many, fmt.Appendf(nil, `{"name":"t%d","inputSchema":true}`, i))
	}
	if err := s.Replace(many...); err == nil || strings.Contains(err.Error(), "\n") || len(s.tools) != mostTools {
		t.Errorf("%v, %d tools", err, len(s.tools))
	}
	if err := s.Replace(); err != nil || missing("a") != "" || len(s.tools) != 0 {
		t.Errorf("nothing: %v, %d tools", err, len(s.tools))
	}
}

// Whoever checks meanwhile has the one list or the other: of two tools that are never both in one, never both are known; one that is in both always is.
func TestReplaceIsAtomic(t *testing.T) {
	list := func(tool string) [][]byte {
		return [][]byte{
			[]byte(`{"name":"` + tool + `","inputSchema":{"required":["x"]}}`),
			[]byte(`{"name":"both","inputSchema":{"required":["` + tool + `"]}}`),
		}
	}
	var s Set
	if err := s.Replace(list("odd")...); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	var all sync.WaitGroup
	for range 3 {
		all.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
				}
				if got := s.CheckArguments("both", nil); len(got) != 1 {
					t.Errorf("a tool of both lists: %+v", got)
					return
				}
				s.mu.RLock()
				odd, even, n := s.tools["odd"] != nil, s.tools["even"] != nil, len(s.tools)
				s.mu.RUnlock()
				if odd == even || n != 2 {
					t.Errorf("odd %v, even %v, of %d", odd, even, n)
					return
				}
			}
		})
	}
	for i := range 40 {
		if err := s.Replace(list([]string{"even", "odd"}[i%2])...); err != nil {
			t.Error(err)
		}
	}
	close(done)
	all.Wait()
}

// A check says of one value whether it is sure, and another meanwhile of another.
func TestChecksOfOneToolAtOnce(t *testing.T) {
	s := setOf(t, `{"properties":{"a":{"not":{"pattern":"^\\w+$"}}}}`)
	var all sync.WaitGroup
	for _, c := range []struct {
		a     string
		hints int
	}{{"plain", 1}, {"grün", 0}} {
		all.Go(func() {
			for range 300 {
				if got := s.CheckArguments("tool", []byte(`{"a":"`+c.a+`"}`)); len(got) != c.hints {
					t.Errorf("%s: %+v", c.a, got)
					return
				}
			}
		})
	}
	all.Wait()
}
