import { createHmac, createPublicKey, type JsonWebKey } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { accessKeys } from '../../../../support/apis/token-service.ts';
import { encoded, rs256 } from '../../../../support/builders/forged-token.ts';
import {
  bearing,
  claims,
  header,
  key,
  nowSeconds,
  publicKey,
  valid,
  validSignature,
} from '../../../../support/builders/presented-token.ts';
import { propertyRun } from '../../../../support/builders/property-run.ts';

test('TOK-4: no token with one changed character is accepted', async () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ \n';
  const statuses = new Map<number, number>();
  for (let place = 0; place < valid.length; place += 1) {
    for (const letter of [
      alphabet[(place * 7) % alphabet.length],
      alphabet[(place * 11 + 5) % alphabet.length],
      '',
    ]) {
      const changed = `${valid.slice(0, place)}${letter}${valid.slice(place + 1)}`;
      if (changed === valid) continue;
      const { status } = await bearing(changed);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  process.stdout.write(`changed tokens: ${statuses.get(401)} of ${3 * valid.length} refused\n`);

  expect([...statuses.keys()]).toEqual([401]);
}, 60_000);

type Members = Record<string, unknown>;
/** A token by its parts. Unchanged parts are right, so only the change can refuse it. */
type Draft = {
  header: Members;
  claims: Members;
  /** JSON in the place of the members, for what an object cannot say. */
  text: { header?: string; claims?: string };
  sign: (draft: Draft) => string;
  spell: (token: string) => string;
};
type Change = (draft: Draft) => Draft;
type Flaw = [name: string, change: Change];

const rightHere = (draft: Draft) => rs256(...partsOf(draft), key);
const partsOf = ({ text, ...draft }: Draft): [header: unknown, claims: unknown] => [
  text.header ?? draft.header,
  text.claims ?? draft.claims,
];
const right: Draft = { header, claims, text: {}, sign: rightHere, spell: (token) => token };

const inHeader =
  (members: Members): Change =>
  (draft) => ({ ...draft, header: { ...draft.header, ...members } });
const inClaims =
  (members: Members): Change =>
  (draft) => ({ ...draft, claims: { ...draft.claims, ...members } });
const signing =
  (sign: Draft['sign']): Change =>
  (draft) => ({ ...draft, sign });
const spelling =
  (spell: Draft['spell']): Change =>
  (draft) => ({ ...draft, spell: (token) => spell(draft.spell(token)) });

/** JSON that is not what `isRight` says. */
const anythingBut = (isRight: (value: unknown) => boolean) =>
  fc
    .oneof(
      fc.constantFrom<unknown>(null, true, 0, -1, '', ' ', [], {}, [[]], 1e21, '__proto__'),
      fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
    )
    .filter((value) => !isRight(value));

/** Claims that RFC 9068 allows and the service ignores. */
const harmless: fc.Arbitrary<Change> = fc.oneof(
  fc.constantFrom('at+jwt', 'AT+JWT', 'application/at+jwt').map((typ) => inHeader({ typ })),
  fc
    .constantFrom<unknown>(claims.aud, [claims.aud], ['https://other.example', claims.aud])
    .map((aud) => inClaims({ aud })),
  fc.jsonValue({ maxDepth: 2 }).map((value) => inHeader({ x5t: value, cty: value })),
  fc.jsonValue({ maxDepth: 2 }).map((value) => inClaims({ roles: value, permissions: value })),
  fc.integer({ min: 1, max: 59 }).map((seconds) => inClaims({ exp: nowSeconds - seconds })),
  fc.integer({ min: -3600, max: 59 }).map((seconds) => inClaims({ nbf: nowSeconds + seconds })),
  fc.constantFrom('nop2/read', 'nop2/write nop2/read', 'nop2/read other').map((scope) => inClaims({ scope })),
);

const otherKey = accessKeys[1] as typeof key;
const withOtherKey: Change = signing((draft) => rs256(...partsOf(draft), otherKey));

const ofHeader: fc.Arbitrary<Flaw> = fc.oneof(
  fc
    .oneof(
      fc.constantFrom('none', 'None', 'nOnE', 'HS256', 'RS512', 'PS256', 'ES256', 'EdDSA', 'rs256', 'RS256 '),
      anythingBut((alg) => alg === 'RS256'),
    )
    .map((alg): Flaw => ['alg', inHeader({ alg })]),
  fc
    .oneof(
      fc.string(),
      fc.constantFrom('../../dev/null', "' OR 1=1--", 'a'.repeat(6000)),
      anythingBut(() => false),
    )
    .filter((kid) => kid !== header.kid)
    .map((kid): Flaw => ['kid', inHeader({ kid })]),
  fc
    .oneof(
      fc.constantFrom('JWT', 'id+jwt', 'session+jwt', 'at+jwt ', 'text/at+jwt', undefined),
      anythingBut(() => false),
    )
    .map((typ): Flaw => ['typ', inHeader({ typ })]),
  fc
    .constantFrom({ crit: ['x'] }, { crit: [] }, { b64: false, crit: ['b64'] }, { b64: true }, { crit: null })
    .map((members): Flaw => ['extension', inHeader(members)]),
  fc
    .constantFrom<Members>(
      { jwk: otherKey },
      { jku: 'http://127.0.0.1:9/jwks' },
      { x5u: 'http://127.0.0.1:9/' },
    )
    .map((members): Flaw => ['key of its own', (draft) => withOtherKey(inHeader(members)(draft))]),
  fc.constantFrom('alg', 'kid', 'typ', 'x').map((name): Flaw => ['name twice', twice('header', name)]),
);

const twice =
  (part: 'header' | 'claims', name: string): Change =>
  (draft) => {
    const member = `${JSON.stringify(name)}:${JSON.stringify(draft[part][name] ?? 1)}`;
    const rest = JSON.stringify({ ...draft[part], [name]: draft[part][name] ?? 1 }).slice(1);
    return { ...draft, text: { ...draft.text, [part]: `{${member},${rest}` } };
  };

const required = ['iss', 'aud', 'sub', 'client_id', 'iat', 'exp', 'jti'] as const;
const isText = (value: unknown) => typeof value === 'string';
const ofClaims: fc.Arbitrary<Flaw> = fc.oneof(
  fc.constantFrom(...required).map((name): Flaw => ['missing claim', inClaims({ [name]: undefined })]),
  fc.constantFrom('iss', 'aud', 'sub', 'client_id').chain((name) =>
    anythingBut((value) => value === claims[name as 'iss'])
      .filter((value) => name !== 'aud' || !JSON.stringify(value).includes(claims.aud))
      .map((value): Flaw => [name, inClaims({ [name]: value })]),
  ),
  fc
    .constantFrom('https://AUTH.example', `${claims.iss}/`, ` ${claims.iss}`, claims.aud)
    .map((iss): Flaw => ['iss', inClaims({ iss })]),
  fc
    .constantFrom<unknown>(`${claims.aud}/`, 'https://api.example', [`${claims.aud}x`], [claims.aud, 1], {
      a: claims.aud,
    })
    .map((aud): Flaw => ['aud', inClaims({ aud })]),
  fc
    .constantFrom('exp', 'iat', 'nbf', 'scope')
    .chain((name) =>
      anythingBut((value) => (name === 'scope' ? isText(value) : Number.isFinite(value))).map(
        (value): Flaw => [`${name} of another type`, inClaims({ [name]: value })],
      ),
    ),
  fc
    .integer({ min: 60, max: 10 ** 9 })
    .map((seconds): Flaw => ['expired', inClaims({ exp: nowSeconds - seconds })]),
  fc
    .tuple(fc.constantFrom('iat', 'nbf'), fc.integer({ min: 61, max: 10 ** 9 }))
    .map(([name, seconds]): Flaw => ['future', inClaims({ [name]: nowSeconds + seconds })]),
  anythingBut((jti) => isText(jti) && String(jti).split('.')[0] === 's1').map(
    (jti): Flaw => ['jti', inClaims({ jti })],
  ),
  fc.string().map((name): Flaw => ['nobody', inClaims({ sub: `${name}x`, client_id: `${name}x` })]),
  fc.constantFrom('exp', 'aud', 'x').map((name): Flaw => ['name twice', twice('claims', name)]),
);

const publicPem = createPublicKey({ key: publicKey as JsonWebKey, format: 'jwk' })
  .export({ type: 'spki', format: 'pem' })
  .toString();
const hmac = (secret: string) =>
  signing((draft) => {
    const [head, payload] = partsOf({ ...draft, header: { ...draft.header, alg: 'HS256' } });
    const signed = `${encoded(head)}.${encoded(payload)}`;
    return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
  });
const resigned = (change: (signature: Buffer) => Buffer) =>
  signing((draft) => {
    const [head, payload, signature = ''] = rightHere(draft).split('.');
    return `${head}.${payload}.${change(Buffer.from(signature, 'base64url')).toString('base64url')}`;
  });

const ofSignature: fc.Arbitrary<Flaw> = fc.oneof(
  fc.constant<Flaw>(['other key', withOtherKey]),
  fc
    .constantFrom(publicPem, JSON.stringify(publicKey), String(publicKey.n), '')
    .map((secret): Flaw => ['hmac', hmac(secret)]),
  fc.nat(8 * 256 - 1).map(
    (bit): Flaw => [
      'bit',
      resigned((bytes) => {
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        return bytes;
      }),
    ],
  ),
  fc.nat(255).map((length): Flaw => ['shorter', resigned((bytes) => bytes.subarray(0, length))]),
  fc
    .uint8Array({ minLength: 1, maxLength: 300 })
    .map((more): Flaw => ['longer', resigned((bytes) => Buffer.concat([bytes, more]))]),
  fc
    .uint8Array({ minLength: 256, maxLength: 256 })
    .map((bytes): Flaw => ['random', resigned(() => Buffer.from(bytes))]),
  fc.constant<Flaw>(['zeros', resigned((bytes) => Buffer.alloc(bytes.length))]),
  fc.string().map(
    (more): Flaw => [
      'of another token',
      (draft) => ({
        ...inClaims({ more })(draft),
        sign: (changed) =>
          `${rs256(...partsOf(changed), key)
            .split('.')
            .slice(0, 2)
            .join('.')}.${validSignature}`,
      }),
    ],
  ),
);

/** The same bytes in other letters, and other forms of a signed text. */
const ofSpelling: fc.Arbitrary<Flaw> = fc.oneof(
  fc.tuple(fc.nat(), fc.constantFrom('=', ' ', '\n', '.', '\t', '\u0000', '%', '==')).map(
    ([at, letter]): Flaw => [
      'put in',
      spelling((token) => {
        const place = 1 + (at % (token.length - 1));
        return `${token.slice(0, place)}${letter}${token.slice(place)}`;
      }),
    ],
  ),
  fc
    .constantFrom('=', '==', '.', '.e30', '..')
    .map((end): Flaw => ['put behind', spelling((token) => `${token}${end}`)]),
  fc.integer({ min: 1, max: 15 }).map((bits): Flaw => ['stray bits', spelling(strayBits(bits))]),
  fc.constant<Flaw>(['parts in another order', spelling((token) => token.split('.').toReversed().join('.'))]),
  fc
    .constantFrom(1, 2)
    .map((count): Flaw => ['parts missing', spelling((token) => token.split('.').slice(0, count).join('.'))]),
  fc.constant<Flaw>([
    'JSON form',
    spelling((token) => {
      const [head, payload, signature] = token.split('.');
      return JSON.stringify({ protected: head, payload, signature });
    }),
  ]),
  fc.constant<Flaw>(['within another', spelling((token) => rs256({ ...header, cty: 'JWT' }, token, key))]),
  fc.constant<Flaw>(['too long', (draft) => inClaims({ more: 'x'.repeat(7000) })(draft)]),
);

/** The last letter of 256 bytes has four bits too many, which a lenient decoder drops. */
const strayBits = (bits: number) => (token: string) => {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return `${token.slice(0, -1)}${letters[letters.indexOf(token.at(-1) ?? '') ^ bits] ?? ' x'}`;
};

const drafts = fc.record({
  noise: fc.array(harmless, { maxLength: 2 }),
  flaws: fc.oneof(
    { weight: 1, arbitrary: fc.constant<Flaw[]>([]) },
    {
      weight: 9,
      arbitrary: fc.uniqueArray(fc.oneof(ofHeader, ofClaims, ofSignature, ofSpelling), {
        minLength: 1,
        maxLength: 2,
        // Two of a kind may undo each other.
        selector: ([name]) => name,
      }),
    },
  ),
});

test('S-29 S-31 ERR-4 a token with a fault is refused, whatever else is right, and one without is accepted', async () => {
  const seen = new Map<string, number>();
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  await fc.assert(
    fc.asyncProperty(drafts, async ({ noise, flaws }) => {
      const all = [...noise, ...flaws.map(([, change]) => change)];
      const draft = all.reduce((changed, change) => change(changed), right);

      const { status } = await bearing(draft.spell(draft.sign(draft)));

      count(`${flaws.length === 0 ? 'without' : 'with'} a flaw ${status}`);
      for (const [name] of flaws) count(name);
      expect(status).toBe(flaws.length === 0 ? 200 : 401);
    }),
    propertyRun('tokens by their parts', 1_000, 12_000),
  );
  process.stdout.write(`tokens by their parts: ${JSON.stringify(Object.fromEntries(seen))}\n`);

  expect(seen.get('without a flaw 200') ?? 0).toBeGreaterThan(0);
}, 300_000);
