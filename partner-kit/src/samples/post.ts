import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';

/** One request to a receiver. */
type Shot = {
  url: string;
  method?: string;
  headers: Record<string, string>;
  body?: string | Buffer;
  /** Announces more bytes than it sends, so that the request never ends. It is aborted after twice the limit. */
  isUnfinished?: boolean;
  /** Sends the body in two chunks, without its length (RFC 9112, 7.1). */
  isChunked?: boolean;
  /** Called when the sent part of an unfinished request has left. */
  onBegun?: () => void;
  /** Aborts it early. */
  signal?: AbortSignal;
};

/** The answer, and its time. A connection may end without an answer. */
export type Answer =
  | { status: number; location?: string; tookMs: number }
  | { status: 0; failure: string; tookMs: number };

/** Time as a sender sees it. */
export type Stopwatch = { nowMs: () => number; limitMs: number };

/** Sends once. A redirect counts as an answer, and silence ends at the limit, as in the service. */
export type Post = (shot: Shot) => Promise<Answer>;

export const createPost =
  ({ nowMs, limitMs }: Stopwatch): Post =>
  (shot) =>
    new Promise((resolve) => {
      const startedMs = nowMs();
      const tookMs = () => nowMs() - startedMs;
      const request = open(shot);
      // An unfinished request outlasts every complete one that is sent meanwhile.
      const timer = setTimeout(() => end({ failure: 'silence' }), shot.isUnfinished ? 2 * limitMs : limitMs);
      const end = (answer: { status: number; location?: string } | { failure: string }) => {
        clearTimeout(timer);
        request.destroy();
        resolve(
          'failure' in answer ? { status: 0, ...answer, tookMs: tookMs() } : { ...answer, tookMs: tookMs() },
        );
      };
      request.on('response', (response) => {
        response.on('error', () => {});
        response.resume();
        end(answerIn(response));
      });
      request.on('error', (error: NodeJS.ErrnoException) => end({ failure: error.code ?? error.name }));
      shot.signal?.addEventListener('abort', () => end({ failure: 'abandoned' }));
      write(request, shot);
    });

const open = (shot: Shot): ClientRequest => {
  const { url, method = 'POST', headers } = shot;
  const request = url.startsWith('https:') ? requestSecure : requestPlain;
  // No agent: each message has a connection of its own, as from the service.
  return request(url, {
    ...{ method, agent: false },
    headers: { ...headers, ...(method === 'POST' && framingOf(shot)) },
  });
};

const framingOf = ({ body = '', isUnfinished = false, isChunked = false }: Shot) =>
  isChunked
    ? { 'Transfer-Encoding': 'chunked' }
    : { 'Content-Length': Buffer.byteLength(body) + (isUnfinished ? 1 : 0) };

const write = (request: ClientRequest, { body = '', isUnfinished, isChunked, onBegun }: Shot) => {
  if (isUnfinished) return request.write(body, onBegun);
  if (!isChunked) return request.end(body);
  const bytes = Buffer.from(body);
  const half = Math.ceil(bytes.length / 2);
  request.write(bytes.subarray(0, half));
  return request.end(bytes.subarray(half));
};

const answerIn = ({ statusCode = 0, headers }: IncomingMessage) => ({
  status: statusCode,
  ...(headers.location !== undefined && { location: headers.location }),
});
