import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { cpuMsOf } from '../../../../support/builders/cpu-time.ts';
import { encoded, rs256 } from '../../../../support/builders/forged-token.ts';
import {
  accepted,
  claims,
  expectRefused,
  header,
  key,
  signed,
  valid,
  validClaims,
  validHeader,
  validSignature,
} from '../../../../support/builders/presented-token.ts';

describe('spelling', () => {
  test.each([
    ['padding', `${valid}==`],
    ['padding in the header', valid.replace('.', '=.')],
    ['a space in the signature', `${valid.slice(0, -9)} ${valid.slice(-9)}`],
    [
      'a space in the payload',
      `${validHeader}.${validClaims.slice(0, 9)} ${validClaims.slice(9)}.${validSignature}`,
    ],
    ['a new line', `${valid.slice(0, -9)}\n${valid.slice(-9)}`],
    [
      'standard base64',
      `${validHeader}.${validClaims}.${Buffer.from(validSignature, 'base64url').toString('base64')}`,
    ],
    ['a trailing dot', `${valid}.`],
    ['a leading dot', `.${valid}`],
    ['a tilde at the end', `${valid}~`],
  ])('R-32, TH-11: %s makes it another token', async (_, token) => {
    await expectRefused(token);
  });

  test('R-32: padding bits in the signature make it another token', async () => {
    // 256 bytes are 342 characters and 4 unused bits: the last character has 15 twins that decode to the same bytes.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = alphabet.indexOf(valid.slice(-1));
    const twin = `${valid.slice(0, -1)}${alphabet[last + 1]}`;

    expect(Buffer.from(twin.split('.')[2] ?? '', 'base64url')).toEqual(
      Buffer.from(validSignature, 'base64url'),
    );
    await expectRefused(twin);
  });

  test('R-33: JSON serialisations are refused', async () => {
    const flattened = { protected: validHeader, payload: validClaims, signature: validSignature };
    const general = {
      payload: validClaims,
      signatures: [{ protected: validHeader, signature: validSignature }],
    };
    for (const token of [flattened, general, { ...flattened, payload: 'a.b.c' }].map((one) =>
      JSON.stringify(one),
    )) {
      await expectRefused(token);
      await expectRefused(encoded(token));
    }
  });

  test('R-34: encrypted, nested and compressed tokens are refused without decompression', async () => {
    const bomb = deflateRawSync(Buffer.alloc(1_000_000)).toString('base64url');
    const tokens = [
      'eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ.AAAA.AAAA.AAAA.AAAA',
      rs256({ ...header, cty: 'JWT' }, valid, key),
      rs256({ ...header, zip: 'DEF' }, Buffer.from(bomb, 'base64url').toString('latin1'), key),
    ];

    const cpuMs = await cpuMsOf(async () => {
      for (const token of tokens) await expectRefused(token);
    });

    expect(cpuMs).toBeLessThan(500);
  });

  test('R-35: a duplicate name is refused, in the header and in the claims', async () => {
    const twice = (value: unknown, more: string) => JSON.stringify(value).replace('{', `{${more},`);
    await expectRefused(rs256(twice(header, '"alg":"none"'), claims, key));
    await expectRefused(rs256(twice(header, '"\\u0061lg":"none"'), claims, key));
    await expectRefused(rs256(header, twice(claims, '"sub":"x"'), key));
    await expectRefused(rs256(header, twice(claims, '"x":{"a":[{"b":1}],"a":2}'), key));
    expect(await accepted(rs256(header, twice(claims, '"x":{"a":1,"b":{"a":"}{,\\"a\\":"}}'), key))).toBe(
      200,
    );
  });

  test('R-35: bytes that are not UTF-8 are refused', async () => {
    const payload = Buffer.from(JSON.stringify({ ...claims, x: '?' }).replace('?', '\u00ff'), 'latin1');
    await expectRefused(rs256(header, payload, key));
  });

  test.each([9_000, 100_000])('R-36: %i bytes are refused with little work', async (size) => {
    const large = signed({}, { padding: 'x'.repeat(size) });

    expect(await cpuMsOf(() => expectRefused(large))).toBeLessThan(500);
  });
});
