/**
 * One process of one function, as Lambda starts it: loads the bundle, hands it one event, and prints when the answer was
 * there. JavaScript, so that no time goes into stripping types. `node first-answer.mjs <bundle> <event>`
 */
import { createRequire } from 'node:module';

const [bundle, event] = process.argv.slice(2);
const { handler } = createRequire(import.meta.url)(bundle);
const startedMs = performance.now();

const { statusCode } = await handler(JSON.parse(event), { awsRequestId: 'bench' });

// Milliseconds since the process began.
const answeredMs = performance.now();
process.stdout.write(JSON.stringify({ startedMs, answeredMs, statusCode }));
process.exit(0);
