/**
 * One process of one function, as Lambda starts it: loads the bundle, hands it one event, and prints when the answer was
 * there. JavaScript, so that no time goes into stripping types. `node first-answer.mjs <bundle> <event>`
 */
const [bundle, event] = process.argv.slice(2);
const { handler } = await import(bundle);

// On AWS the SDK speaks TLS and leaves node:http alone. For the engine's plain endpoint it imports it, and an import reads
// every export: these three would load undici.
if (process.moduleLoadList.includes('NativeModule https')) {
  const http = process.getBuiltinModule('node:http');
  for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) delete http[name];
}

const { statusCode } = await handler(JSON.parse(event), { awsRequestId: 'bench' });

// Milliseconds since the process began.
const answeredMs = performance.now();
const loadsUndici = process.moduleLoadList.some((name) => name.includes('undici'));
process.stdout.write(JSON.stringify({ answeredMs, statusCode, loadsUndici }));
process.exit(0);
