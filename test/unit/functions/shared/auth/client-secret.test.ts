import { describe, expect, test } from '@jest/globals';
import {
  hashSecret,
  makeClientId,
  makeClientSecret,
  makeWebhookSignature,
  presentedSecret,
  rotateSecrets,
  toStoredSecret,
} from '../../../../../functions/shared/auth/client-secret.ts';
import { onePepper } from '../../../../support/builders/key-rings.ts';

const peppers = onePepper('pepper');
const stored = (secret: string, id: string, createdAtMs: number) => ({
  ...toStoredSecret(secret, { id, madeBy: 'ada', peppers, nowMs: createdAtMs }),
});
const ids = (secrets: readonly { id: string }[]) => secrets.map(({ id }) => id);

describe('TOK-2: issued secrets', () => {
  test('EV-7 TH-03 ids have 26, secrets and webhook signatures 64 letters and digits', () => {
    const random = (size: number) => Buffer.alloc(size, 61);
    expect(makeClientId(random)).toMatch(/^[A-Za-z0-9]{26}$/);
    expect(makeClientSecret(random)).toMatch(/^nop2[A-Za-z0-9]{60}$/);
    expect(makeWebhookSignature(random)).toMatch(/^[A-Za-z0-9]{64}$/);
  });

  test('random bytes that would favour some letters are dropped', () => {
    const answers = [Buffer.alloc(64, 248), Buffer.alloc(64, 255), Buffer.alloc(64, 61)];
    expect(makeWebhookSignature(() => answers.shift() ?? new Uint8Array())).toBe('9'.repeat(64));
  });

  test('S-19 a client secret begins with nop2 and ends with six check digits, so that scanners find it', () => {
    expect(makeClientSecret(() => Buffer.alloc(54, 0))).toBe(`nop2${'A'.repeat(54)}gxtvq0`);
    expect(makeClientSecret(() => Buffer.alloc(54, 1))).toBe(`nop2${'B'.repeat(54)}30na3u`);
  });
});

describe('TOK-2: stored secrets', () => {
  test('S-18: HMAC-SHA-256 with the pepper, never the secret itself', () => {
    const record = stored('key', 'a', 5);
    // HMAC-SHA-256 of "key" keyed with "pepper", by OpenSSL.
    expect(record).toEqual({
      id: 'a',
      madeBy: 'ada',
      hash: 'I-Sdt3IVSKyKod_M56kx9XsEX7G3K_RMHu-p9gp7w_g',
      pepperId: '0',
      createdAtMs: 5,
    });
    expect(hashSecret('key', 'another pepper')).not.toBe(record.hash);
  });

  test('either of two secrets is found, active or not', () => {
    const secrets = [stored('new', 'b', 2), { ...stored('old', 'a', 1), expiresAtMs: 100 }];
    const idOf = (secret: string) => presentedSecret(secret, secrets, peppers)?.id;

    expect([idOf('new'), idOf('old')]).toEqual(['b', 'a']);
    expect([idOf(''), idOf('New'), idOf(secrets[0]?.hash ?? '')]).toEqual([undefined, undefined, undefined]);
    expect(presentedSecret('new', secrets, onePepper('another pepper'))).toBeUndefined();
    expect(presentedSecret('new', [], peppers)).toBeUndefined();
  });

  test('TOK-3 a secret with an older pepper is found, and one with a removed pepper is not', () => {
    const two = { newest: '1', texts: new Map([...peppers.texts, ['1', 'next pepper']]) };
    const old = stored('old', 'a', 1);
    const next = toStoredSecret('next', { id: 'b', madeBy: 'ada', peppers: two, nowMs: 2 });
    const nextAlone = { newest: '1', texts: new Map([['1', 'next pepper']]) };

    expect(next).toMatchObject({ pepperId: '1', hash: hashSecret('next', 'next pepper') });
    expect(presentedSecret('old', [next, old], two)?.id).toBe('a');
    expect(presentedSecret('next', [next, old], two)?.id).toBe('b');
    expect(presentedSecret('next', [{ ...next, pepperId: '0' }], two)).toBeUndefined();
    expect(presentedSecret('old', [old], nextAlone)).toBeUndefined();
  });

  test('a third secret never matches, whatever is stored', () => {
    const secrets = ['one', 'two', 'three'].map((secret) => stored(secret, secret, 1));
    const found = ['one', 'two', 'three'].map((secret) => presentedSecret(secret, secrets, peppers)?.id);

    expect(found).toEqual(['one', 'two', undefined]);
  });

  test('a damaged hash never matches', () => {
    const secrets = [{ ...stored('new', 'a', 1), hash: 'short' }];
    expect(presentedSecret('new', secrets, peppers)).toBeUndefined();
  });
});

describe('O-25: a rotation', () => {
  const at = { nowMs: 1000, overlapMs: 500 };
  const fresh = stored('fresh', 'c', 1000);

  test('keeps the newest active secret for the overlap', () => {
    const older = { ...stored('older', 'a', 1), expiresAtMs: 2000 };
    const newer = stored('newer', 'b', 2);
    expect(rotateSecrets([older, newer], fresh, at)).toEqual([fresh, { ...newer, expiresAtMs: 1500 }]);
  });

  test.each([
    [1200, 1200],
    [1800, 1500],
  ])(
    'a secret that ends at %i ms ends at %i ms, the earlier of its end and of the overlap',
    (until, expiresAtMs) => {
      const ending = { ...stored('ending', 'a', 1), expiresAtMs: until };
      expect(rotateSecrets([ending], fresh, at)).toEqual([fresh, { ...ending, expiresAtMs }]);
    },
  );

  test('drops ended secrets', () => {
    const ended = { ...stored('ended', 'a', 1), expiresAtMs: 1000 };
    expect(ids(rotateSecrets([ended], fresh, at))).toEqual(['c']);
  });

  test('S-20 without an overlap the old secret ends at once and stays stored', () => {
    const old = stored('old', 'b', 2);
    expect(rotateSecrets([old], fresh, { ...at, overlapMs: 0 })).toEqual([
      fresh,
      { ...old, expiresAtMs: 1000 },
    ]);
  });
});
