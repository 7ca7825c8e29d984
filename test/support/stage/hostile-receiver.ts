import { once } from 'node:events';
import { type AddressInfo, createServer as createPlain, type Server, type Socket } from 'node:net';
import { createServer as createSecure, type TlsOptions } from 'node:tls';

export type HostileReceiver = {
  port: number;
  /** What arrived, one text a connection. */
  received: string[];
  stop: () => Promise<void>;
};

type Behaviour = (socket: Socket) => void;

/** A receiver that answers a request with the given bytes, well-formed or not. */
export const aReceiver = async (behave: Behaviour, tls?: TlsOptions): Promise<HostileReceiver> => {
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const take = (socket: Socket) => {
    const index = received.push('') - 1;
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    sockets.add(socket);
    socket.on('data', (part) => {
      const first = received[index] === '';
      received[index] += part.toString('latin1');
      if (first) behave(socket);
    });
  };
  const server: Server = tls ? createSecure(tls, take) : createPlain(take);
  server.on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
};

/** One answer, said at once, and the end of the connection. */
export const answers =
  (status: string, headers: string[] = [], body = ''): Behaviour =>
  (socket) =>
    socket.end([`HTTP/1.1 ${status}`, `Content-Length: ${body.length}`, ...headers, '', body].join('\r\n'));

/** Says the parts for ever, as fast as they are taken. */
export const saysForEver =
  (head: string, part: string): Behaviour =>
  (socket) => {
    socket.write(head);
    const more = () => {
      while (!socket.destroyed && socket.write(part));
    };
    socket.on('drain', more);
    more();
  };

/** Says one letter now and then, for ever. */
export const drips =
  (head: string, everyMs: number): Behaviour =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => socket.write('x'), everyMs);
    socket.on('close', () => clearInterval(timer));
  };
