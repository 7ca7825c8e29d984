import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

type LoopbackOptions = {
  /** The default is a free port. */
  port?: number;
  /** Whether a request of another page is answered. The host is checked in any case. */
  admits?: (request: IncomingMessage) => boolean;
  /** Answers a request whose `Expect` is not `100-continue`. */
  unexpected?: RequestListener;
};

export type LoopbackServer = { port: number; url: string; stop: () => Promise<void>; server: Server };

/** More than API Gateway accepts: a request that is too large is read, since its path chooses the answer's shape. */
const readableHeaderBytes = 64 * 1024;

/**
 * Opens a port for programs of this machine and for the stage's own pages only (S-83). Any page in a developer's browser can send
 * requests to this machine: the check of `Host` stops DNS rebinding, `Origin` and Fetch Metadata stop other pages.
 */
export const openLoopback = async (
  respond: RequestListener,
  { port = 0, admits = () => false, unexpected }: LoopbackOptions = {},
): Promise<LoopbackServer> => {
  const guarded =
    (answer: RequestListener): RequestListener =>
    (request, response) => {
      const refusal = refusalOf(request);
      if (!refusal || (refusal === 'another page' && admits(request))) answer(request, response);
      else
        response.writeHead(403, { ...refusedHeaders, 'Request-Id': randomUUID() }).end(refusedText[refusal]);
    };
  const server = createServer({ maxHeaderSize: readableHeaderBytes }, guarded(respond));
  if (unexpected) server.on('checkExpectation', guarded(unexpected));
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const own = (server.address() as AddressInfo).port;
  return {
    server,
    port: own,
    url: `http://127.0.0.1:${own}`,
    stop: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
};

type Refusal = 'another host' | 'another page';

/** The host of an absolute request target counts, not `Host` (RFC 9112 section 3.2.2). */
const hostOf = ({ url = '', headers }: IncomingMessage): string | undefined =>
  (/^https?:\/\/([^/?#]*)/i.exec(url)?.[1] ?? headers.host)?.toLowerCase();

const refusalOf = (request: IncomingMessage): Refusal | undefined => {
  const { origin, 'sec-fetch-site': site = 'none' } = request.headers;
  const host = hostOf(request);
  if (!ownNames.some((name) => host === `${name}:${request.socket.localPort}`)) return 'another host';
  // `none` stands for a typed address. Links, images and scripts send a site and no `Origin`.
  const isOfAnotherPage =
    (origin !== undefined && origin !== `http://${host}`) || (site !== 'same-origin' && site !== 'none');
  return isOfAnotherPage ? 'another page' : undefined;
};

const ownNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Closes the connection, since the rest of the request is not read. */
const refusedHeaders = { 'Content-Type': 'text/plain', Connection: 'close' };
const refusedText: Record<Refusal, string> = {
  'another host':
    'The embedded stage answers only programs on this machine: use 127.0.0.1 or localhost, with the port of the stage.\n',
  'another page':
    'The embedded stage answers only programs on this machine and its own pages, not pages of other origins.\n',
};
