import type { Outcome } from '../domain/outcome.ts';
import { refuse, succeed } from '../domain/outcome.ts';
import { type HttpEvent, headerValues } from '../http/request.ts';

/** The parts of a request that may carry credentials. */
export type CredentialParts = Pick<HttpEvent, 'multiValueHeaders' | 'multiValueQueryStringParameters'>;

/** Why a request has no token. `other-scheme` means other credentials, or `Bearer` without a token. */
export type TokenAbsence = 'no-token' | 'other-scheme' | 'not-a-token' | 'two-tokens';

/**
 * Reads the token by RFC 6750 section 2.1. A token in the query is never used: alone it counts as none; beside a
 * header, or with two headers, the request is refused.
 */
export const readBearerToken = (request: CredentialParts): Outcome<string, TokenAbsence> => {
  const [header, ...more] = headerValues(request, 'Authorization');
  if (more.length > 0) return refuse('two-tokens');
  const [, credentials] = /^[ \t]*bearer +([^ \t].*)$/is.exec(header ?? '') ?? [];
  if (credentials === undefined) return refuse(header === undefined ? 'no-token' : 'other-scheme');
  if (request.multiValueQueryStringParameters?.access_token) return refuse('two-tokens');
  const [, token] = b64token.exec(credentials) ?? [];
  return token === undefined ? refuse('not-a-token') : succeed(token);
};

/** Address of the metadata that names the token service (RFC 9728 section 5.1), beside the API's own address. */
export const resourceMetadataOf = (audience: string) =>
  audience.replace(/\/api\/v2$/, '/.well-known/oauth-protected-resource$&');

/**
 * The grammar of RFC 6750. It excludes a second token and a trailing comma. Blanks and tabs after it are no part
 * of the header's value (RFC 9110 section 5.5), and nothing else counts as space.
 */
const b64token = /^([A-Za-z0-9._~+/-]+=*)[ \t]*$/;
