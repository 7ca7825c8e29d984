import { expect, test } from '@jest/globals';
import type { PartnerProfile } from '../../../../../functions/shared/domain/partner.ts';
import { mayBeRevoked, whyEnded } from '../../../../../functions/shared/domain/token-standing.ts';

const revokedAtMs = Date.UTC(2026, 10, 24, 12);

test.each([
  ['before it', -1, true],
  ['a minute after it, by a clock that is a minute ahead', 60, true],
  ['later', 61, false],
])('R-42 R-31 the denylist is read for a token that was issued %s', (_, seconds, isAsked) => {
  const token = { jti: 's.t', iat: revokedAtMs / 1000 + seconds };

  expect(mayBeRevoked(token, { revokedAtMs } as PartnerProfile)).toBe(isAsked);
});

test('R-42 the denylist is not read while the partner has revoked nothing', () => {
  expect(mayBeRevoked({ jti: 's.t', iat: revokedAtMs / 1000 }, {} as PartnerProfile)).toBe(false);
});

test.each([
  [-1, 'revoked-token'],
  [0, undefined],
])('R-42 a token that was issued %i s after the time from which tokens count: %s', (seconds, why) => {
  const partner = { secrets: [{ id: 's' }], tokensFromMs: revokedAtMs } as PartnerProfile;
  const token = { jti: 's.t', iat: revokedAtMs / 1000 + seconds };

  expect(whyEnded(token, partner, revokedAtMs)).toBe(why);
});
