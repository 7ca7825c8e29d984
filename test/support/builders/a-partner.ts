import type { Partner } from '../../../functions/shared/domain/partner.ts';

/** An enabled partner that sees `group-a`. */
export const aPartner = (changes: Partial<Partner> = {}): Partner => ({
  clientId: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  name: 'Acme',
  enabled: true,
  oauthScopes: ['nop2/read', 'nop2/write'],
  grants: [{ group: 'group-a' }],
  showsPaymentTokens: false,
  createdAtMs: 1_700_000_000_000,
  ...changes,
});
