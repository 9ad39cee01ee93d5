// What the small servers share: the command line, the ledger, and the bodies of their tools.
import { appendFileSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const ledger = process.env.LEDGER; // without one, nothing is kept

const record = event => ledger && appendFileSync(ledger, event + '\n');

const recorded = event => {
  if (!ledger) return 0;
  try {
    return readFileSync(ledger, 'utf8').split('\n').filter(line => line === event).length;
  } catch {
    return 0; // a ledger that is not there yet is empty
  }
};

const sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });

export const text = value => ({ content: [{ type: 'text', text: String(value) }] });

export const boom = () => {
  throw new Error('boom: the tool failed');
};

export const failed = () => ({ ...text('the order is already shipped'), isError: true });

export const count = () => text(recorded('counter'));

export const counter = async (hold, signal) => {
  record('counter');
  await sleep(hold, signal);
  return count();
};

export const slow = async (ms, signal) => {
  record('slow');
  try {
    await sleep(ms, signal);
  } catch (error) {
    record('slow cancelled');
    throw error;
  }
  return text('done');
};

export const die = () => {
  record('die');
  process.exit(1);
};

export const question = {
  message: 'What is your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
};

// main serves standard input and output, or with `http PORT` HTTP on loopback, until standard input ends.
export const main = (stdio, http) => {
  const [mode, port] = process.argv.slice(2);
  if (mode !== 'http') return stdio();
  const server = createServer((request, response) =>
    request.url === '/mcp' ? http(request, response) : response.writeHead(404).end(),
  );
  server.listen(Number(port), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${server.address().port}/mcp`));
  process.stdin.on('end', () => process.exit()).resume();
};
