// Package crosscheck holds tests that set parts of the core beside independent work: the corpus beside a JSON Schema validator, the
// event-stream reader beside another one. It is a module of its own, so that the core need not require either.
package crosscheck
