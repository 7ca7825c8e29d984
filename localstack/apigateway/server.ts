import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Clock, systemClock } from '../../functions/shared/runtime/clock.ts';
import type { Cloud } from '../cloudformation/model.ts';
import { matchRoute, type RouteMatch } from '../cloudformation/routes.ts';
import type { FunctionPool } from '../lambda/function-pool.ts';
import { type LoopbackServer, openLoopbackServer } from '../loopback/server.ts';
import { type GatewayResponseType, gatewayResponse } from './gateway-response.ts';
import { areHeadersTooLarge, headersTooLarge } from './headers-too-large.ts';
import { type ApiRequest, pathOf, proxyEvent } from './proxy-event.ts';
import { type ApiResponse, proxyResponse } from './proxy-response.ts';

const bodyBytesLimit = 10 * 1024 * 1024;
/** More than API Gateway accepts: a request that is too large is read, since its path chooses the answer's shape. */
const readableHeaderBytes = 64 * 1024;

export type ApiServerDeps = {
  cloud: Pick<Cloud, 'routes' | 'gatewayResponses'>;
  functions: ReadonlyMap<string, Pick<FunctionPool, 'name' | 'logFile' | 'invoke'>>;
  /** Prints a sentence about a fault. */
  warn: (sentence: string) => void;
  now?: Clock;
  /** A handler of requests that are for no API, such as those of the console. */
  other?: {
    /** Returns whether it handles the request. */
    handle: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
    /** Whether the request may come from a page of another origin. */
    admits: (incoming: IncomingMessage) => boolean;
  };
};

/** Both REST APIs of the template on one loopback port. */
export const openApis = (port: number, deps: ApiServerDeps): Promise<LoopbackServer> => {
  const { now = systemClock, other } = deps;
  const respond = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    try {
      if (other?.handle(incoming, outgoing)) return;
      const answer = await respondTo(incoming, deps);
      if (answer) write(outgoing, answer, now());
    } catch (error) {
      deps.warn(`The API server failed at ${incoming.method} ${incoming.url}: ${error}`);
      outgoing.destroy();
    }
  };
  return openLoopbackServer(respond, {
    port,
    maxHeaderSize: readableHeaderBytes,
    admits: (incoming) => other?.admits(incoming) || answersOtherPages(incoming, deps),
    onUnreadable: (error, socket) => refuseUnreadable(error, socket, deps),
  });
};

/** Pages of other origins may call V1 and the docs, whose functions answer CORS requests themselves (V1-7). */
const answersOtherPages = ({ method = '', url = '' }: IncomingMessage, deps: ApiServerDeps) => {
  const match = matchRoute(deps.cloud.routes, method, pathOf({ target: url }));
  const name = match && deps.functions.get(match.route.functionId)?.name;
  return name === 'v1-transaction' || name === 'serve-docs';
};

const respondTo = async (
  incoming: IncomingMessage,
  deps: ApiServerDeps,
): Promise<ApiResponse | undefined> => {
  const body = await readBody(incoming);
  if (body === 'broken-off') return undefined;
  const request: ApiRequest = {
    id: randomUUID(),
    method: incoming.method ?? 'GET',
    target: incoming.url ?? '/',
    rawHeaders: incoming.rawHeaders,
    body: body === 'too-large' ? Buffer.alloc(0) : body,
    sourceIp: incoming.socket.remoteAddress ?? '127.0.0.1',
    receivedAt: (deps.now ?? systemClock)(),
  };
  const match = matchRoute(deps.cloud.routes, request.method, pathOf(request));
  if (areHeadersTooLarge(request))
    return headersTooLarge(ownResponse(deps, 'BAD_REQUEST_PARAMETERS', request, match));
  if (!match) return ownResponse(deps, 'MISSING_AUTHENTICATION_TOKEN', request);
  if (body === 'too-large') return ownResponse(deps, 'REQUEST_TOO_LARGE', request, match);
  return invokeFunction(request, match, deps);
};

const invokeFunction = async (
  request: ApiRequest,
  match: RouteMatch,
  deps: ApiServerDeps,
): Promise<ApiResponse> => {
  const pool = deps.functions.get(match.route.functionId);
  if (!pool) throw new Error(`The route ${match.route.resource} has no function.`);
  const where = `${pool.name} at ${request.method} ${pathOf(request)}`;
  const outcome = await pool.invoke(proxyEvent(request, match), request.id);
  if (!outcome.ok) {
    deps.warn(`${where}: the function ${outcome.reason}. The cause is in ${pool.logFile}`);
    return ownResponse(
      deps,
      outcome.reason === 'timed out' ? 'INTEGRATION_TIMEOUT' : 'INTERNAL_ERROR',
      request,
      match,
    );
  }
  const answer = proxyResponse(outcome.value);
  if (!answer.ok) {
    deps.warn(`${where}: the answer cannot be sent: ${answer.reason}. More may be in ${pool.logFile}`);
    return ownResponse(deps, 'INTERNAL_ERROR', request, match);
  }
  if (answer.value.status >= 500) {
    deps.warn(`${where}: answered ${answer.value.status}. The cause is in ${pool.logFile}`);
  }
  return answer.value;
};

/** The API of an unknown path is one with a path of the same first segment, otherwise the one with the most routes. */
const ownResponse = (
  deps: ApiServerDeps,
  type: GatewayResponseType,
  request: ApiRequest,
  match?: RouteMatch,
): ApiResponse => {
  const { routes, gatewayResponses } = deps.cloud;
  const start = pathOf(request).split('/')[1];
  const near = routes.find(({ resource }) => resource.split('/')[1] === start);
  const api = match?.route.api ?? near?.api ?? mostFrequent(routes.map((route) => route.api));
  const declared = gatewayResponses.filter((response) => response.api === api);
  return gatewayResponse(declared, type, request);
};

const mostFrequent = (names: string[]): string | undefined => {
  const count = (name: string) => names.filter((counted) => counted === name).length;
  return names.toSorted((one, other) => count(other) - count(one))[0];
};

/** Reads a body that is too large to its end without keeping it, so that the caller reads the answer. */
const readBody = async (incoming: IncomingMessage): Promise<Buffer | 'too-large' | 'broken-off'> => {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of incoming) {
      size += part.length;
      if (size <= bodyBytesLimit) parts.push(part);
    }
  } catch {
    return 'broken-off';
  }
  return size > bodyBytesLimit ? 'too-large' : Buffer.concat(parts);
};

/** Answers a request that is not HTTP, or has far too large headers. Its path is unknown. */
const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Duplex, deps: ApiServerDeps) => {
  if (!socket.writable) return;
  const request: ApiRequest = { ...nothing, id: randomUUID(), receivedAt: (deps.now ?? systemClock)() };
  const badRequest = ownResponse(deps, 'BAD_REQUEST_PARAMETERS', request);
  const { status, headers, body } =
    error.code === 'HPE_HEADER_OVERFLOW' ? headersTooLarge(badRequest) : badRequest;
  const lines = headers.map(([name, values]) => `${name}: ${values.join(', ')}`);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...lines,
    `Content-Length: ${body.length}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
};

const nothing = { method: 'GET', target: '/', rawHeaders: [], body: Buffer.alloc(0), sourceIp: '127.0.0.1' };

/**
 * Writes an answer. Node omits the body of an answer to HEAD and keeps its length. A function makes no body for HEAD, so the
 * length that GET would have is unknown and omitted (RFC 9110 section 8.6).
 */
const write = (outgoing: ServerResponse, { status, headers, body }: ApiResponse, now: Date) => {
  outgoing.setHeader('Date', now.toUTCString());
  for (const [name, values] of headers)
    outgoing.setHeader(name, values.length === 1 ? (values[0] ?? '') : values);
  const hasBody = status !== 204 && status !== 304;
  const isLengthKnown = outgoing.req.method !== 'HEAD' || body.length > 0;
  if (hasBody && isLengthKnown) outgoing.setHeader('Content-Length', body.length);
  if (!hasBody) outgoing.removeHeader('Content-Type');
  outgoing.writeHead(status);
  outgoing.end(hasBody ? body : undefined);
};
