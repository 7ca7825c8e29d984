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

/** A request for a token by its parts. The form is a list, so that a parameter can stand twice. */
type Asking = {
  authorizations: string[];
  form: [name: string, value: string][];
  contentType: string;
  request: AskedFor;
};
type Change = (asking: Asking) => Asking;

const drop = (asking: Asking, name: string): Asking => ({
  ...asking,
  form: asking.form.filter(([other]) => other !== name),
});
const add = (asking: Asking, ...parameters: Asking['form']): Asking => ({
  ...asking,
  form: [...asking.form, ...parameters],
});
const put = (asking: Asking, name: string, value: string) => add(drop(asking, name), [name, value]);
/** With these headers in place of a secret in the body. */
const present = (asking: Asking, ...authorizations: string[]): Asking => ({
  ...drop(asking, 'client_secret'),
  authorizations,
});
const presentInBody = (asking: Asking, id: string, password: string) =>
  put(put(present(asking), 'client_id', id), 'client_secret', password);

const byBasic: Asking = {
  authorizations: [right],
  form: [['grant_type', 'client_credentials']],
  contentType: formType,
  request: {},
};
const byBody = presentInBody(byBasic, clientId, secret);

/** All letters and digits as escapes, which decode to the same. */
const escaped = (plain: string) => plain.replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`);
const inBasic = (id: string, password: string) =>
  basic(encodeURIComponent(id.toWellFormed()), encodeURIComponent(password.toWellFormed()));

/** Each value makes one change. */
const changeBy = <Value>(values: fc.Arbitrary<Value>, change: (asking: Asking, value: Value) => Asking) =>
  values.map(
    (value): Change =>
      (asking) =>
        change(asking, value),
  );
const anyOf = fc.constantFrom;

/** What RFC 6749 lets a client do, and what changes nothing. */
const harmless = fc.oneof(
  changeBy(anyOf('', 'nop2/read', 'nop2/write nop2/read', 'nop2/read nop2/read'), (asking, scope) =>
    put(asking, 'scope', scope),
  ),
  changeBy(fc.string({ minLength: 1, maxLength: 8 }), (asking, value) => put(asking, 'resource', value)),
  changeBy(
    anyOf(`${formType};charset=UTF-8`, `${formType} ;`, formType.toUpperCase()),
    (asking, contentType) => ({
      ...asking,
      contentType,
    }),
  ),
  changeBy(fc.boolean(), (asking, isBase64Encoded) => ({
    ...asking,
    request: { ...asking.request, isBase64Encoded },
  })),
  changeBy(anyOf('bAsIc', 'BASIC'), (asking, scheme) => ({
    ...asking,
    authorizations: asking.authorizations.map((one) => one.replace(/^\w+/, scheme)),
  })),
  changeBy(anyOf(basic(escaped(clientId), escaped(secret))), (asking, authorization) =>
    asking.authorizations.length === 0 ? asking : present(asking, authorization),
  ),
  changeBy(anyOf(clientId), (asking, id) => put(asking, 'client_id', id)),
);

/** What is near the right secret and is another. */
const wrongSecret = fc
  .oneof(
    fc.string({ maxLength: 80 }),
    fc.nat(63).map((length) => secret.slice(0, length)),
    fc.nat(63).map((at) => `${secret.slice(0, at)}${secret[at] === 'x' ? 'y' : 'x'}${secret.slice(at + 1)}`),
    anyOf(secret.toLowerCase(), `${secret}0`, ` ${secret}`, `${secret}\u0000`, `${secret}${secret}`),
  )
  .filter((other) => other !== secret);
const otherClient = fc.oneof(
  anyOf(disabled.clientId, 'nobody', clientId.toLowerCase(), `${clientId} `, '__proto__'),
  fc.string({ minLength: 1, maxLength: 40 }).filter((id) => !/^(Partner|Reader)/.test(id)),
);
const otherGrant = fc.oneof(
  anyOf('', 'password', 'refresh_token', 'CLIENT_CREDENTIALS', 'client_credentials ', 'urn:x', '__proto__'),
  fc.string(),
);
const otherScope = fc.oneof(
  anyOf('nope/x', 'NOP2/READ', 'nop2/read  nop2/write', ' nop2/read', 'nop2/read ', 'nop2/read\tx'),
  anyOf('nop2/read\n', '"nop2/read"', 'nop2\\read', 'nop2/read\u0000', 'nop2/réad', 'constructor'),
  fc.string({ minLength: 1 }).filter((scope) => !/^(nop2\/(read|write))( nop2\/(read|write))*$/.test(scope)),
);
const otherType = anyOf('', 'application/json', 'text/plain', 'multipart/form-data', `${formType}x`);
const query = { client_id: clientId, client_secret: secret };

/** Each with one of them gets no token, whatever else it has. */
const flaws: Record<string, fc.Arbitrary<Change>> = {
  'wrong secret': changeBy(wrongSecret, (asking, one) => present(asking, inBasic(clientId, one))),
  'wrong secret in the body': changeBy(wrongSecret, (asking, one) => presentInBody(asking, clientId, one)),
  'other client': changeBy(otherClient, (asking, id) => present(asking, inBasic(id, secret))),
  'other client in the body': changeBy(otherClient, (asking, id) => put(asking, 'client_id', id)),
  'no Basic': changeBy(anyOf('Basic', 'Basic !!!!', 'Basic Zm9v', `Bearer ${own}`, 'Digest x', ''), present),
  'two headers': changeBy(anyOf(right, basic('nobody', 'x'), `Bearer ${own}`), (asking, other) =>
    present(asking, right, other),
  ),
  'two ways': changeBy(anyOf(secret), (asking, one) => ({
    ...put(asking, 'client_secret', one),
    authorizations: [right],
  })),
  'credentials in the address': changeBy(anyOf(query), (asking, credentials) => ({
    ...drop(present(asking), 'client_id'),
    request: { ...asking.request, query: credentials },
  })),
  'no grant': changeBy(anyOf('grant_type'), drop),
  'other grant': changeBy(otherGrant, (asking, grant) => put(asking, 'grant_type', grant)),
  'other scope': changeBy(otherScope, (asking, scope) => put(asking, 'scope', scope)),
  'repeated parameter': changeBy(anyOf('grant_type', 'scope', 'client_id', 'foo'), (asking, name) =>
    add(asking, [name, 'nop2/read'], [name, 'nop2/read']),
  ),
  'other content type': changeBy(otherType, (asking, contentType) => ({ ...asking, contentType })),
  'large body': changeBy(anyOf('a'.repeat(8200)), (asking, value) => add(asking, ['x', value])),
  'other method': changeBy(anyOf('GET', 'PUT', 'DELETE', 'PATCH', 'HEAD'), (asking, method) => ({
    ...asking,
    request: { ...asking.request, method, headers: { 'x-http-method-override': 'POST' } },
  })),
};

let sent = 0;
/** From a network of its own, so that none has to wait for the wrong secrets of the others (O-55). */
const send = ({ authorizations, form, contentType, request }: Asking) => {
  sent += 1;
  const pairs = form.map((pair) => pair.map((one) => encodeURIComponent(one.toWellFormed())).join('='));
  const body = pairs.join('&');
  return ask({
    ...request,
    headers: { ...request.headers, 'content-type': contentType, authorization: authorizations },
    body: request.isBase64Encoded ? Buffer.from(body).toString('base64') : body,
    sourceIp: `198.${18 + (sent >> 16)}.${(sent >> 8) & 255}.${sent & 255}`,
  });
};

/** RFC 6749 section 5.2; HEAD has no body. */
const errors = ['invalid_request', 'invalid_client', 'invalid_scope', 'unsupported_grant_type'];

test('O-52 O-53 O-54 ERR-4 a request with a fault gets no token, whatever else it has, and one without a fault gets one', async () => {
  const seen = new Set<string>();
  const flaw = fc
    .constantFrom(...Object.entries(flaws))
    .chain(([name, changes]) => changes.map((change) => ({ name, change })));
  await fc.assert(
    fc.asyncProperty(
      anyOf(byBasic, byBody),
      fc.array(harmless, { maxLength: 3 }),
      fc.array(flaw, { maxLength: 3 }),
      async (start, noise, wrong) => {
        const changes = [...noise, ...wrong.map(({ change }) => change)];
        const answer = await send(changes.reduce((asking, change) => change(asking), start));

        const isRight = wrong.length === 0;
        for (const { name } of wrong) seen.add(name);
        if (isRight) seen.add('none');
        expect(isRight ? [200] : [400, 401, 405, 413]).toContain(answer.status);
        expect(answer.headers['request-id']).toBe('request-1');
        expect(answer.headers['content-type']).toMatch(/^application\/json(;|$)/);
        expect(answer.headers['cache-control']).toBe('no-store');
        expect(answer.body.includes('access_token')).toBe(isRight);
        expect(answer.body).not.toContain(secret);
        if (!isRight && answer.body !== '') expect(errors).toContain(answer.json().error);
      },
    ),
    propertyRun('token requests by their parts', 1_000, 14_000),
  );

  expect([...seen].sort()).toEqual([...Object.keys(flaws), 'none'].sort());
}, 120_000);
