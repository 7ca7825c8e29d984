import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

export type Received = { method: string; path: string; headers: IncomingHttpHeaders; body: string };

export type TestReceiver = {
  port: number;
  connections: () => number;
  received: Received[];
  stop: () => Promise<void>;
};

type ListenAt = { host?: string; port?: number };

/** A webhook receiver on loopback that answers with a status, and remembers what it was sent and by how many sockets. */
export const startReceiver = async (
  answer: number | ((received: Received) => number | { status: number; headers: Record<string, string> }),
  place: ListenAt & { tls?: ServerOptions } = {},
): Promise<TestReceiver> => {
  const received: Received[] = [];
  const listener: RequestListener = async (request, response) => {
    const { method = '', url = '', headers } = request;
    const one = { method, path: url, headers, body: await text(request) };
    received.push(one);
    const given = typeof answer === 'number' ? answer : answer(one);
    const { status, headers: more } = typeof given === 'number' ? { status: given, headers: {} } : given;
    response.writeHead(status, more).end();
  };
  const server = place.tls ? createSecureServer(place.tls, listener) : createServer(listener);
  return { received, ...(await open(server, place)) };
};

/** A receiver that does what it likes with the socket. */
export const startSocketReceiver = async (serve: (socket: Socket) => void): Promise<TestReceiver> => ({
  received: [],
  ...(await open(createSocketServer(serve), {})),
});

const open = async (server: Server, { host = '127.0.0.1', port = 0 }: ListenAt) => {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    sockets.add(socket);
    // A client that has had enough is what these receivers are for.
    socket.on('error', () => socket.destroy());
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    stop: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
};
