import { Resolver } from 'node:dns/promises';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type Outcome, refuse, succeed } from '../../domain/outcome.ts';
import { isLoopbackAddress, isPublicAddress } from './public-address.ts';

/** One POST. */
export type PostRequest = { url: string; headers: Record<string, string>; body: string };
/** The parts of the answer that may be known. */
export type PostAnswer = { status: number; retryAfter?: string };
/** Why there is no answer. */
export type PostFailure =
  | 'timed out'
  | 'name not found'
  | 'address not allowed'
  | 'answer too large'
  | 'too many interim answers'
  /** The code of the system: ECONNREFUSED, CERT_HAS_EXPIRED, HPE_HEADER_OVERFLOW. */
  | `no connection: ${string}`;

/** Posts once. Returns the status, and nothing else of the answer. The signal aborts it. */
export type PinnedPost = (
  request: PostRequest,
  signal?: AbortSignal,
) => Promise<Outcome<PostAnswer, PostFailure>>;

/** Allowed addresses, and time limits. */
export type PostPolicy = {
  resolve?: (name: string) => Promise<string[]>;
  isAllowed?: (address: string, protocol: string) => boolean;
  timeoutMs?: number;
  /** Certificates to trust instead of the public ones. */
  ca?: string;
};

/** Time for everything, name look-up included (API destinations: 5 s). */
const usualTimeoutMs = 5_000;
/** More than any answer to a webhook needs (S-51). */
const mostAnswerBytes = 64 * 1024;
const mostInterimAnswers = 16;

/**
 * Sends requests to addresses that partners chose (S-48): the name is looked up once, all its addresses are checked, and the
 * socket connects to one of them only. Redirects are not followed.
 */
export const createPinnedPost = ({
  resolve = resolveName,
  isAllowed = publicOnly,
  timeoutMs = usualTimeoutMs,
  ca,
}: PostPolicy = {}): PinnedPost => {
  const exchange = async (request: PostRequest, signal: AbortSignal) => {
    const url = new URL(request.url);
    const addresses = await resolve(url.hostname.replaceAll(/^\[|\]$/g, '')).catch(() => []);
    if (addresses.length === 0) return refuse('name not found');
    if (!addresses.every((one) => isAllowed(one, url.protocol))) return refuse('address not allowed');
    return send(request, { url, addresses, signal, ca });
  };

  return async (request, signal) => {
    const ended = new AbortController();
    const end = () => ended.abort();
    const timer = setTimeout(end, timeoutMs);
    signal?.addEventListener('abort', end);
    if (signal?.aborted) end();
    try {
      const outcome = await Promise.race([cutShort(ended.signal), exchange(request, ended.signal)]);
      // After an answer nothing runs any more, and ending would cost an error.
      if (!outcome.ok) end();
      return outcome;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
  };
};

/** The default: https to the public internet. */
export const publicOnly = (address: string, protocol: string): boolean =>
  protocol === 'https:' && isPublicAddress(address);

/** The local stage's: also plain http to this machine. */
export const publicOrLoopback = (address: string, protocol: string): boolean =>
  protocol === 'http:' ? isLoopbackAddress(address) : publicOnly(address, protocol);

/** Not getaddrinfo: its four threads are shared, so one partner's dead name server would delay the others (S-52). */
const resolveName = async (name: string): Promise<string[]> => {
  if (isIP(name) !== 0) return [name];
  if (name === 'localhost') return ['127.0.0.1', '::1'];
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  const found = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
};

const cutShort = (signal: AbortSignal) =>
  new Promise<Outcome<never, 'timed out'>>((resolve) => {
    if (signal.aborted) resolve(refuse('timed out'));
    signal.addEventListener('abort', () => resolve(refuse('timed out')));
  });

type Pin = { url: URL; addresses: string[]; signal: AbortSignal; ca: string | undefined };

const send = ({ headers, body }: PostRequest, { url, addresses, signal, ca }: Pin) =>
  new Promise<Outcome<PostAnswer, PostFailure>>((resolve) => {
    const request = url.protocol === 'https:' ? requestSecure : requestPlain;
    const outgoing = request(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      lookup: pinned(addresses),
      signal,
      // No agent: no reused socket, and no proxy that looks the name up again.
      agent: false,
      // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED cannot disable it.
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
      ...(ca !== undefined && { ca }),
    });
    let interim = 0;
    outgoing.on('information', () => {
      interim += 1;
      if (interim > mostInterimAnswers) resolve(refuse('too many interim answers'));
    });
    outgoing.on('upgrade', (_answer, socket) => {
      socket.destroy();
      resolve(succeed({ status: 101 }));
    });
    outgoing.on('response', (response) => resolve(readAnswer(response).finally(() => outgoing.destroy())));
    outgoing.on('error', (error) => resolve(refuse(noConnection(error))));
    outgoing.end(body);
  });

/** Node calls this instead of looking the name up. */
const pinned =
  (addresses: string[]): LookupFunction =>
  (_name, { all }, answer) => {
    const list = addresses.map((address) => ({ address, family: isIP(address) }));
    if (all) answer(null, list);
    else answer(null, list[0]?.address ?? '', list[0]?.family);
  };

/** Counts the body without unpacking it, and drops it. */
const readAnswer = (response: IncomingMessage) =>
  new Promise<Outcome<PostAnswer, PostFailure>>((resolve) => {
    const retryAfter = response.headers['retry-after'];
    let bytes = 0;
    response.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > mostAnswerBytes) resolve(refuse('answer too large'));
    });
    response.on('end', () =>
      resolve(succeed({ status: response.statusCode ?? 0, ...(retryAfter !== undefined && { retryAfter }) })),
    );
    response.on('error', (error) => resolve(refuse(noConnection(error))));
  });

const noConnection = (error: NodeJS.ErrnoException) => `no connection: ${error.code ?? error.name}` as const;
