import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** One request, exactly as it came in. */
export type Webhook = {
  receivedAtMs: number;
  /** The first part of its path: a partner's name in all tests. */
  partner: string;
  /** Names as the sender spelt them, each with its value. */
  headers: Record<string, string>;
  body: string;
  /** What it was answered. */
  status: number;
  /** Whether its sender still waits for the answer. */
  isOpen: () => boolean;
};

/** How a partner's endpoint answers its n-th request, from 1; `never` answers none, `close` ends the connection. */
export type EndpointResponse =
  | number
  | 'never'
  | 'close'
  | { status: number; headers?: Record<string, string>; afterMs?: number };
export type EndpointResponses = (nth: number) => EndpointResponse;

/**
 * Endpoints of partners on one loopback port: `<url>/<partner>`. They take everything until told otherwise, and tests of
 * the endpoint always, without a record.
 */
export const startWebhookReceiver = async (port = 0) => {
  const received: Webhook[] = [];
  const answers = new Map<string, EndpointResponses>();
  const counts = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const receivedAtMs = Date.now();
    const partner = (request.url ?? '').split('/')[1] ?? '';
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    if (body.includes('"WebhookTest"')) return void response.writeHead(204).end();
    const nth = (counts.get(partner) ?? 0) + 1;
    counts.set(partner, nth);
    const answer = answers.get(partner)?.(nth) ?? 204;
    const status = statusOf(answer);
    const isOpen = () => !request.socket.destroyed;
    received.push({ receivedAtMs, partner, headers: headersOf(request), body, status, isOpen });
    reply(response, answer);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** What a partner received that it also took, in order. */
    takenBy: (partner: string) =>
      received.filter((one) => one.partner === partner && one.status > 0 && one.status < 300),
    answers: (partner: string, answering: EndpointResponses) => void answers.set(partner, answering),
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>;

/** 0 stands for no answer. */
const statusOf = (answer: EndpointResponse): number => {
  if (answer === 'never' || answer === 'close') return 0;
  return typeof answer === 'number' ? answer : answer.status;
};

const reply = (response: ServerResponse, answer: EndpointResponse) => {
  if (answer === 'never') return;
  if (answer === 'close') return void response.destroy();
  const { status, headers = {}, afterMs = 0 } = typeof answer === 'number' ? { status: answer } : answer;
  setTimeout(() => response.writeHead(status, headers).end(), afterMs);
};

const headersOf = ({ rawHeaders }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: rawHeaders.length / 2 }, (_, index) => [
      rawHeaders[2 * index] ?? '',
      rawHeaders[2 * index + 1] ?? '',
    ]),
  );
