import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import {
  createClient,
  isTransactionsError,
  NotFoundError,
  ProblemError,
} from '../../../../partner-kit/src/index.ts';
import {
  aClient,
  aProblem,
  clientSecret,
  json,
  tokenAnswer,
} from '../../../support/partner-kit/fake-service.ts';

const refusalOf = async (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => {
      throw new Error('It was not refused.');
    },
    (error) => error,
  );

describe('KIT-7 problems are errors with a type', () => {
  test.each([
    [400, 'bad-request', 'BadRequestError'],
    [401, 'invalid-credentials', 'InvalidCredentialsError'],
    [403, 'forbidden', 'ForbiddenError'],
    [404, 'not-found', 'NotFoundError'],
    [405, 'method-not-allowed', 'MethodNotAllowedError'],
    [409, 'conflict', 'ConflictError'],
    [412, 'precondition-failed', 'PreconditionFailedError'],
    [413, 'content-too-large', 'ContentTooLargeError'],
    [415, 'unsupported-media-type', 'UnsupportedMediaTypeError'],
    [418, 'other', 'OtherProblemError'],
    [422, 'invalid-parameters', 'InvalidParametersError'],
    [429, 'too-many-requests', 'TooManyRequestsError'],
    [500, 'internal-error', 'InternalError'],
    [503, 'unavailable', 'UnavailableError'],
    [504, 'gateway-timeout', 'UnavailableError'],
  ])('KIT-7 %i without a type of the service is %s', async (status, type, name) => {
    const { client } = aClient({ api: () => aProblem(status), attempts: 1 });

    const error = await refusalOf(client.transactions.retrieve('u'));

    expect(error).toBeInstanceOf(ProblemError);
    expect(isTransactionsError(error)).toBe(true);
    expect(error).toMatchObject({ type, name, status, requestId: 'request-1', title: `Title ${status}` });
  });

  test.each([
    ['about:blank', 'invalid-parameters'],
    ['https://tools.ietf.org/html/rfc9110#section-15.5.21', 'invalid-parameters'],
    ['https://api.example.com/docs/problems#idempotency-key-reused', 'idempotency-key-reused'],
    ['https://docs.example/else#of-a-later-release', 'of-a-later-release'],
  ])(
    'KIT-7 the type is the name of the paragraph, and the class follows the status: %s',
    async (typeUrl, type) => {
      const { client } = aClient({ api: () => aProblem(422, { type: typeUrl }) });

      expect(await refusalOf(client.transactions.retrieve('u'))).toMatchObject({
        ...{ name: 'InvalidParametersError', type, typeUrl },
      });
    },
  );

  test('KIT-7 a refusal of parameters names each of them, in its message and as data', async () => {
    const errors = [{ field: 'filter[nope]', message: 'The filter is unknown.' }];
    const { client } = aClient({ api: () => aProblem(422, { errors }) });

    const error = await refusalOf(client.transactions.list());

    expect(error).toMatchObject({ errors, typeUrl: 'https://docs.example.com/errors#422' });
    expect(error.message).toBe('422 Title 422: What happened. (filter[nope]: The filter is unknown.)');
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      name: 'InvalidParametersError',
      message: error.message,
      type: 'invalid-parameters',
      status: 422,
      errors,
    });
  });

  test('KIT-7 a response that is not a problem document is known by its status', async () => {
    const { client } = aClient({ api: () => new Response('<h1>Not here</h1>', { status: 404 }) });

    const error = await refusalOf(client.transactions.retrieve('u'));

    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ type: 'not-found', errors: [], requestId: undefined });
  });

  test.each([
    ['a page', () => new Response('<h1>Welcome</h1>')],
    ['a list', () => json([])],
    ['a redirect', () => new Response(null, { status: 302, headers: { Location: 'https://evil.example/' } })],
  ])(
    'KIT-7 KIT-2 %s instead of a response of the service is an unexpected answer, and no further request is sent',
    async (_, api) => {
      const { client, sent } = aClient({ api });

      await expect(client.transactions.retrieve('u')).rejects.toMatchObject({ type: 'unexpected-answer' });

      expect(sent).toHaveLength(1);
    },
  );
});

describe('KIT-8 secrets are not shown', () => {
  const shownOf = (value: unknown) =>
    [
      inspect(value, { depth: 20, showHidden: true }),
      JSON.stringify(value),
      String(value),
      (value as Error).stack,
    ].join();
  const token = 'eyJhbGciOiJSUzI1NiJ9.body.signature';
  const basic = btoa(`client-1:${clientSecret}`);
  const echo = `Bearer ${token} Basic ${basic} ${clientSecret}`;

  const refusal = { detail: echo, title: echo, type: echo, errors: [{ field: echo, message: echo }] };
  const failing = (more: object) => () => Promise.reject(Object.assign(new TypeError(echo), more));
  test.each<[string, Parameters<typeof aClient>[0]]>([
    ['a problem', { api: () => aProblem(400, refusal) }],
    ['a page', { api: () => new Response(echo) }],
    ['the id of a request', { api: () => json({}, { status: 400, headers: { 'Request-Id': echo } }) }],
    ['a broken connection', { api: failing({ cause: Object.assign(new Error(echo), { code: echo }) }) }],
    ['a fault with its request', { api: failing({ config: { headers: { Authorization: echo } } }) }],
    [
      'a refusal of the token service',
      { token: () => json({ error: echo, error_description: echo }, { status: 400 }) },
    ],
  ])('KIT-8 %s that repeats the token and the secret shows neither', async (_, network) => {
    const { client } = aClient({ token: () => tokenAnswer(token), attempts: 1, ...network });

    const shown = shownOf(await refusalOf(client.transactions.list()));

    for (const secret of [basic, clientSecret]) expect(shown).not.toContain(secret);
    if (!network?.token) expect(shown).not.toContain(token);
  });

  test('KIT-8 the client itself shows nothing', async () => {
    const { client } = aClient({ token: () => tokenAnswer(token) });
    await client.transactions.retrieve('u');

    expect(shownOf(client)).not.toContain(clientSecret);
    expect(shownOf(client)).not.toContain(token);
  });
});

describe('KIT-9 options that cannot work', () => {
  const options = {
    baseUrl: 'https://api.example.com',
    authUrl: 'https://auth.example.com',
    clientId: 'c',
    clientSecret,
  };

  const readable = 'must begin with https://: over http:// your secret can be read on its way.';
  test.each([
    [{ baseUrl: 'http://api.example.com' }, `baseUrl ${readable}`],
    [{ authUrl: 'http://auth.example.com' }, `authUrl ${readable}`],
    [{ baseUrl: 'api.example.com' }, 'baseUrl must be an address with https://.'],
    [{ baseUrl: 'https://user@api.example.com' }, 'baseUrl must have no user name, query or fragment.'],
    [{ clientSecret: '' }, 'clientSecret must be a text that is not empty.'],
    [{ clientId: undefined as never }, 'clientId must be a text that is not empty.'],
  ])('KIT-9 %j is refused before anything is sent', (wrong, message) => {
    expect(() => createClient({ ...options, ...wrong })).toThrow(new TypeError(message));
  });

  test.each([
    { baseUrl: 'http://127.0.0.1:8080' },
    { baseUrl: 'http://localhost:8080/' },
    { baseUrl: 'http://[::1]:80' },
    { baseUrl: 'https://api.example.com/base/' },
    { baseUrl: 'http://stage:8080', allowHttp: true },
  ])('KIT-9 %j is taken: http:// to this machine, or where it is asked for', (taken) => {
    expect(() => createClient({ ...options, ...taken })).not.toThrow();
  });

  test('KIT-9 the base address may have a path', async () => {
    const { client, sent } = aClient({ baseUrl: 'https://api.example.com/stage/' });

    await client.transactions.retrieve('a/b');

    expect(sent[0]?.url.href).toBe('https://api.example.com/stage/api/v2/transaction/a%2Fb');
  });
});
