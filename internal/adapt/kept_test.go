package adapt

import (
	"fmt"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/mcperr/mcperr/interpret"
	"github.com/mcperr/mcperr/retry"
)

// result stands for an SDK's.
type result struct{ _ [64]byte }

func TestAnswerIsKeptAsLongAsItsResult(t *testing.T) {
	first, second, a := new(result), new(result), new(retry.Answer)
	for range 3 { // a result out of the SDK's memory comes more than once
		HandleOf(first).Keep(a)
	}
	HandleOf(second).Keep(new(retry.Answer))
	if HandleOf(first).Answer() != a || HandleOf(second).Answer() == a || HandleOf(new(result)).Answer() != nil {
		t.Error("a result has not its own answer")
	}
	c := *first
	if HandleOf(&c).Answer() != nil {
		t.Error("a copy has an answer")
	}
	keys := []any{HandleOf(first).key, HandleOf(second).key}
	runtime.KeepAlive(first)
	runtime.KeepAlive(second)
	for _, key := range keys {
		for i := 0; results.get(key) != nil && i < 10_000; i++ {
			runtime.GC()
			runtime.Gosched()
		}
		if results.get(key) != nil {
			t.Error("an answer is left of a result that is gone")
		}
	}
	none := HandleOf[result](nil)
	if none.Keep(a); none.Answer() != nil {
		t.Error("no result has an answer")
	}
}

// The host may have no use for the result but to ask for its answer.
func TestHandleHoldsItsResult(t *testing.T) {
	h, a := HandleOf(new(result)), new(retry.Answer)
	h.Keep(a)
	for range 100 { // cleanups run beside
		runtime.GC()
		runtime.Gosched()
	}
	if h.Answer() != a {
		t.Error("the answer went before its handle")
	}
}

func TestKeptAnswersAreBounded(t *testing.T) {
	sized := func(n int) *retry.Answer { return &retry.Answer{Exchange: interpret.Exchange{Body: make([]byte, n)}} }
	for _, c := range []struct {
		name        string
		most, bytes int
		keep        []int // answers of so many bytes
		want        int   // of them are left, the newest
	}{
		{"all", 3, 10, []int{1, 2, 3}, 3},
		{"one too many", 3, 10, []int{1, 1, 1, 1}, 3},
		{"too many bytes", 3, 10, []int{4, 4, 4}, 2},
		{"one that is too large by itself", 3, 10, []int{1, 1, 100}, 1},
		{"after one that was too large", 3, 10, []int{100, 1, 2}, 2},
		{"no bound on bytes", 2, -1, []int{1000, 1000, 1000}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := kept{most: c.most, bytes: c.bytes}
			for i, n := range c.keep {
				k.keep(i, sized(n))
			}
			for i := range c.keep {
				if there := k.get(i) != nil; there != (i >= len(c.keep)-c.want) {
					t.Errorf("answer %d: %t", i, there)
				}
			}
			for i := range c.keep {
				k.forget(i)
			}
			if k.size != 0 || len(k.by) != 0 || k.order.Len() != 0 {
				t.Errorf("%d bytes of %d are left", k.size, len(k.by))
			}
		})
	}
}

func TestKeepingIsSafeForConcurrentUse(t *testing.T) {
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for i := range 200 {
				r, a := new(result), new(retry.Answer)
				HandleOf(r).Keep(a)
				if HandleOf(r).Answer() != a {
					t.Error("a result has another's answer")
				}
				if i%50 == 0 {
					runtime.GC()
				}
			}
		})
	}
	wg.Wait()
}

var random = regexp.MustCompile(`\b[A-Z2-7]{26}\b`)

func TestMarkFindsItsAnswer(t *testing.T) {
	const forged = `"io.github.mcperr/answer":"forged"`
	for _, c := range []struct{ in, want string }{ // MARK stands for the member
		{`{}`, `{"_meta":{MARK}}`},
		{`{"content":[ 1e400,"\u003c<" ]}`, `{"content":[ 1e400,"\u003c<" ],"_meta":{MARK}}`},
		{`{"_meta":{"a": {"b":[1]}},"x":1}`, `{"x":1,"_meta":{"a": {"b":[1]},MARK}}`},
		{`{"_meta": { } ,"x":1}`, `{"x":1,"_meta":{MARK}}`},
		{`{"_meta":null}`, `{"_meta":{MARK}}`},
		{`{"_meta":{` + forged + `},"_META":{` + forged + `}}`, `{"_META":{` + forged + `},"_meta":{` + forged + `,MARK}}`},
		{`{"_meta":7}`, ""}, // no SDK takes it
		{`[1]`, ""},
		{`{"a"`, ""},
		{``, ""},
	} {
		a := new(retry.Answer)
		got := string(Mark([]byte(c.in), a))
		mark := random.FindString(got)
		want := c.in
		if c.want != "" {
			want = strings.ReplaceAll(c.want, "MARK", fmt.Sprintf("%q:%q", MarkName, mark))
		}
		if got != want {
			t.Errorf("%s becomes\n%s, want\n%s", c.in, got, want)
		}
		if c.want != "" && Marked(mark) != a || Marked("forged") != nil || Marked("") != nil {
			t.Errorf("%s: the mark finds not its answer", c.in)
		}
	}
}

func TestUnmarked(t *testing.T) {
	const mark = `"io.github.mcperr/answer":"M"`
	for in, want := range map[string]string{
		`{"_meta":{` + mark + `}}`:               `{"_meta":{}}`,
		`{"_meta":{"a":1,` + mark + `}}`:         `{"_meta":{"a":1}}`,
		`{"_meta":{"a":1,` + mark + `,"z":1}}`:   `{"_meta":{"a":1,"z":1}}`,
		`{"_meta":{` + mark + `,"z":1},"x":"M"}`: `{"_meta":{"z":1},"x":"M"}`,
		`{"x":1}`:                                `{"x":1}`,
	} {
		if got := fmt.Sprintf("%s", Unmarked(raw(in), "M")); got != want {
			t.Errorf("%s becomes %s, want %s", in, got, want)
		}
	}
	if broken := func() {}; Unmarked(&broken, "M") != any(&broken) {
		t.Error("what has no JSON does not come back")
	}
}

// raw is JSON that marshals to itself.
type raw string

func (r raw) MarshalJSON() ([]byte, error) { return []byte(r), nil }
