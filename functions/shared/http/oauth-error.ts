import { type HttpResponse, json, type ResponseHeaders } from './response.ts';

/** RFC 6749 section 5.1: no cache stores tokens or refusals (O-03). */
export const notKept: ResponseHeaders = { 'Cache-Control': 'no-store', Pragma: 'no-cache' };

/** An error response of RFC 6749 section 5.2: status, `error`, and a constant `error_description` (O-53). */
export type OAuthError = readonly [status: number, error: string, description: string];

/** Refusals of a form that cannot be read or has no grant. The texts are the same at each address. */
export const formRefusals = {
  'wrong-content-type': [400, 'invalid_request', 'Send the body as application/x-www-form-urlencoded.'],
  'malformed-form': [
    400,
    'invalid_request',
    'The body is not a well-formed form, or names a parameter twice.',
  ],
  'no-grant-type': [400, 'invalid_request', 'The parameter grant_type is missing.'],
} as const satisfies Record<string, OAuthError>;

/** Writes an error response of RFC 6749 section 5.2. */
export const oauthError = (
  [status, error, error_description]: OAuthError,
  headers: ResponseHeaders = {},
): HttpResponse => json(status, { error, error_description }, { ...notKept, ...headers });
