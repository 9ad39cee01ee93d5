package agent

import (
	"net/http"

	"github.com/mcperr/mcperr/internal/adapt/adapttest"
)

// Server has one tool for each thing that can become of a call.
func Server() *adapttest.Server {
	s := adapttest.Start(true)
	s.Tool("book", adapttest.Result(`{"resultType":"complete","isError":true,"content":[{"type":"text","text":"date: expected YYYY-MM-DD, received \"tomorrow\""}]}`))
	busy := adapttest.Error(http.StatusOK, 4711, `null`) // a code of its own, and nothing else that would have it sent again
	s.Tool("quote", busy, busy)
	s.Tool("weather", adapttest.Error(http.StatusBadRequest, -32022, `{"supported":["2025-11-25"],"requested":"2026-07-28"}`))
	s.Tool("pay", adapttest.Reply{Status: http.StatusUnauthorized, Header: map[string]string{"WWW-Authenticate": `Bearer scope="payments"`}})
	s.Tool("report", adapttest.Reply{Status: http.StatusForbidden, Body: "not from this network"})
	return s
}
