import type { OAuthScope } from '../domain/partner.ts';
import type { TokenRefusal } from './signed-token.ts';

/** Why a presented token is not taken: for the log, never for the caller. */
export type InvalidTokenCause = TokenRefusal | 'not-a-token' | 'unknown-partner' | 'disabled-partner';

/** Why a protected call is refused (RFC 6750 section 3.1, ERR-2). */
export type BearerRefusal =
  | { status: 401; reason: 'no-token' }
  | { status: 401; reason: 'invalid-token'; cause: InvalidTokenCause }
  | { status: 400; reason: 'invalid-request' }
  | { status: 403; reason: 'insufficient-scope'; scope: OAuthScope };

const realm = 'Bearer realm="api"';

/** The value of `WWW-Authenticate`; a call without a token is told of no error. */
export const challengeFor = (refusal: BearerRefusal): string => {
  switch (refusal.reason) {
    case 'no-token':
      return realm;
    case 'invalid-token':
      return `${realm}, error="invalid_token"`;
    case 'invalid-request':
      return `${realm}, error="invalid_request"`;
    case 'insufficient-scope':
      return `${realm}, error="insufficient_scope", scope="${refusal.scope}"`;
    default:
      return refusal satisfies never;
  }
};
