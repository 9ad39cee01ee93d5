// A small server on TypeScript SDK 1.x: the handshake era, with sessions.
import { randomUUID } from 'node:crypto';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';
import * as common from './common.mjs';

const newServer = () => {
  const server = new McpServer({ name: 'ts-sdk1-live', version: '1.0.0' });
  const tool = (name, description, inputSchema, run) => server.registerTool(name, { description, inputSchema }, run);
  tool('add', 'adds two numbers', { a: z.number(), b: z.number() }, ({ a, b }) => common.text(a + b));
  tool('boom', 'fails with an error', {}, common.boom);
  tool('fail_result', 'answers with isError', {}, common.failed);
  tool('slow', 'takes its time', { ms: z.number() }, ({ ms }, { signal }) => common.slow(ms, signal));
  tool('counter', 'counts its executions', { hold_ms: z.number().optional() }, ({ hold_ms }, { signal }) => common.counter(hold_ms ?? 0, signal));
  tool('count', 'tells how often counter ran', {}, common.count);
  tool('die', 'ends the process', {}, common.die);
  tool('ask_user', 'asks the user for a name', {}, async (_, extra) => {
    const answer = await server.server.elicitInput(common.question, { relatedRequestId: extra.requestId });
    return common.text(answer.action === 'accept' ? `hello ${answer.content.name}` : 'hello stranger');
  });
  server.registerResource('greeting', 'test://greeting', {}, uri => ({ contents: [{ uri: uri.href, text: 'hello' }] }));
  server.registerPrompt('greet', { argsSchema: { name: z.string() } }, ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }],
  }));
  return server;
};

const sessions = new Map();

// As the SDK's own examples do it: a request without a session of ours is refused with 400, unless it is initialize.
const http = async (request, response) => {
  const body = [];
  for await (const chunk of request) body.push(chunk);
  let message;
  try {
    message = body.length ? JSON.parse(Buffer.concat(body)) : undefined;
  } catch {
    return refuse(response, -32700, 'Parse error');
  }
  const known = sessions.get(request.headers['mcp-session-id']);
  if (known) return known.handleRequest(request, response, message);
  if (message?.method !== 'initialize') return refuse(response, -32000, 'Bad Request: No valid session ID provided');
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: id => sessions.set(id, transport),
  });
  transport.onclose = () => sessions.delete(transport.sessionId);
  await newServer().connect(transport);
  return transport.handleRequest(request, response, message);
};

const refuse = (response, code, message) =>
  response.writeHead(400, { 'Content-Type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));

common.main(() => newServer().connect(new StdioServerTransport()), http);
