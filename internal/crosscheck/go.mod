module github.com/mcperr/mcperr/internal/crosscheck

go 1.26

require (
	github.com/mcperr/mcperr v0.0.0
	github.com/santhosh-tekuri/jsonschema/v6 v6.0.3
	github.com/tmaxmax/go-sse v0.12.0
)

require (
	github.com/go-json-experiment/json v1.27.2 // indirect
	golang.org/x/text v0.14.0 // indirect
)

replace github.com/mcperr/mcperr => ../..
