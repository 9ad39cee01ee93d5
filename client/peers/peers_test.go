package peers

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"testing"
	"text/tabwriter"
	"time"

	mcpgomcp "github.com/mark3labs/mcp-go/mcp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/mcperr/mcperr/interpret"
)

var quiet = slog.New(slog.DiscardHandler)

// row is what became of one reply.
type row struct {
	reply         string
	alive         bool
	facts, kept   []string // that were on the wire, and that reached the host
	kind          interpret.Kind
	right         bool
	madeUp        bool // a code that was not on the wire
	asSuccess     bool
	arrived, runs int32
}

func TestPeers(t *testing.T) {
	list := replies(t)
	var out strings.Builder
	w := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	var totals []total
	for _, h := range hosts {
		for i, era := range []string{"modern", "legacy"} {
			fmt.Fprintf(w, "\n%s, %s era\treply\tsession\tfacts kept\tkind\tarrived\tran\n", h.name, era)
			var rows []row
			for _, r := range list {
				kinds := wanted[r.Name]
				t.Run(h.name+"/"+era+"/"+r.Name, func(t *testing.T) {
					got := meet(t, h, era, r, kinds[min(i, len(kinds)-1)])
					rows = append(rows, got)
				})
			}
			for _, r := range rows {
				fmt.Fprintf(w, "\t%s\t%s\t%s of %s\t%s\t%d\t%d\n", r.reply, words(r.alive, "alive", "DEAD"), named(r.kept), named(r.facts), kindText(h, r), r.arrived, r.runs)
			}
			if len(rows) == len(list) { // else -run has left some out
				totals = append(totals, sum(t, h, era, rows))
			}
		}
	}
	w.Flush()
	t.Log(out.String())
	out.Reset()
	for _, s := range totals {
		fmt.Fprintln(&out, s)
	}
	t.Logf("\n%s\n|%s\n%s", total{host: "host", era: "era", cells: columns}, strings.Repeat("---|", len(columns)+2), out.String())
	if len(totals) == 2*len(hosts) {
		holdReadme(t, totals)
	}
}

// meet makes the call and looks at what the host has of it.
func meet(t *testing.T, h host, era string, r reply, want interpret.Kind) row {
	s := newServer(t, era, r)
	call := h.connect(t, s.URL)
	patience := time.Minute
	switch {
	case r.HangMs > 0:
		patience = 500 * time.Millisecond
	case h.name == "go-sdk" && r.Name == "200 json other id": // it waits for ever for the answer
		patience = 2 * time.Second
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	got := call(ctx, "bad")

	f := r.facts()
	row := row{reply: r.Name, arrived: s.bad.Load(), runs: s.runs.Load(), asSuccess: got.err == nil && r.Name != "isError result"}
	check := func(name string, there, kept bool) {
		if there {
			row.facts = append(row.facts, name)
			if kept {
				row.kept = append(row.kept, name)
			}
		}
	}
	code, has := codeOf(got.err)
	check("code", f.code != nil, has && f.code != nil && code == *f.code)
	row.madeUp = has && f.code == nil || has && code != *f.code
	data, status, wait := bareFacts(got.err)
	if o := got.outcome; o != nil {
		row.kind, row.right = o.Kind, o.Kind == want
		data, status, wait = string(o.Data), o.Status, o.RetryAfter
	}
	check("data", f.data != "", data == f.data)
	check("status", f.status != 0, status == f.status)
	check("delay", f.wait != 0, wait >= f.wait-time.Second && wait <= f.wait)
	if r.Name == "isError result" {
		check("isError", true, got.isError)
	}

	ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	again := call(ctx, "good")
	row.alive = again.err == nil && !again.isError

	if h.adapted {
		if !row.alive {
			t.Errorf("the session is dead: %v", again.err)
		}
		if !slices.Equal(row.facts, row.kept) {
			t.Errorf("of %v, %v reached the host: %v", row.facts, row.kept, got.err)
		}
		if !row.right {
			t.Errorf("kind %s, want %s", row.kind, want)
		}
		if row.runs > 1 {
			t.Errorf("the tool ran %d times", row.runs)
		}
		if row.asSuccess {
			t.Error("read as a success")
		}
	}
	return row
}

// bareFacts finds what a host can find in an SDK's error: data in its typed error, a status as a number or by its name in the text.
func bareFacts(err error) (data string, status int, wait time.Duration) {
	if err == nil {
		return "", 0, 0
	}
	var e *jsonrpc.Error
	if errors.As(err, &e) {
		data = string(e.Data)
	}
	var v mcpgomcp.UnsupportedProtocolVersionError
	if errors.As(err, &v) {
		data = fmt.Sprintf(`{"supported":[%q],"requested":%q}`, strings.Join(v.Supported, `","`), v.Version)
	}
	for s := 400; s < 600; s++ {
		if strings.Contains(err.Error(), fmt.Sprintf("status %d", s)) || strings.Contains(err.Error(), fmt.Sprintf("(%d)", s)) {
			status = s
		}
	}
	if strings.Contains(err.Error(), "etry-After") {
		wait = 7 * time.Second
	}
	return data, status, wait
}

func words(b bool, yes, no string) string {
	if b {
		return yes
	}
	return no
}

func named(s []string) string {
	if len(s) == 0 {
		return "none"
	}
	return strings.Join(s, "+")
}

func kindText(h host, r row) string {
	switch {
	case !h.adapted && r.asSuccess:
		return "a success"
	case !h.adapted && r.madeUp:
		return "a made-up code"
	case !h.adapted:
		return "-"
	}
	return words(r.right, "", "WRONG ") + r.kind.String()
}

// sum counts what became of all replies, as a row of the README's table.
func sum(t *testing.T, h host, era string, rows []row) total {
	count := func(f func(row) bool) (n int) {
		for _, r := range rows {
			if f(r) {
				n++
			}
		}
		return n
	}
	of := func(n, all int) string { return fmt.Sprintf("%d of %d", n, all) }
	fact := func(name string) string {
		return of(count(func(r row) bool { return slices.Contains(r.kept, name) }), count(func(r row) bool { return slices.Contains(r.facts, name) }))
	}
	s := total{host: h.name, adapted: h.adapted, era: map[string]string{"modern": "2026-07-28", "legacy": "2025-11-25"}[era]}
	right := "–"
	if h.adapted {
		right = of(count(func(r row) bool { return r.right }), len(rows))
	} else {
		s.host = versioned(t, h.name)
	}
	s.cells = []string{
		of(count(func(r row) bool { return r.alive }), len(rows)), fact("code"), fact("data"), fact("status"), fact("delay"), right,
		strconv.Itoa(count(func(r row) bool { return r.madeUp })), strconv.Itoa(count(func(r row) bool { return r.runs > 1 })),
		words(count(func(r row) bool { return r.asSuccess && strings.Contains(r.reply, "other id") }) > 0, "yes", "no"),
	}
	return s
}
