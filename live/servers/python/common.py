"""What the two Python servers share: the command line, the ledger, and the bodies of their tools."""

import os
import socket
import sys
import threading

import anyio
import uvicorn

LEDGER = os.environ.get("LEDGER", "")  # without one, nothing is kept


def record(event):
    if not LEDGER:
        return
    with open(LEDGER, "a") as ledger:
        ledger.write(event + "\n")


def recorded(event):
    try:
        with open(LEDGER) as ledger:
            return ledger.read().splitlines().count(event)
    except FileNotFoundError:  # an empty ledger
        return 0


async def counter(hold_ms):
    record("counter")
    await anyio.sleep(hold_ms / 1000)
    return str(recorded("counter"))


async def slow(ms):
    record("slow")
    try:
        await anyio.sleep(ms / 1000)
    except anyio.get_cancelled_exc_class():
        record("slow cancelled")
        raise
    return "done"


def die():
    record("die")
    os._exit(1)


def main(stdio, app):
    """Serves standard input and output, or with `http PORT` HTTP on loopback, until standard input ends."""
    if sys.argv[1:2] != ["http"]:
        return anyio.run(stdio)
    listener = socket.create_server(("127.0.0.1", int(sys.argv[2])))
    server = uvicorn.Server(uvicorn.Config(app(), log_level="warning"))
    threading.Thread(target=lambda: (sys.stdin.buffer.read(), os._exit(0)), daemon=True).start()
    print("listening on http://127.0.0.1:%d/mcp" % listener.getsockname()[1], flush=True)
    server.run(sockets=[listener])
