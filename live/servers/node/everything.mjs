// Starts @modelcontextprotocol/server-everything; over HTTP on loopback only, where it would listen on every interface.
import { Server } from 'node:net';

const [mode, port] = process.argv.slice(2);
if (mode === 'http') {
  const { listen } = Server.prototype;
  Server.prototype.listen = function () {
    return listen.call(this, Number(port), '127.0.0.1', () => console.log(`listening on http://127.0.0.1:${this.address().port}/mcp`));
  };
  process.stdin.on('end', () => process.exit()).resume();
}
process.argv.splice(2, Infinity, mode === 'http' ? 'streamableHttp' : 'stdio');
await import('@modelcontextprotocol/server-everything/dist/index.js');
