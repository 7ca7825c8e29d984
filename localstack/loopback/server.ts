import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerOptions } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Refusal, refusalOf } from './guard.ts';

export type LoopbackServer = {
  port: number;
  url: string;
  stop: () => Promise<void>;
  /** Lets the process end although the server listens. */
  letGo: () => void;
};

type LoopbackOptions = ServerOptions & {
  /** The default is a free port. */
  port?: number;
  /** Whether `respond` gets a request of another page. The host is checked in any case. */
  admits?: (request: IncomingMessage) => boolean;
  /** Handles a request that is not HTTP. */
  onUnreadable?: (error: NodeJS.ErrnoException, socket: Duplex) => void;
};

/** Opens a port of the stage, for programs of this machine and for the stage's own pages only (S-83). */
export const openLoopbackServer = async (
  respond: RequestListener,
  { port = 0, admits = () => false, onUnreadable, ...options }: LoopbackOptions = {},
): Promise<LoopbackServer> => {
  const server = createServer(options, (request, response) => {
    const refusal = refusalOf(request.headers, request.socket.localPort);
    if (!refusal || (refusal === 'another page' && admits(request))) respond(request, response);
    else response.writeHead(403, refusedHeaders).end(refusedText[refusal]);
  });
  if (onUnreadable) server.on('clientError', onUnreadable);
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const own = (server.address() as AddressInfo).port;
  const stop = async () => {
    server.close();
    server.closeAllConnections();
  };
  return { port: own, url: `http://127.0.0.1:${own}`, stop, letGo: () => server.unref() };
};

/** Closes the connection, since the rest of the request is not read. */
const refusedHeaders = { 'Content-Type': 'text/plain', Connection: 'close' };
const refusedText: Record<Refusal, string> = {
  'another host':
    'The local stage answers only programs on this machine: use 127.0.0.1 or localhost, with the port of the stage.\n',
  'another page':
    'The local stage answers only programs on this machine and its own pages, not pages of other origins.\n',
};
