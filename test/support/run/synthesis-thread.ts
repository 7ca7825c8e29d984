import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { deserialize } from 'node:v8';
import { parentPort } from 'node:worker_threads';
import type { Answer, Questions } from '../engine/questions.ts';

/** The CDK is loaded at the first question: a run that asks nothing waits for nothing. What cannot be loaded is a refusal, too. */
const answerTo = async (request: IncomingMessage): Promise<Answer<unknown>> => {
  try {
    const questions = await import('../engine/questions.ts');
    return questions.answerTo(nameIn(request), deserialize(await buffer(request)));
  } catch (error) {
    return { refusal: String(error) };
  }
};

const nameIn = ({ url }: IncomingMessage) => url?.slice(1) as keyof Questions;

/** Answers `POST /<question>` of the files of a run. */
const server = createServer(async (request, response) => {
  // Synthesis holds this thread for seconds: a connection that is kept would end just as the next question is sent on it.
  response.setHeader('Connection', 'close');
  response.end(JSON.stringify(await answerTo(request)));
});
await once(server.listen(0, '127.0.0.1'), 'listening');
parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
