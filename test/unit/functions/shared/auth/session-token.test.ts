import { describe, expect, test } from '@jest/globals';
import { SignJWT } from 'jose';
import { generateKey } from '../../../../../functions/rotate-keys/key-material.ts';
import { createSessionTokens } from '../../../../../functions/shared/auth/session-token.ts';
import { isToBeReissued } from '../../../../../functions/shared/domain/session.ts';
import { decoded, now } from '../../../../support/apis/token-service.ts';
import { heldKeys } from '../../../../support/builders/key-rings.ts';
import { respelled } from '../../../../support/builders/respelled-token.ts';

const keys = [await generateKey('ES256'), await generateKey('ES256')];
const baseUrl = 'https://api.example';
const dayMs = 24 * 60 * 60 * 1000;

const at = (ms: number, { held = keys, base = baseUrl } = {}) =>
  createSessionTokens({
    keys: heldKeys(held),
    baseUrl: base,
    clock: () => new Date(now.getTime() + ms),
  });

const zeroed = async () => {
  const [header, payload] = (await at(0).issue('session-1')).split('.');
  return `${header}.${payload}.${Buffer.alloc(64).toString('base64url')}`;
};

/** A token as this service signs it, with claims of its own. */
const signed = async (claims: Record<string, unknown>) => {
  const { kid, alg, jwk } = await heldKeys(keys).active();
  const exp = now.getTime() / 1000 + 30 * 86_400;
  return new SignJWT({ iss: baseUrl, aud: `${baseUrl}/api`, sub: 'session-1', exp, ...claims })
    .setProtectedHeader({ alg, kid, typ: 'session+jwt' })
    .sign(jwk);
};

describe('V1-5: a session token', () => {
  test('R-31 is verified as the session it was issued for, for 30 days and no longer', async () => {
    const token = await at(0).issue('session-1');
    const expiresAt = new Date(now.getTime() + 30 * dayMs);
    const session = { id: 'session-1', beganAt: now, issuedAt: now, expiresAt };

    expect(await at(0).verify(token)).toEqual({ ok: true, value: session });
    expect(await at(30 * dayMs - 1).verify(token)).toEqual({ ok: true, value: session });
    expect(await at(30 * dayMs).verify(token)).toEqual({ ok: false, reason: 'expired' });
  });

  test('signed with another key is accepted as long as the key ring has that key', async () => {
    const token = await at(0).issue('session-1');

    expect((await at(0, { held: keys.toReversed() }).verify(token)).ok).toBe(true);
    expect(await at(0, { held: keys.slice(1) }).verify(token)).toEqual({ ok: false, reason: 'unknown-key' });
  });

  test('V1-5 of a session that began 75 days ago ends 90 days after that beginning', async () => {
    const token = await at(75 * dayMs).issue('session-1', now);
    const session = {
      ...{ id: 'session-1', beganAt: now, issuedAt: new Date(now.getTime() + 75 * dayMs) },
      expiresAt: new Date(now.getTime() + 90 * dayMs),
    };

    expect(decoded(token).claims.auth_time).toBe(now.getTime() / 1000);
    expect(await at(90 * dayMs - 1).verify(token)).toEqual({ ok: true, value: session });
    expect(await at(90 * dayMs).verify(token)).toEqual({ ok: false, reason: 'expired' });
  });

  test('V1-9 tells to the millisecond when its session began, also after a renewal', async () => {
    const began = new Date('2026-11-21T12:00:00.123Z');
    const tokens = at(20 * dayMs);
    const token = await tokens.issue('session-1', began);
    const verified = await tokens.verify(token);
    const renewed = await tokens.issue('session-1', verified.ok ? verified.value.beganAt : undefined);

    for (const one of [token, renewed]) {
      expect(decoded(one).claims).toMatchObject({ auth_time: 1_795_262_400.123, iat: 1_796_990_400 });
      expect(await tokens.verify(one)).toMatchObject({ ok: true, value: { beganAt: began } });
    }
  });

  test.each(['2026-11-21', '2038-06-01'])(
    'V1-9 of %s loses no millisecond to floating point',
    async (day) => {
      for (let ms = 0; ms < 1_000; ms += 7) {
        const beganAt = new Date(`${day}T12:00:00.${String(ms).padStart(3, '0')}Z`);
        const tokens = at(beganAt.getTime() - now.getTime());

        expect(await tokens.verify(await tokens.issue('session-1'))).toMatchObject({
          ok: true,
          value: { beganAt },
        });
      }
    },
  );

  test('V1-5 V1-9 of a session that began within a second ends with a whole second, and is then not renewed', async () => {
    const token = await at(75 * dayMs).issue('session-1', new Date(now.getTime() + 999));
    const verified = await at(75 * dayMs).verify(token);

    expect(verified).toMatchObject({ ok: true, value: { expiresAt: new Date(now.getTime() + 90 * dayMs) } });
    expect(verified.ok && isToBeReissued(verified.value, new Date(now.getTime() + 89 * dayMs))).toBe(false);
  });

  test('V1-5 without auth_time began when it was issued', async () => {
    const token = await signed({ iat: now.getTime() / 1000 });
    expect(await at(0).verify(token)).toMatchObject({ ok: true, value: { beganAt: now, issuedAt: now } });
  });

  test('V1-5 whose claims exceed 90 days has expired', async () => {
    const token = await signed({ iat: now.getTime() / 1000, exp: now.getTime() / 1000 + 400 * 86_400 });
    expect((await at(90 * dayMs - 1).verify(token)).ok).toBe(true);
    expect(await at(90 * dayMs).verify(token)).toEqual({ ok: false, reason: 'expired' });
  });

  test('TOK-4 that is spelt in another way is refused', async () => {
    for (const [change, text] of respelled(await at(0).issue('session-1')))
      expect([change, await at(0).verify(text)]).toEqual([change, { ok: false, reason: 'malformed' }]);
  });

  test.each(['1', null, []])('V1-5 whose auth_time is %j is refused', async (auth_time) => {
    const token = await signed({ iat: now.getTime() / 1000, auth_time });
    expect(await at(0).verify(token)).toEqual({ ok: false, reason: 'wrong-claims' });
  });

  test.each([
    [
      'R-46 of another environment',
      () => at(0, { base: 'https://staging.example' }).issue('s1'),
      'wrong-issuer',
    ],
    ['S-24 without a session', () => at(0).issue(''), 'wrong-claims'],
    [
      'S-31 with a signature of zeros, which some verifiers accepted (CVE 2022-21449),',
      zeroed,
      'bad-signature',
    ],
  ])('%s is refused', async (_, issue, reason) => {
    expect(await at(0).verify(await issue())).toEqual({ ok: false, reason });
  });
});
