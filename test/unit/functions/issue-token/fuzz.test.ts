import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  basic,
  createTokenService,
  formHeaders,
  grantBody,
  partner,
  secret,
} from '../../../support/apis/token-service.ts';
import { valid } from '../../../support/builders/presented-token.ts';
import { propertyRun } from '../../../support/builders/property-run.ts';

const { ask } = createTokenService();
const { clientId } = partner;
const formType = 'application/x-www-form-urlencoded';
const right = basic(clientId, secret);
const own = String((await ask()).json().access_token);

const word = fc.constantFrom(
  ...['grant_type', 'scope', 'client_id', 'client_secret', 'client_credentials', 'nop2%2Fread', 'nop2/write'],
  ...['=', '&', '+', '%', '%00', '%ff', '%C3%A9', ' ', '\u0000', '\ud800', '__proto__', clientId],
);
const text = (maxLength: number) => fc.array(word, { maxLength }).map((words) => words.join(''));
const garbage = {
  body: fc.oneof(text(12), fc.string(), fc.constant(null), fc.constant(grantBody)),
  authorization: fc.array(
    fc.oneof(
      fc.tuple(fc.string(), fc.string()).map(([id, password]) => basic(id, password)),
      fc.constantFrom(right, right, basic(clientId, ''), 'Basic', 'Bearer x', ''),
      fc.string(),
    ),
    { maxLength: 2 },
  ),
  type: fc.oneof({ weight: 4, arbitrary: fc.constant(formType) }, { weight: 1, arbitrary: fc.string() }),
};

test('ERR-4: no request makes the token service fail, and only the right secret gets a token', async () => {
  let granted = 0;
  await fc.assert(
    fc.asyncProperty(fc.record(garbage), fc.boolean(), async ({ type, ...asked }, isBase64Encoded) => {
      const headers = { 'content-type': type, authorization: asked.authorization };
      const { status } = await ask({ headers, body: asked.body, isBase64Encoded });
      granted += Number(status === 200);

      expect([200, 400, 401, 413]).toContain(status);
      expect(status !== 200 || asked.authorization[0] === right || asked.body?.includes(secret)).toBe(true);
    }),
    {
      ...propertyRun('token requests', 500, 5_000),
      examples: [[{ body: grantBody, authorization: [right], type: formType }, false]],
    },
  );

  expect(granted).toBeGreaterThan(0);
}, 60_000);

test.each(['/oauth2/introspect', '/oauth2/revoke'])(
  'ERR-4 I-02 V-02: no token and no form makes %s fail, and only the client’s own token is active',
  async (path) => {
    const token = fc.oneof(
      ...[text(4), fc.string()],
      fc.constantFrom(own, encodeURIComponent(own), valid, own.slice(1), `${own}.${own}`),
    );
    await fc.assert(
      fc.asyncProperty(token, fc.record(garbage), async (presented, { body, authorization: others }) => {
        const authorization = others.length === 0 ? right : others;
        const form = `token=${presented}${body === null ? '' : `&${body}`}`;
        const answer = await ask({ path, headers: { ...formHeaders, authorization }, body: form });

        expect([200, 400, 401, 413, 429]).toContain(answer.status);
        expect(!answer.body.startsWith('{"active":true') || presented.includes('eyJ')).toBe(true);
      }),
      propertyRun(`requests to ${path}`, 300, 3_000),
    );
  },
  60_000,
);
