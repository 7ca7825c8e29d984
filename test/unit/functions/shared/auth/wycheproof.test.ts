import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import type { JWK } from 'jose';
import { createAccessTokenVerifier } from '../../../../../functions/shared/auth/access-token.ts';
import { verifyCompactJws } from '../../../../../functions/shared/auth/compact-jws.ts';
import type { FindKey } from '../../../../../functions/shared/auth/verification-key.ts';
import type { PublicJwk } from '../../../../../functions/shared/domain/keys/key-ring.ts';
import { audience, authUrl, now } from '../../../../support/apis/token-service.ts';
import { root } from '../../../../support/repository.ts';

type Vector = { tcId: number; jws: unknown; result: 'valid' | 'invalid' | 'acceptable' };
type Group = { public?: JWK; private?: JWK; tests: Vector[] };

const folder = join(root, '../shared/data/wycheproof');
const file = join(folder, 'json_web_signature_test.json');
const isThere = existsSync(file);
const absence =
  `${file} is absent: lay testvectors_v1/json_web_signature_test.json of github.com/C2SP/wycheproof there, ` +
  'in ../shared/data/wycheproof beside the clone';

const vectors = () => {
  if (!isThere) throw new Error(absence);
  const { testGroups } = JSON.parse(readFileSync(file, 'utf8')) as { testGroups: Group[] };
  return testGroups.flatMap((group) =>
    group.tests.map((vector) => ({ vector, jwk: group.public ?? group.private })),
  );
};

/** Through the verifier of every token; a key that this service would not even load refuses its tokens. */
const isAccepted = async (jws: unknown, findKey: FindKey) => {
  try {
    return (await verifyCompactJws(String(jws), findKey)).ok;
  } catch {
    return false;
  }
};

const keyOf = (jwk: JWK | undefined) => {
  if (!jwk) return undefined;
  if (!jwk.kid || !jwk.alg) throw new Error('The ring holds no such key');
  return { alg: jwk.alg, jwk: jwk as PublicJwk };
};

const judgeAll = (findKeyOf: (jwk: JWK | undefined) => FindKey) =>
  Promise.all(
    vectors().map(async ({ vector: { tcId, jws, result }, jwk }) => ({
      tcId,
      result,
      accepted: await isAccepted(jws, findKeyOf(jwk)),
    })),
  );
const rs256Only = (jwk: JWK | undefined) => async () => (jwk?.alg === 'RS256' ? keyOf(jwk) : undefined);

/** Without the vectors the suite is skipped by name; where they are required, it fails. */
const isSkipped = !isThere && process.env.WYCHEPROOF !== 'required';

(isSkipped ? describe.skip : describe)(`Wycheproof signatures${isSkipped ? ` (${absence})` : ''}`, () => {
  test('R-45, S-30: with each vector’s own key every invalid one is refused, but two that are mislabelled', async () => {
    const verdicts = await judgeAll((jwk) => async () => keyOf(jwk));

    expect(verdicts).toHaveLength(401);
    const idsOf = (result: string, accepted: boolean) =>
      verdicts.filter((one) => one.result === result && one.accepted === accepted).map(({ tcId }) => tcId);
    // Byte-identical to the valid 357.
    expect(idsOf('invalid', true)).toEqual([367, 370]);
    // PS384 and ES512 under another JWK `alg`; junk characters that others skip.
    expect(idsOf('valid', false)).toEqual([346, 347, 350, 351, 372, 373]);
  });

  test('R-45, S-30: with RS256 keys only, as in production, eight are accepted, all of them valid', async () => {
    const accepted = (await judgeAll(rs256Only)).filter((verdict) => verdict.accepted);

    expect(accepted.map(({ result }) => result)).toEqual(Array(8).fill('valid'));
  });

  test('S-29: no vector is an access token, not even a valid one', async () => {
    const accepted = await Promise.all(
      vectors().map(async ({ vector, jwk }) => {
        const deps = { findKey: rs256Only(jwk), issuer: authUrl, audience, clock: () => now };
        return (await createAccessTokenVerifier(deps)(String(vector.jws))).ok;
      }),
    );

    expect(accepted.filter(Boolean)).toEqual([]);
  });
});
