import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export type GuardedRequest = { method: string; path: string; headers: IncomingHttpHeaders };
export type ConsoleRefusal = 'another host' | 'another page' | 'no token';
type Gate = { port: number; token: string };

/**
 * Why a request is not the console's own (RUN-11). Any page that a developer has open may send requests to this machine: the host
 * stops one whose name was led here (DNS rebinding), what browsers say of a request's origin stops the others, and what changes
 * something needs the token that only the console's page holds.
 */
export const refusalOf = (request: GuardedRequest, gate: Gate): ConsoleRefusal | undefined => {
  const { headers, method } = request;
  if (!isOwnHost(headers.host, gate)) return 'another host';
  if (isOfAnotherPage(request)) return 'another page';
  if (method === 'GET' || method === 'HEAD') return undefined;
  if (headers.origin !== `http://${headers.host}`) return 'another page';
  return isSame(String(headers['x-console-token'] ?? ''), gate.token) ? undefined : 'no token';
};

const isOwnHost = (host: string | undefined, { port }: Gate): boolean =>
  host === `127.0.0.1:${port}` || host === `localhost:${port}`;

/** A link that leads to the console is followed; everything else is asked for by its page alone. */
const isOfAnotherPage = ({ headers, path }: GuardedRequest): boolean => {
  const site = headers['sec-fetch-site'] ?? 'none';
  if (site === 'same-origin' || site === 'none') return false;
  return !(path === '/' && headers['sec-fetch-dest'] === 'document');
};

/** Hashes have one length, so the time taken tells nothing of how much of a guess was right. */
const isSame = (presented: string, known: string): boolean =>
  timingSafeEqual(sha256(presented), sha256(known));

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** What a page of the console may do: load its own files and ask its own server, and nothing else. */
export const guardHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};
