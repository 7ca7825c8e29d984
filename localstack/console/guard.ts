import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** A link on another page that leads to the console is followed (RUN-11); what its page loads and asks is for that page alone. */
export const isLinkToConsole = ({ method, url, headers }: IncomingMessage): boolean =>
  method === 'GET' && url === '/' && headers['sec-fetch-dest'] === 'document';

/** Whether who asks holds the token of the console's page; what changes something needs it (RUN-11). */
export const hasToken = ({ headers }: IncomingMessage, token: string): boolean =>
  isSame(String(headers['x-console-token'] ?? ''), token);

/** Hashes have one length, so the time taken says nothing of how much of a guess was right. */
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
