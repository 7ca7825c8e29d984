import type { Outcome } from '../domain/outcome.ts';
import { refuse, succeed } from '../domain/outcome.ts';

type Values = Readonly<Record<string, readonly string[] | undefined>> | null;

/** The parts of a request that may carry credentials, as the gateway's proxy event has them. */
export type CredentialParts = { multiValueHeaders: Values; multiValueQueryStringParameters: Values };

/** Every value of a header, its name in any letter case. */
export const headerValues = (headers: Values, name: string): string[] =>
  Object.entries(headers ?? {})
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, values]) => values ?? []);

/**
 * The token of RFC 6750 section 2.1. One in the query is never used: alone it counts as none; beside a header,
 * or with two headers, the request is refused.
 */
export const readBearerToken = (
  request: CredentialParts,
): Outcome<string, 'no-token' | 'invalid-token' | 'invalid-request'> => {
  const [header, ...more] = headerValues(request.multiValueHeaders, 'authorization');
  if (more.length > 0) return refuse('invalid-request');
  const [, token] = /^bearer(?: +(.*))?$/i.exec(header?.trim() ?? '') ?? ['', null];
  if (token === null) return refuse('no-token');
  if (request.multiValueQueryStringParameters?.access_token) return refuse('invalid-request');
  return token && isToken68.test(token) ? succeed(token) : refuse('invalid-token');
};

/** `b64token` of RFC 6750: neither a second token nor a trailing comma fits. */
const isToken68 = /^[A-Za-z0-9._~+/-]+=*$/;
