"""A small server on FastMCP. It serves both eras."""

from dataclasses import dataclass

from fastmcp import Context, FastMCP
from fastmcp.tools import ToolResult
from mcp_types import ElicitRequest, ElicitRequestFormParams, InputRequiredResult, TextContent

import common

server = FastMCP("fastmcp-live", version="1.0.0")


@dataclass
class Name:
    name: str


SCHEMA = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


@server.tool
def add(a: float, b: float) -> str:
    """adds two numbers"""
    return f"{a + b:g}"


@server.tool
def boom() -> str:
    """fails with an error"""
    raise RuntimeError("boom: the tool failed")


@server.tool
def fail_result() -> ToolResult:
    """answers with isError"""
    return ToolResult(content=[TextContent(type="text", text="the order is already shipped")], is_error=True)


@server.tool
async def slow(ms: int) -> str:
    """takes its time"""
    return await common.slow(ms)


@server.tool
async def counter(hold_ms: int = 0) -> str:
    """counts its executions"""
    return await common.counter(hold_ms)


@server.tool
def count() -> str:
    """tells how often counter ran"""
    return str(common.recorded("counter"))


@server.tool
def die() -> str:
    """ends the process"""
    common.die()


@server.tool
async def ask_user(context: Context) -> str | InputRequiredResult:
    """asks the user for a name"""
    if context.request_context.protocol_version < "2026-07-28":
        answer = await context.elicit("What is your name?", Name)
        return f"hello {answer.data.name}" if answer.action == "accept" else "hello stranger"
    if not context.input_responses:
        question = ElicitRequestFormParams(message="What is your name?", requested_schema=SCHEMA)
        return InputRequiredResult(input_requests={"name": ElicitRequest(params=question)}, request_state="asked")
    answer = context.input_responses["name"]
    return f"hello {answer.content['name']}" if answer.action == "accept" else "hello stranger"


@server.resource("test://greeting")
def greeting() -> str:
    return "hello"


@server.prompt
def greet(name: str) -> str:
    return f"Greet {name}"


common.main(lambda: server.run_stdio_async(show_banner=False), server.http_app)
