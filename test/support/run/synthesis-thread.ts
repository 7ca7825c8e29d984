import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { deserialize } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import type { Questions } from '../engine/questions.ts';

/** Answers `POST /<question>` of the files of a run. The CDK is loaded at the first: a run that asks nothing waits for nothing. */
const server = createServer(async (request, response) => {
  const { answerTo } = await import('../engine/questions.ts');
  const name = request.url?.slice(1) as keyof Questions;
  response.end(JSON.stringify(answerTo(name, deserialize(await buffer(request)))));
});
await once(server.listen(0, '127.0.0.1'), 'listening');
parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
