package main

import (
	"strings"
	"testing"

	"github.com/mcperr/mcperr/internal/adapt/agent"
)

func TestExample(t *testing.T) {
	var out strings.Builder
	if err := run(t.Context(), &out); err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + out.String())
	if err := agent.Check(out.String()); err != nil {
		t.Error(err)
	}
}
