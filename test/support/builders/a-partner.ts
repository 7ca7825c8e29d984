import type { AccessTokenClaims } from '../../../functions/shared/auth/access-token.ts';
import type { EndpointStatus } from '../../../functions/shared/domain/endpoint.ts';
import type { Partner, StoredSecret } from '../../../functions/shared/domain/partner.ts';

/** An enabled partner that sees `group-a`, and may all that a partner may. */
export const aPartner = (changes: Partial<Partner> = {}): Partner => ({
  clientId: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  name: 'Acme',
  enabled: true,
  oauthScopes: ['nop2/read', 'nop2/write', 'nop2/webhook'],
  grants: [{ group: 'group-a' }],
  showsPaymentTokens: false,
  createdAtMs: 1_700_000_000_000,
  ...changes,
});

/** The status of an endpoint that serves since ever. */
export const aServedEndpoint = (changes: Partial<EndpointStatus> = {}): EndpointStatus => ({
  state: 'on',
  sinceMs: 0,
  servedUrl: 'https://partner.example/hook',
  servesFromMs: 0,
  ...changes,
});

/** A client secret without an end, whose hash no text has. */
export const aSecret = (changes: Partial<StoredSecret> = {}): StoredSecret => ({
  id: 's1',
  madeBy: 'tester',
  hash: 'hash',
  pepperId: '0',
  createdAtMs: 0,
  ...changes,
});

/** What a valid token says that was issued under `aSecret`. */
export const claimsOf = (
  clientId: string,
  scopes: readonly string[] = ['nop2/read', 'nop2/write'],
): AccessTokenClaims => ({ clientId, scopes, jti: 's1.jti-1', iat: 1_772_366_400, exp: 1_772_370_000 });
