package client

import (
	"encoding/json"
	"strconv"

	"github.com/mcperr/mcperr/internal/proto"
)

var jsonrpc = member{"jsonrpc", text("2.0")}

// encodeRequest writes a request, or with id 0 a notification.
func encodeRequest(id int64, method string, params object) []byte {
	o := object{jsonrpc}
	if id != 0 {
		o = append(o, member{"id", strconv.AppendInt(nil, id, 10)})
	}
	o = append(o, member{"method", text(method)})
	if params != nil {
		o = append(o, member{"params", params.encode()})
	}
	return o.encode()
}

// encodeAnswer writes our answer to a server's request: the result, or the error if there is one.
func encodeAnswer(id json.RawMessage, result json.RawMessage, err *rpcError) []byte {
	o := object{jsonrpc, {"id", id}}
	if err != nil {
		fault := object{{"code", strconv.AppendInt(nil, err.code, 10)}, {"message", text(err.message)}}
		return append(o, member{"error", fault.encode()}).encode()
	}
	return append(o, member{"result", result}).encode()
}

type rpcError struct {
	code    int64
	message string
}

// cancelled is the notification that takes a request back.
func cancelled(id string) []byte {
	params := object{{"requestId", json.RawMessage(id)}}
	return encodeRequest(0, "notifications/cancelled", params)
}

// identity is who we say that we are, and what we can.
type identity struct {
	info         json.RawMessage // an Implementation
	capabilities json.RawMessage // ClientCapabilities
}

// modernParams adds to params what 2026-07-28 wants in every request. The host's own members of _meta stay.
func (i identity) modernParams(params object, version string) object {
	meta, err := parseObject(params.get("_meta"))
	if err != nil {
		meta = nil
	}
	meta = meta.with(proto.MetaVersion, text(version)).with(proto.MetaInfo, i.info).with(proto.MetaCapabilities, i.capabilities)
	return params.with("_meta", meta.encode())
}

// initializeParams is what opens a session of the handshake era.
func (i identity) initializeParams(version string) object {
	return object{{"protocolVersion", text(version)}, {"capabilities", i.capabilities}, {"clientInfo", i.info}}
}
