import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Whether a request follows a link to the console, the only request of another page that it allows (RUN-11). */
export const isLinkToConsole = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' && url === '/' && headers['sec-fetch-dest'] === 'document';

/** Whether the request has the token of the console's page, which every action needs (RUN-11). */
export const hasToken = ({ headers }: IncomingMessage, token: string): boolean =>
  isSame(String(headers['x-console-token'] ?? ''), token);

/** Compares in constant time; hashes have equal lengths. */
const isSame = (presented: string, known: string): boolean =>
  timingSafeEqual(sha256(presented), sha256(known));

const sha256 = (text: string) => createHash('sha256').update(text).digest();

/** Headers that limit the console's page to its own files and its own server. */
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
