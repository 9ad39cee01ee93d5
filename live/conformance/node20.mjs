// Lets the suite start on Node 20: it imports fs.globSync, which Node 22 brought and which no client scenario calls.
import fs from 'node:fs';
import { register } from 'node:module';

const module = code => 'data:text/javascript,' + encodeURIComponent(code);

if (!fs.globSync) {
  const shim = module(`export * from 'node:fs';
    export const globSync = () => { throw new Error('fs.globSync needs Node 22'); };`);
  register(
    module(`export const resolve = (name, context, next) =>
      name === 'fs' && context.parentURL?.includes('/conformance/dist/') ? { url: ${JSON.stringify(shim)}, shortCircuit: true } : next(name, context);`),
  );
}
