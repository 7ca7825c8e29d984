import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  type AskedFor,
  basic,
  createTokenService,
  disabled,
  formHeaders,
  grantBody,
  partner,
  reader,
  secret,
} from '../../../support/apis/token-service.ts';
import { valid } from '../../../support/builders/presented-token.ts';
import { propertyRun } from '../../../support/builders/property-run.ts';

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
  const run = propertyRun('token requests', 500, 5_000);
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
    {
      ...run,
      examples: [[grantBody, [basic(partner.clientId, secret)], 'application/x-www-form-urlencoded', false]],
    },
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
  'ERR-4 I-02 V-02: no token and no form makes %s fail, and only the client’s own token is active',
  async (path) => {
    const run = propertyRun(`requests to ${path}`, 300, 3_000);
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

/** A request for a token by its parts; the form is a list, so that a parameter can stand twice. */
type Asking = {
  authorizations: string[];
  form: [name: string, value: string][];
  contentType: string;
  request: AskedFor;
};
type Change = (asking: Asking) => Asking;

const withForm =
  (name: string, value: string): Change =>
  (asking) => ({ ...asking, form: [...asking.form.filter(([other]) => other !== name), [name, value]] });
const without =
  (name: string): Change =>
  (asking) => ({ ...asking, form: asking.form.filter(([other]) => other !== name) });
const adding =
  (name: string, value: string): Change =>
  (asking) => ({ ...asking, form: [...asking.form, [name, value]] });
const withAuthorizations =
  (...authorizations: string[]): Change =>
  (asking) =>
    without('client_secret')({ ...asking, authorizations });
const withType =
  (type: string): Change =>
  (asking) => ({ ...asking, contentType: type });
const withRequest =
  (request: AskedFor): Change =>
  (asking) => ({ ...asking, request: { ...asking.request, ...request } });

const rightByBasic: Asking = {
  authorizations: [basic(partner.clientId, secret)],
  form: [['grant_type', 'client_credentials']],
  contentType: 'application/x-www-form-urlencoded',
  request: {},
};
const rightByBody: Asking = {
  ...rightByBasic,
  authorizations: [],
  form: [...rightByBasic.form, ['client_id', partner.clientId], ['client_secret', secret]],
};

/** All letters and digits as escapes, which decode to the same. */
const escaped = (text: string) => text.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`);

/** What RFC 6749 lets a client do, and what changes nothing. */
const harmless: fc.Arbitrary<Change> = fc.oneof(
  fc
    .constantFrom('', 'nop2/read', 'nop2/write nop2/read', 'nop2/read nop2/read')
    .map((scope) => withForm('scope', scope)),
  fc.string({ minLength: 1, maxLength: 8 }).map((value) => withForm('resource', value)),
  fc
    .constantFrom(';charset=UTF-8', '; x=y', ' ;')
    .map((end) => withType(`application/x-www-form-urlencoded${end}`)),
  fc.constant(withType('Application/X-WWW-Form-URLencoded')),
  fc.boolean().map((isBase64Encoded) => withRequest({ isBase64Encoded })),
  fc.constantFrom('bAsIc', 'BASIC').map(
    (scheme): Change =>
      (asking) => ({
        ...asking,
        authorizations: asking.authorizations.map((text) => text.replace(/^\w+/, scheme)),
      }),
  ),
  fc.constant<Change>((asking) =>
    asking.authorizations.length === 0
      ? asking
      : { ...asking, authorizations: [basic(escaped(partner.clientId), escaped(secret))] },
  ),
  fc.constant(withForm('client_id', partner.clientId)),
);

/** What is near the right secret and is another. */
const wrongSecret = fc
  .oneof(
    fc.string({ maxLength: 80 }),
    fc.nat(63).map((length) => secret.slice(0, length)),
    fc.nat(63).map((at) => `${secret.slice(0, at)}${secret[at] === 'x' ? 'y' : 'x'}${secret.slice(at + 1)}`),
    fc.constantFrom(
      secret.toLowerCase(),
      `${secret}0`,
      ` ${secret}`,
      `${secret}\u0000`,
      `${secret}${secret}`,
    ),
  )
  .filter((text) => text !== secret);
const otherClient = fc.oneof(
  fc.constantFrom(
    disabled.clientId,
    'nobody',
    partner.clientId.toLowerCase(),
    `${partner.clientId} `,
    '__proto__',
  ),
  fc.string({ maxLength: 40 }).filter((id) => id !== partner.clientId && id !== reader.clientId),
);
const asText = (text: string) => basic(encodeURIComponent(text.toWellFormed()), secret);

/** Whose request this is cannot be known then. */
const clientFlaws: fc.Arbitrary<[flaw: string, Change]> = fc.oneof(
  wrongSecret.map((text): [string, Change] => [
    'wrong secret',
    withAuthorizations(basic(partner.clientId, encodeURIComponent(text.toWellFormed()))),
  ]),
  wrongSecret.map((text): [string, Change] => [
    'wrong secret in the body',
    (asking) =>
      withForm(
        'client_secret',
        text,
      )(withForm('client_id', partner.clientId)({ ...asking, authorizations: [] })),
  ]),
  otherClient.map((id): [string, Change] => ['other client', withAuthorizations(asText(id))]),
  otherClient.map((id): [string, Change] => [
    'other client in the body',
    withForm('client_id', id || 'none'),
  ]),
  fc
    .constantFrom('Basic', 'Basic !!!!', 'Basic Zm9v', `Bearer ${own}`, 'Digest x', '')
    .map((text): [string, Change] => ['no Basic', withAuthorizations(text)]),
  fc
    .constantFrom(basic(partner.clientId, secret), basic('nobody', 'x'), `Bearer ${own}`)
    .map((text): [string, Change] => [
      'two headers',
      withAuthorizations(basic(partner.clientId, secret), text),
    ]),
  fc.constant<[string, Change]>(['two ways', (asking) => ({ ...asking, ...twoWays(asking) })]),
  fc.constant<[string, Change]>([
    'credentials in the address',
    (asking) =>
      withRequest({ query: { client_id: partner.clientId, client_secret: secret } })(
        without('client_id')(withAuthorizations()(asking)),
      ),
  ]),
);

const twoWays = (asking: Asking): Partial<Asking> => ({
  authorizations: rightByBasic.authorizations,
  form: [...without('client_secret')(asking).form, ['client_secret', secret]],
});

/** What is asked cannot be granted then. */
const formFlaws: fc.Arbitrary<[flaw: string, Change]> = fc.oneof(
  fc
    .constantFrom(without('grant_type'), withForm('grant_type', ''))
    .map((change): [string, Change] => ['no grant', change]),
  fc
    .oneof(
      fc.constantFrom(
        'password',
        'refresh_token',
        'CLIENT_CREDENTIALS',
        'client_credentials ',
        'urn:x',
        '__proto__',
      ),
      fc.string({ minLength: 1 }),
    )
    .map((grant): [string, Change] => ['other grant', withForm('grant_type', grant)]),
  fc
    .oneof(
      fc.constantFrom(
        'nope/x',
        'NOP2/READ',
        'nop2/read  nop2/write',
        ' nop2/read',
        'nop2/read ',
        'nop2/read\tx',
      ),
      fc.constantFrom(
        'nop2/read\n',
        '"nop2/read"',
        'nop2\\read',
        'nop2/read\u0000',
        'nop2/réad',
        'constructor',
      ),
      fc
        .string({ minLength: 1 })
        .filter((text) => !/^(nop2\/(read|write))( nop2\/(read|write))*$/.test(text)),
    )
    .map((scope): [string, Change] => ['other scope', withForm('scope', scope)]),
  fc
    .constantFrom('grant_type', 'scope', 'client_id', 'foo')
    .map((name): [string, Change] => [
      'repeated parameter',
      (asking) => adding(name, 'nop2/read')(adding(name, 'nop2/read')(asking)),
    ]),
  fc
    .constantFrom(
      '',
      'application/json',
      'text/plain',
      'multipart/form-data',
      'application/x-www-form-urlencodedx',
    )
    .map((type): [string, Change] => ['other content type', withType(type)]),
  fc.constant<[string, Change]>(['large body', adding('x', 'a'.repeat(8200))]),
  fc
    .constantFrom('GET', 'PUT', 'DELETE', 'PATCH', 'HEAD')
    .map((method): [string, Change] => [
      'other method',
      withRequest({ method, headers: { 'x-http-method-override': 'POST' } }),
    ]),
);

const changes = fc.record({
  start: fc.constantFrom(rightByBasic, rightByBody),
  noise: fc.array(harmless, { maxLength: 3 }),
  flaws: fc.array(fc.oneof(clientFlaws, formFlaws), { minLength: 0, maxLength: 3 }),
});

let asked = 0;
/** From a network of its own, so that none has to wait for the wrong secrets of the others (O-55). */
const send = ({ authorizations, form, contentType: type, request }: Asking) => {
  asked += 1;
  const body = form
    .map((pair) => pair.map((text) => encodeURIComponent(text.toWellFormed())).join('='))
    .join('&');
  return ask({
    ...request,
    headers: { ...request.headers, 'content-type': type, authorization: authorizations },
    body: request.isBase64Encoded ? Buffer.from(body).toString('base64') : body,
    sourceIp: `198.${18 + (asked >> 16)}.${(asked >> 8) & 255}.${asked & 255}`,
  });
};

/** RFC 6749 section 5.2; HEAD has no body. */
const errors = ['invalid_request', 'invalid_client', 'invalid_scope', 'unsupported_grant_type'];

test('O-52 O-53 O-54 ERR-4 a request with a fault gets no token, whatever else it has, and one without a fault gets one', async () => {
  const seen = new Map<string, number>();
  const count = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
  await fc.assert(
    fc.asyncProperty(changes, async ({ start, noise, flaws }) => {
      const all = [...noise, ...flaws.map(([, change]) => change)];
      const answer = await send(all.reduce((asking, change) => change(asking), start));

      const isRight = flaws.length === 0;
      count(isRight ? `without a flaw ${answer.status}` : `with a flaw ${answer.status}`);
      for (const [flaw] of flaws) count(flaw);
      expect(isRight ? [200] : [400, 401, 405, 413]).toContain(answer.status);
      expect(answer.headers['request-id']).toBe('request-1');
      expect(answer.headers['content-type']).toMatch(/^application\/json(;|$)/);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.body.includes('access_token')).toBe(isRight);
      expect(answer.body).not.toContain(secret);
      if (!isRight && answer.body !== '') expect(errors).toContain(answer.json().error);
    }),
    propertyRun('token requests by their parts', 1_000, 14_000),
  );
  process.stdout.write(`token requests by their parts: ${JSON.stringify(Object.fromEntries(seen))}\n`);

  expect(seen.get('without a flaw 200') ?? 0).toBeGreaterThan(0);
}, 120_000);
