import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { sampleBody } from '../../../partner-kit/src/samples/message.ts';

/** The receiver's own values. */
type Values = { signature: string; source: string };

/** A request to the byte, and the status that a receiver answers. */
type RawRequest = {
  name: string;
  signature?: string;
  framing: string;
  /** Sent one after the other. With a pause after each, the answer must come before their end. */
  parts: readonly string[];
  pauseMs?: number;
  status: number;
  /** The receiver's web server reads the framing, as PHP's does, or the receiver itself. */
  isOfFraming?: boolean;
};

const messageOf = ({ source }: Values, id: string) =>
  sampleBody({
    ...{ id, type: 'WebhookTest', source, detail: {} },
    publishedAt: new Date('2026-11-22T12:00:00Z'),
  });

const chunked = 'Transfer-Encoding: chunked';
const lengthOf = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`;
const whole = (body: string) => ({ framing: lengthOf(body), parts: [body] });

const requestsTo = (values: Values): RawRequest[] => {
  const message = messageOf(values, 'raw-1');
  const inChunks = (parts: readonly string[]) => ({ framing: chunked, parts, isOfFraming: true });
  const oneByOne = [...message].map((byte) => `1\r\n${byte}\r\n`).join('');
  const size = message.length.toString(16);
  return [
    { name: 'chunks of one byte', ...inChunks([oneByOne, '0\r\n\r\n']), status: 204 },
    {
      name: 'a chunk with an extension and zeros, and a trailer',
      ...inChunks([`000${size.toUpperCase()};name="a;b"\r\n${message}\r\n0\r\nExpires: never\r\n\r\n`]),
      status: 204,
    },
    ...['xyz', '', '-5', '+5', '0x5', '5 5', `${size};${'x'.repeat(2_000)}`].map((head) => ({
      name: `a chunk of the size ${JSON.stringify(head.slice(0, 9))}`,
      ...inChunks([`${head}\r\n${message}\r\n0\r\n\r\n`]),
      status: 400,
    })),
    { name: 'a chunk longer than its size', ...inChunks([`5\r\n${message}\r\n0\r\n\r\n`]), status: 400 },
    { name: 'a chunk beyond any message', ...inChunks(['fffffff\r\n']), status: 413 },
    {
      name: 'chunks beyond any message',
      ...inChunks(Array(3).fill(`9c40\r\n${' '.repeat(40_000)}\r\n`)),
      status: 413,
    },
    {
      name: 'chunks and a length',
      ...{ framing: `${chunked}\r\n${lengthOf(message)}`, parts: [message], isOfFraming: true, status: 400 },
    },
    {
      name: 'a coding that it does not know',
      ...{ framing: 'Transfer-Encoding: gzip, chunked', parts: [message], isOfFraming: true, status: 400 },
    },
    ...['five', '-5', '+5', '5, 6'].map((length) => ({
      ...{ name: `a length of ${length}`, framing: `Content-Length: ${length}`, parts: [message] },
      ...{ isOfFraming: true, status: 400 },
    })),
    {
      name: 'a body of a byte in half a second',
      ...{ framing: lengthOf(message), parts: [...message.slice(0, 8)], pauseMs: 500 },
      ...{ isOfFraming: true, status: 408 },
    },
    {
      name: 'a chunk of a byte in half a second',
      ...inChunks([...`${size}\r\n${message.slice(0, 4)}`]),
      ...{ pauseMs: 500, status: 408 },
    },
    ...['', ' ', '{', '[]', 'null', '5', '{}', 'x'.repeat(50)].map((body) => ({
      name: `the body ${JSON.stringify(body.slice(0, 9))}`,
      ...{ ...whole(body), status: 400 },
    })),
    {
      name: 'a message behind a byte order mark',
      ...whole(`\uFEFF${messageOf(values, 'raw-2')}`),
      status: 204,
    },
    { name: 'no length at all', framing: 'X-None: 0', parts: [], status: 400 },
    {
      name: 'another signature over a chunk that is none',
      ...{ ...inChunks(['xyz\r\n']), signature: 'of-another', status: 401 },
    },
    {
      name: 'another signature over a megabyte',
      ...{ ...whole('x'.repeat(1_000_000)), signature: 'of-another', status: 401 },
    },
    // More than sockets hold: a connection that is closed meanwhile takes the answer from most of its senders.
    ...[1, 2, 3, 4, 5].map((sender) => ({
      name: `another signature over 20 megabytes, sender ${sender}`,
      ...{ ...whole('x'.repeat(20_000_000)), signature: 'of-another', isOfFraming: true, status: 401 },
    })),
  ];
};

/** The status of the answer; 0 if there is none. */
const statusOf = async (port: number, request: RawRequest, values: Values): Promise<number> => {
  const { framing, parts, pauseMs, signature = values.signature } = request;
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  const said = text(socket).catch(() => '');
  let isAnswered = false;
  said.then(() => {
    isAnswered = true;
  });
  socket.write(
    `POST / HTTP/1.1\r\nHost: hooks.example.com\r\nX-Webhook-Signature: ${signature}\r\n${framing}\r\n\r\n`,
  );
  for (const part of parts) {
    if (isAnswered) break;
    socket.write(part);
    if (pauseMs !== undefined) await pause(pauseMs);
  }
  // The service waits for five seconds in all.
  if (pauseMs !== undefined && !isAnswered) socket.destroy();
  return Number(/^HTTP\/1\.[01] (\d{3})/.exec(await said)?.[1] ?? 0);
};

/** Sends each request to a receiver; a fault for each that is answered in another way. */
export const answerRawRequests = async (
  port: number,
  values: Values,
  { readsFraming }: { readsFraming: boolean },
): Promise<{ name: string; fault?: string }[]> =>
  Promise.all(
    requestsTo(values)
      .filter(({ isOfFraming }) => readsFraming || !isOfFraming)
      .map(async (request) => {
        const seen = await statusOf(port, request, values);
        const { name, status } = request;
        return seen === status ? { name } : { name, fault: `${seen} instead of ${status}` };
      }),
  );
