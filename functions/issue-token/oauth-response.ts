import { formRefusals, type OAuthError, oauthError } from '../shared/http/oauth-error.ts';
import type { ProblemName, ProblemWriter } from '../shared/http/problem.ts';
import type { HttpResponse, ResponseHeaders } from '../shared/http/response.ts';

/**
 * Refusals of the token service by RFC 6749 section 5.2. The texts are constant and within its alphabet, so no response
 * tells one client from another or repeats what a client sent (O-16).
 */
const refusals = {
  'invalid-client': [401, 'invalid_client', 'Client authentication failed.'],
  'two-authentications': [400, 'invalid_request', 'Authenticate one client in one way only.'],
  ...formRefusals,
  'too-large': [413, 'invalid_request', 'The body is larger than 8192 bytes.'],
  'unsupported-grant-type': [
    400,
    'unsupported_grant_type',
    'The only grant type of this service is client_credentials.',
  ],
  'unauthorized-client': [400, 'unauthorized_client', 'This client may not use this grant type.'],
  'invalid-scope': [400, 'invalid_scope', 'The scope is malformed, unknown or not allowed for this client.'],
  guessing: [
    429,
    'temporarily_unavailable',
    'Too many wrong secrets. Try again after the time in Retry-After.',
  ],
  'no-self-service': [
    400,
    'unauthorized_client',
    'This client may not replace its secret: it lacks the OAuth scope nop2/webhook.',
  ],
  'replaced-secret': [400, 'unauthorized_client', 'This secret was replaced: authenticate with the new one.'],
  'not-basic': [400, 'invalid_request', 'Authenticate by HTTP Basic at this address.'],
  'invalid-overlap': [400, 'invalid_request', 'The parameter overlap_hours is a whole number from 1 to 168.'],
  'malformed-key': [
    400,
    'invalid_request',
    'Idempotency-Key must be one value of 1 to 255 printable ASCII characters without spaces.',
  ],
  'key-of-another-body': [400, 'invalid_request', 'The Idempotency-Key was used with another body.'],
  'changed-meanwhile': [
    409,
    'invalid_request',
    'The secrets of this client were changed at the same moment. This request changed nothing. Send it again.',
  ],
  'too-many-changes': [
    429,
    'temporarily_unavailable',
    'Too many changes. Try again after the time in Retry-After.',
  ],
  'no-token': [400, 'invalid_request', 'The parameter token is missing.'],
  'not-your-token': [400, 'invalid_request', 'The token was issued to another client.'],
  'not-found': [404, 'invalid_request', 'There is nothing at this address.'],
  'method-not-allowed': [405, 'invalid_request', 'The Allow header names the methods of this address.'],
  fault: [500, 'server_error', 'An internal error occurred. Quote the Request-Id when you report it.'],
  unavailable: [503, 'temporarily_unavailable', 'Try again after the time in Retry-After.'],
} as const satisfies Record<string, OAuthError>;

export type OAuthRefusal = keyof typeof refusals;

export const oauthRefusal = (reason: OAuthRefusal, headers: ResponseHeaders = {}): HttpResponse => {
  const refusal = refusals[reason];
  const challenge = refusal[0] === 401 ? { 'WWW-Authenticate': 'Basic realm="token"' } : {};
  return oauthError(refusal, { ...challenge, ...headers });
};

/** Problems of the shared middleware as OAuth errors (O-54). */
export const writeOAuthProblem: ProblemWriter = ({ problem, headers }) =>
  oauthRefusal(refusalFor[problem] ?? 'fault', headers);

const refusalFor: Partial<Record<ProblemName, OAuthRefusal>> = {
  'malformed-idempotency-key': 'malformed-key',
  'idempotency-key-reused': 'key-of-another-body',
  'too-many-requests': 'too-many-changes',
  'method-not-allowed': 'method-not-allowed',
  'not-found': 'not-found',
  unavailable: 'unavailable',
};
