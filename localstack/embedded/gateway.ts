import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { HttpEvent } from '../../functions/shared/http/request.ts';
import { gatewayResponses } from '../../lib/constructs/api/gateway-answers.ts';
import type { Invoke } from './instances.ts';
import { type LoopbackServer, openLoopback } from './loopback.ts';
import { type Answer, type Call, type Match, proxyAnswer, proxyEvent, splitOnce } from './proxy.ts';
import { type FunctionName, type Route, routes } from './wiring.ts';

export type GatewayOptions = {
  port: number;
  invoke: Invoke;
  /** Tells a person of a fault. */
  warn: (sentence: string) => void;
  /** Answers requests that are for no API, such as those of the stage's page; returns whether it does. */
  beside?: (request: IncomingMessage, response: ServerResponse) => boolean;
};

/** API Gateway with both REST APIs at one loopback port (ERR-5, QS-1). */
export const openGateway = async ({
  port,
  invoke,
  warn,
  beside,
}: GatewayOptions): Promise<LoopbackServer> => {
  // The stage knows its port before it listens, since links contain it.
  const baseUrl = `http://127.0.0.1:${port}`;

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    if (beside?.(request, response)) return;
    try {
      const answer = await answerTo(request);
      if (answer) write(response, answer);
    } catch (error) {
      warn(`The API server failed at ${request.method} ${request.url}: ${error}`);
      response.destroy();
    }
  };

  const answerTo = async (request: IncomingMessage): Promise<Answer | undefined> => {
    const call = callOf(request);
    const body = await readBody(request);
    if (body === 'broken off') return undefined;
    if (isHeadTooLarge(request)) return refusalAs(431, own('BAD_REQUEST_PARAMETERS', call));
    if (!call.match) return own('MISSING_AUTHENTICATION_TOKEN', call);
    if (body === 'too large') return own('REQUEST_TOO_LARGE', call);
    return answerOf(call.match.route.name, call, proxyEvent(request, call, body));
  };

  const answerOf = async (name: FunctionName, call: Call, event: HttpEvent): Promise<Answer> => {
    const outcome = await invoke(name, event, call.id);
    const where = `${name} at ${event.httpMethod} ${call.path}`;
    if (!outcome.ok) {
      warn(`${where}: the function ${outcome.reason}.`);
      return own(outcome.reason === 'timed out' ? 'INTEGRATION_TIMEOUT' : 'INTERNAL_ERROR', call);
    }
    const answer = proxyAnswer(outcome.value);
    if (!answer.ok) {
      warn(`${where}: the answer cannot be sent: ${answer.reason}.`);
      return own('INTERNAL_ERROR', call);
    }
    if (answer.value.status >= 500) warn(`${where}: answered ${answer.value.status}.`);
    return answer.value;
  };

  /** An answer of the gateway itself, in the form of the API to which the path belongs. */
  const own = (type: OwnAnswer, { id, path, match }: Call): Answer => {
    const [, start] = path.split('/');
    const near = routes.find((route) => route.path.split('/')[1] === start);
    const api = match?.route.api ?? near?.api ?? 'transactions';
    const { status, general, message } = ownAnswers[type];
    const all = gatewayResponses(api, baseUrl);
    const declared = all.find((one) => one.type === type) ?? all.find((one) => one.type === general);
    if (!declared) throw new Error(`The API ${api} has no answer ${type}.`);
    const context: Record<string, string> = {
      'context.requestId': id,
      'context.error.messageString': JSON.stringify(message),
    };
    const textOf = (source: string) => /^'(.*)'$/.exec(source)?.[1] ?? context[source] ?? '';
    return {
      status: declared.status ?? status,
      headers: Object.entries(declared.headers).map(([name, source]) => [name, [textOf(source)]]),
      body: Buffer.from(
        JSON.stringify(declared.body).replaceAll(
          /\$(context(?:\.\w+)+)/g,
          (whole, name: string) => context[name] ?? whole,
        ),
      ),
    };
  };

  /** Answers what is no HTTP, or has far too large headers. Its path is unknown. */
  const refuseUnreadable = (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable) return;
    const badRequest = own('BAD_REQUEST_PARAMETERS', { id: randomUUID(), path: '/', query: '' });
    const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
    const { status, headers, body } = isTooLarge ? refusalAs(431, badRequest) : badRequest;
    const lines = [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      ...headers.map(([name, values]) => `${name}: ${values.join(', ')}`),
      `Content-Length: ${body.length}`,
      'Connection: close',
    ];
    socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
  };

  const gateway = await openLoopback(respond, {
    port,
    // The APIs answer pages of other origins as on AWS; other pages may link to the stage's page.
    admits: (request) =>
      callOf(request).match !== undefined || (request.method === 'GET' && request.url === '/'),
    unexpected: (request, response) => {
      write(response, refusalAs(417, own('DEFAULT_4XX', callOf(request))));
    },
  });
  gateway.server.on('clientError', refuseUnreadable);
  // Answers a client that has closed its half of the connection after its request.
  Object.assign(gateway.server, { httpAllowHalfOpen: true });
  return gateway;
};

/** The gateway's own answers that the embedded stage gives: AWS's status and message, unless the stack declares others. */
const ownAnswers = {
  BAD_REQUEST_PARAMETERS: { status: 400, general: 'DEFAULT_4XX', message: 'Bad Request' },
  DEFAULT_4XX: { status: 400, general: 'DEFAULT_4XX', message: 'Bad Request' },
  MISSING_AUTHENTICATION_TOKEN: {
    status: 403,
    general: 'DEFAULT_4XX',
    message: 'Missing Authentication Token',
  },
  REQUEST_TOO_LARGE: { status: 413, general: 'DEFAULT_4XX', message: 'Request Too Long' },
  INTERNAL_ERROR: { status: 502, general: 'DEFAULT_5XX', message: 'Internal server error' },
  INTEGRATION_TIMEOUT: { status: 504, general: 'DEFAULT_5XX', message: 'Endpoint request timed out' },
} as const;
type OwnAnswer = keyof typeof ownAnswers;

/** The target may be absolute (RFC 9112 section 3.2.2). */
const callOf = ({ method = 'GET', url = '/' }: IncomingMessage): Call => {
  const target = url.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
  const [path, query] = splitOnce(target, '?');
  return { id: randomUUID(), path, query, match: matchRoute(routes, method, path) };
};

/**
 * The route of a request. Segments are compared as sent, so `//`, `%2e` and `..` are neither decoded nor normalised; one
 * trailing slash is ignored (VERB-1). As in API Gateway, the path chooses the resource, where a literal segment counts before
 * a parameter; then the method chooses the route, its own before any.
 */
export const matchRoute = (all: readonly Route[], method: string, path: string): Match | undefined => {
  const matches = all.flatMap((route) => matchOne(route, segmentsOf(path)) ?? []);
  const fewest = Math.min(...matches.map(({ route }) => parametersIn(route)));
  const here = matches.filter(({ route }) => parametersIn(route) === fewest);
  return (
    here.find(({ route }) => route.methods?.includes(method)) ?? here.find(({ route }) => !route.methods)
  );
};

const matchOne = (route: Route, segments: string[]): Match | undefined => {
  const declared = segmentsOf(route.path);
  const rest = declared.length - 1;
  // A greedy parameter, `{page+}`, is all that is left of a path.
  const sent =
    declared.at(-1)?.endsWith('+}') && segments.length > rest
      ? [...segments.slice(0, rest), segments.slice(rest).join('/')]
      : segments;
  if (sent.length !== declared.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [at, segment] of declared.entries()) {
    const value = sent[at] ?? '';
    const [, name] = /^\{(\w+)\+?\}$/.exec(segment) ?? [];
    if (name ? value === '' : value !== segment) return undefined;
    if (name) parameters[name] = value;
  }
  return { route, pathParameters: Object.keys(parameters).length > 0 ? parameters : null };
};

/** `/a/b` and `/a/b/` have the segments a and b; `/a//b` has an empty segment between them. */
const segmentsOf = (path: string): string[] => path.replace(/^\//, '').replace(/\/$/, '').split('/');
const parametersIn = ({ path }: Route): number => path.split('{').length;

const bodyBytesLimit = 10 * 1024 * 1024;

/** Reads a body that is too large to its end without keeping it, so that the caller reads the answer. */
const readBody = async (request: IncomingMessage): Promise<Buffer | 'too large' | 'broken off'> => {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of request) {
      size += part.length;
      if (size <= bodyBytesLimit) parts.push(part);
    }
  } catch {
    return 'broken off';
  }
  return size > bodyBytesLimit ? 'too large' : Buffer.concat(parts);
};

/** API Gateway's limit for the request line and the values of all headers together. */
const headBytesLimit = 10_240;

/** Names and values alternate, and Node reads them as one character a byte. */
const isHeadTooLarge = ({ method, url, rawHeaders }: IncomingMessage): boolean =>
  rawHeaders
    .filter((_, index) => index % 2 === 1)
    .reduce((size, value) => size + value.length, `${method} ${url} HTTP/1.1`.length) > headBytesLimit;

const refusals = {
  417: { type: 'request-refused', detail: 'The service meets no expectation but 100-continue.' },
  431: {
    type: 'headers-too-large',
    detail: 'The address and the headers are larger than 10,240 bytes together.',
  },
};

/** An own answer to a bad request, with the status and values of a refusal that AWS does not let a stack declare (ERR-5). */
const refusalAs = (status: 417 | 431, { headers, body }: Answer): Answer => {
  const { type, detail } = refusals[status];
  const title = STATUS_CODES[status] ?? '';
  const facts: Record<string, unknown> = { title, status, detail, name: title };
  Object.assign(facts, { message: detail, error_description: detail });
  const shown = Object.entries(JSON.parse(body.toString()) as Record<string, unknown>).map(([name, value]) =>
    name === 'type' ? [name, String(value).replace(/#.*/, `#${type}`)] : [name, facts[name] ?? value],
  );
  const isProblem = shown.some(([name]) => name === 'type');
  const members = Object.fromEntries(isProblem ? [...shown, ['status', status]] : shown);
  return { status, headers, body: Buffer.from(JSON.stringify(members)) };
};

/**
 * Node omits the body of an answer to HEAD and keeps its length. A function makes no body for HEAD, so the length that GET would
 * have is unknown and omitted (RFC 9110 section 8.6).
 */
const write = (response: ServerResponse, { status, headers, body }: Answer) => {
  response.setHeader('Date', new Date().toUTCString());
  for (const [name, values] of headers)
    response.setHeader(name, values.length === 1 ? (values[0] ?? '') : values);
  const hasBody = status !== 204 && status !== 304;
  const isLengthKnown = response.req.method !== 'HEAD' || body.length > 0;
  if (hasBody && isLengthKnown) response.setHeader('Content-Length', body.length);
  if (!hasBody) response.removeHeader('Content-Type');
  response.writeHead(status);
  response.end(hasBody ? body : undefined);
};
