"""An interpreter to start from: it knows some statuses and codes, says a kind and nothing else, and prints a line a case."""
import json, pathlib

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "fixtures"
STATUSES = {401: "unauthorized", 402: "payment_required", 403: "forbidden", 407: "forbidden", 429: "rate_limited", 451: "forbidden"}
CODES = {-32700: "invalid_request", -32600: "invalid_request", -32601: "method_not_found", -32603: "server_error", -32022: "unsupported_version"}

def interpret(request, reply):
    http = reply.get("http", {})
    if http.get("status") in STATUSES:
        return STATUSES[http["status"]]
    body = http.get("body", "")
    events = [line.removeprefix("data:") for line in body.splitlines() if line.startswith("data:")]
    for text in [body, *events, *reply.get("lines", [])]:
        try:
            message = json.loads(text)
        except (ValueError, RecursionError):  # a page, a line of a log, a trap
            continue
        if isinstance(message, dict) and "method" not in message and message.get("id") == request.get("id"):
            error, result = message.get("error"), message.get("result")
            if isinstance(error, dict):
                return CODES.get(error.get("code"), "unknown_error")
            return "tool_error" if isinstance(result, dict) and result.get("isError") else "ok"
    return "malformed_reply"

for file in sorted(CORPUS.glob("*/*.json")):
    for case in json.loads(file.read_bytes()):
        print(json.dumps({"id": case["id"], "kind": interpret(case["request"], case["reply"])}))
