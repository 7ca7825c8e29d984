import { describe, expect, test } from '@jest/globals';
import {
  aClient,
  anEmptyPage,
  aProblem,
  inTurn,
  json,
  tokenAnswer,
} from '../../../support/partner-kit/fake-service.ts';

const page = () => json(anEmptyPage);

describe('KIT-3 the access token', () => {
  test('KIT-3 concurrent callers share one request for a token', async () => {
    const { client, tokensAsked, sent } = aClient({ api: page });

    await Promise.all(Array.from({ length: 20 }, () => client.transactions.list()));

    expect(tokensAsked).toHaveLength(1);
    expect(new Set(sent.map(({ headers }) => headers.get('Authorization')))).toEqual(
      new Set(['Bearer token-1']),
    );
  });

  test('KIT-3 the request is the one of the interface: Basic credentials, a form, and no secret in the address', async () => {
    const { client, tokensAsked } = aClient({ api: page });

    await client.transactions.list();

    expect(tokensAsked[0]?.method).toBe('POST');
    expect(tokensAsked[0]?.url.href).toBe('https://auth.example.com/oauth2/token');
    expect(tokensAsked[0]?.headers.get('Authorization')).toBe(
      'Basic Y2xpZW50LTE6czNjcmV0UzNjcmV0UzNjcmV0UzNjcmV0',
    );
    expect(tokensAsked[0]?.headers.get('Content-Type')).toBe('application/x-www-form-urlencoded');
    expect(tokensAsked[0]?.body).toBe('grant_type=client_credentials');
  });

  test.each([
    { seconds: 3600, stillAfter: 3_539_000, anewAfter: 3_540_000 },
    { seconds: 20, stillAfter: 17_999, anewAfter: 18_000 },
  ])('KIT-3 a token of $seconds s is used until shortly before its end', async (life) => {
    const { client, clock, tokensAsked } = aClient({
      api: page,
      token: () => tokenAnswer('token', life.seconds),
    });
    await client.transactions.list();

    clock.pass(life.stillAfter);
    await client.transactions.list();
    const before = tokensAsked.length;
    clock.pass(life.anewAfter - life.stillAfter);
    await client.transactions.list();

    expect([before, tokensAsked.length]).toEqual([1, 2]);
  });

  test('KIT-3 a token that cannot be renewed is used until its end', async () => {
    const { client, clock, sent } = aClient({
      api: page,
      token: inTurn(
        () => tokenAnswer('token-1'),
        () => aProblem(500),
      ),
    });
    await client.transactions.list();

    clock.pass(3_590_000);
    await client.transactions.list();
    clock.pass(10_000);

    await expect(client.transactions.list()).rejects.toMatchObject({ type: 'token-refused', status: 500 });
    expect(sent).toHaveLength(2);
  });

  test('KIT-3 a refused token is replaced once, for writes as well', async () => {
    const { client, sent, tokensAsked } = aClient({
      api: ({ headers }) =>
        headers.get('Authorization') === 'Bearer token-1' ? aProblem(401) : json({ id: 1 }, { status: 201 }),
    });

    const { data } = await client.payments.create({ transaction: 'u', type: 1, value: '1.00', status: 1 });

    expect(data).toEqual({ id: 1 });
    expect(tokensAsked).toHaveLength(2);
    expect(new Set(sent.map(({ headers }) => headers.get('Idempotency-Key'))).size).toBe(1);
  });

  test('KIT-3 a second refusal is an error, and the next token is requested anew', async () => {
    const { client, sent, tokensAsked } = aClient({ api: () => aProblem(401) });

    await expect(client.transactions.list()).rejects.toMatchObject({ type: 'invalid-credentials' });

    expect([sent.length, tokensAsked.length]).toEqual([2, 2]);
  });

  test('KIT-3 callers whose common token is refused request one token together', async () => {
    const { client, tokensAsked } = aClient({
      api: ({ headers }) => (headers.get('Authorization') === 'Bearer token-1' ? aProblem(401) : page()),
    });

    await Promise.all(Array.from({ length: 10 }, () => client.transactions.list()));

    expect(tokensAsked).toHaveLength(2);
  });

  test('KIT-3 a caller that aborts leaves the token request to the others', async () => {
    let release = (_: Response) => {};
    const { client, tokensAsked } = aClient({
      api: page,
      token: () =>
        new Promise((resolve) => {
          release = resolve;
        }),
    });
    const leaving = new AbortController();
    const [left, stayed] = [
      client.transactions.list({}, { signal: leaving.signal }),
      client.transactions.list(),
    ];

    leaving.abort(new Error('I left.'));

    await expect(left).rejects.toThrow('I left.');
    release(tokenAnswer('token-1'));
    await expect(stayed).resolves.toMatchObject({ data: [] });
    expect(tokensAsked).toHaveLength(1);
  });

  test('KIT-3 refused credentials are an OAuth error, and not tried again', async () => {
    const { client, tokensAsked } = aClient({
      token: () =>
        json(
          { error: 'invalid_client', error_description: 'Client authentication failed.' },
          { status: 401 },
        ),
    });

    await expect(client.transactions.list()).rejects.toMatchObject({
      type: 'token-refused',
      status: 401,
      error: 'invalid_client',
      message: 'The token service answered 401 invalid_client: Client authentication failed.',
    });
    expect(tokensAsked).toHaveLength(1);
  });
});
