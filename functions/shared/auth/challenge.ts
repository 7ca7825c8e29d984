/** Why a protected call is refused, in the words of RFC 6750 section 3.1; `no-token` gives no error code. */
export type BearerRefusal =
  | { status: 401; reason: 'no-token' }
  | { status: 401; reason: 'invalid-token' }
  | { status: 400; reason: 'invalid-request' }
  | { status: 403; reason: 'insufficient-scope'; scope: string };

const realm = 'Bearer realm="api"';

/** The value of `WWW-Authenticate` (ERR-2). */
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
