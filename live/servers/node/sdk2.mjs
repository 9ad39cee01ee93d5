// A small server on TypeScript SDK 2.x: both eras, without sessions.
import { createMcpHandler, inputRequired, inputResponse, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { z } from 'zod';
import * as common from './common.mjs';

const newServer = () => {
  const server = new McpServer({ name: 'ts-sdk2-live', version: '1.0.0' });
  const tool = (name, description, shape, run) => server.registerTool(name, { description, inputSchema: z.object(shape) }, run);
  tool('add', 'adds two numbers', { a: z.number(), b: z.number() }, ({ a, b }) => common.text(a + b));
  tool('boom', 'fails with an error', {}, common.boom);
  tool('fail_result', 'answers with isError', {}, common.failed);
  tool('slow', 'takes its time', { ms: z.number() }, ({ ms }, context) => common.slow(ms, context.mcpReq.signal));
  tool('counter', 'counts its executions', { hold_ms: z.number().optional() }, ({ hold_ms }, context) => common.counter(hold_ms ?? 0, context.mcpReq.signal));
  tool('count', 'tells how often counter ran', {}, common.count);
  tool('die', 'ends the process', {}, common.die);
  tool('ask_user', 'asks the user for a name', {}, (_, context) => {
    const answer = inputResponse(context.mcpReq.inputResponses, 'name');
    if (answer.kind === 'missing') {
      return inputRequired({ inputRequests: { name: inputRequired.elicit(common.question) }, requestState: 'asked' });
    }
    return common.text(answer.action === 'accept' ? `hello ${answer.content.name}` : 'hello stranger');
  });
  server.registerResource('greeting', 'test://greeting', {}, uri => ({ contents: [{ uri: uri.href, text: 'hello' }] }));
  server.registerPrompt('greet', { argsSchema: z.object({ name: z.string() }) }, ({ name }) => ({
    messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }],
  }));
  return server;
};

common.main(() => serveStdio(newServer), toNodeHandler(createMcpHandler(newServer)));
