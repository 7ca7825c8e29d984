import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  basic,
  createTokenService,
  formHeaders,
  grantBody,
  partner,
  secret,
} from '../../../../support/apis/token-service.ts';
import { bearing, valid } from '../../../../support/builders/presented-token.ts';
import { propertyRun } from '../../../../support/builders/property-run.ts';

const { ask } = createTokenService();

const word = fc.constantFrom(
  ...['grant_type', 'scope', 'client_id', 'client_secret', 'client_credentials', 'nop2%2Fread', 'nop2/write'],
  ...['=', '&', '+', '%', '%00', '%ff', '%C3%A9', ' ', '\u0000', '\ud800', '__proto__', partner.clientId],
);
const body = fc.oneof(
  fc.array(word, { maxLength: 12 }).map((words) => words.join('')),
  fc.string(),
  fc.constant(null),
  fc.constant(grantBody),
);
const credentials = fc.oneof(
  fc.tuple(fc.string(), fc.string()).map(([id, password]) => basic(id, password)),
  fc.constant(basic(partner.clientId, secret)),
  fc.constantFrom(basic(partner.clientId, ''), 'Basic', 'Bearer x', ''),
  fc.string(),
);
const contentType = fc.oneof(
  { weight: 4, arbitrary: fc.constant('application/x-www-form-urlencoded') },
  { weight: 1, arbitrary: fc.string() },
);

test('ERR-4: no request makes the token service fail, and only the right secret gets a token', async () => {
  const run = propertyRun('token requests', 5_000);
  let granted = 0;
  await fc.assert(
    fc.asyncProperty(
      body,
      fc.array(credentials, { maxLength: 2 }),
      contentType,
      fc.boolean(),
      async (form, authorization, type, isBase64Encoded) => {
        const headers = { 'content-type': type, authorization };
        const { status } = await ask({ headers, body: form, isBase64Encoded });
        const knowsSecret = authorization[0] === formHeaders.authorization || form?.includes(secret);
        granted += Number(status === 200);

        expect([200, 400, 401, 413]).toContain(status);
        expect(status !== 200 || knowsSecret).toBe(true);
      },
    ),
    run,
  );
  process.stdout.write(`token requests: ${granted} granted\n`);

  expect(granted).toBeGreaterThan(0);
}, 60_000);

const own = String((await ask()).json().access_token);
const presented = fc.oneof(
  fc.array(word, { maxLength: 4 }).map((words) => words.join('')),
  fc.string(),
  fc.constantFrom(own, encodeURIComponent(own), valid, own.slice(1), `${own}.${own}`),
);

test.each(['/oauth2/introspect', '/oauth2/revoke'])(
  'ERR-4 I-02 V-02: no token and no form makes %s fail, and only an own token is active',
  async (path) => {
    const run = propertyRun(`requests to ${path}`, 3_000);
    let active = 0;
    await fc.assert(
      fc.asyncProperty(
        presented,
        body,
        fc.array(credentials, { maxLength: 2 }),
        async (token, more, others) => {
          const form = `token=${token}${more === null ? '' : `&${more}`}`;
          const authorization = others.length === 0 ? formHeaders.authorization : others;
          const answer = await ask({ path, headers: { ...formHeaders, authorization }, body: form });
          const isActive = answer.body.startsWith('{"active":true');
          active += Number(isActive);

          expect([200, 400, 401, 413, 429]).toContain(answer.status);
          expect(!isActive || token.includes('eyJ')).toBe(true);
        },
      ),
      run,
    );
    process.stdout.write(`${path}: ${active} active\n`);
  },
  60_000,
);

test('TOK-4: no change of a single character of a token is accepted', async () => {
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
