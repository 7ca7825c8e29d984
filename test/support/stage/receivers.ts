import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: string };

export type TestReceiver = { port: number; received: Received[]; stop: () => Promise<void> };

/** A webhook receiver on loopback that answers with a status, and remembers what it was sent. */
export const startReceiver = async (
  answer: number | ((received: Received) => number),
): Promise<TestReceiver> => {
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    const one = { method, path: url, headers, body: await text(request) };
    received.push(one);
    response.writeHead(typeof answer === 'number' ? answer : answer(one)).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
