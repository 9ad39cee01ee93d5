"""A small server on the Python SDK. It serves both eras."""

from typing import Annotated

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel

import common

server = MCPServer("python-sdk-live", version="1.0.0", log_level="WARNING")


class Name(BaseModel):
    name: str


@server.tool()
def add(a: float, b: float) -> str:
    """adds two numbers"""
    return f"{a + b:g}"


@server.tool()
def boom() -> str:
    """fails with an error"""
    raise RuntimeError("boom: the tool failed")


@server.tool()
def fail_result() -> CallToolResult:
    """answers with isError"""
    return CallToolResult(is_error=True, content=[TextContent(type="text", text="the order is already shipped")])


@server.tool()
async def slow(ms: int) -> str:
    """takes its time"""
    return await common.slow(ms)


@server.tool()
async def counter(hold_ms: int = 0) -> str:
    """counts its executions"""
    return await common.counter(hold_ms)


@server.tool()
def count() -> str:
    """tells how often counter ran"""
    return str(common.recorded("counter"))


@server.tool()
def die() -> str:
    """ends the process"""
    common.die()


def ask() -> Elicit[Name]:
    return Elicit("What is your name?", Name)


@server.tool()
def ask_user(answer: Annotated[Name, Resolve(ask)]) -> str:
    """asks the user for a name"""
    return f"hello {answer.name}"


@server.resource("test://greeting")
def greeting() -> str:
    return "hello"


@server.prompt()
def greet(name: str) -> str:
    return f"Greet {name}"


common.main(server.run_stdio_async, server.streamable_http_app)
