import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { toEvent } from '../apis/token-service.ts';

type Handle = (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;

/** A front on a free loopback port: requests in as proxy events, results out. The address is known before the handler is. */
export const startLoopback = async () => {
  let handle: Handle = async () => ({ statusCode: 503, body: '' });
  const server = createServer(async (request, response) => {
    const { statusCode, headers, body } = await handle(await readEvent(request));
    response.writeHead(statusCode, headers as Record<string, string>).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    serve: (handler: Handle) => {
      handle = handler;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

const readEvent = async (request: IncomingMessage) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://front');
  return toEvent({
    method: request.method ?? '',
    path: pathname,
    headers: Object.fromEntries(
      Object.entries(request.headersDistinct).map(([name, values]) => [name, values ?? []]),
    ),
    query: Object.fromEntries(searchParams),
    body: await text(request),
  });
};
