import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../functions/shared/domain/transaction/transaction.ts';
import { fleets, startDemo } from '../support/stage/demo-stage.ts';
import { fetchToken, send } from '../support/stage/partner-client.ts';

let { stage, northgate } = {} as Awaited<ReturnType<typeof startDemo>>;

beforeAll(async () => {
  ({ stage, northgate } = await startDemo());
}, 120_000);

afterAll(async () => stage.stop(), 30_000);

describe('what a partner is told when it goes wrong', () => {
  test('ERR-1 ERR-2 R-01 without a token', async () => {
    const { status, headers, json } = await send(stage, '/api/v2/transaction?filter[nope]=1');

    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe('Bearer realm="api"');
    expect(headers.get('content-type')).toBe('application/problem+json');
    expect(json()).toEqual({
      type: expect.stringMatching(/^https:/),
      title: 'Unauthorized',
      status: 401,
      detail: 'Your request was made with invalid credentials.',
      instance: '/api/v2/transaction',
      name: 'Unauthorized',
      message: 'Your request was made with invalid credentials.',
      code: 0,
      requestId: headers.get('request-id'),
    });
  });

  test('R-40 a token without nop2/read is 403', async () => {
    const credentials = stage.stack.partners[0] ?? { clientId: '', clientSecret: '' };
    const writeOnly = await fetchToken(stage, credentials, 'nop2/write');

    const { status, headers } = await northgate.get('/api/v2/transaction', {
      headers: { Authorization: `Bearer ${writeOnly}` },
    });

    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toBe(
      'Bearer realm="api", error="insufficient_scope", scope="nop2/read"',
    );
  });

  test("V2-1 GRANT-3 another partner's transaction is 404 as an unknown one is", async () => {
    const foreign = fleets[0]?.uuid ?? '';
    const unknown = '00000000-0000-4000-8000-000000000000-zzzz';

    const [one, other] = await Promise.all(
      [foreign, unknown].map((uuid) => northgate.get(`/api/v2/transaction/${uuid}`)),
    );

    const problem = ({ instance: _, requestId: __, ...facts }: JsonObject) => facts;
    expect([one?.status, other?.status]).toEqual([404, 404]);
    expect(problem(one?.json() ?? {})).toEqual(problem(other?.json() ?? {}));
  });

  test('FLT-2 all faulty filters at once', async () => {
    const { status, json } = await northgate.get(
      '/api/v2/transaction?filter[status]=2&filter[nope]=1&filter[uuid]=',
    );

    expect(status).toBe(422);
    expect((json().errors as JsonObject[]).map(({ field }) => field)).toEqual([
      'filter[status]',
      'filter[nope]',
      'filter[uuid]',
    ]);
  });

  test('QS-1 a hundred and one parameters, or five levels, are 400', async () => {
    const many = await northgate.get(`/api/v2/transaction?${'a=1&'.repeat(101)}`);
    const deep = await northgate.get('/api/v2/transaction?a[b][c][d][e]=1');

    expect([many.status, deep.status]).toEqual([400, 400]);
  });

  test('ERR-4 no value is too long or too odd', async () => {
    const long = 'x'.repeat(3000);
    const odd = [
      ...[
        'filter[uuid]',
        'filter[identifiers][ndstockid]',
        'filter[identifiers][salesmasterid]',
        'after',
        'page',
      ].map((name) => `${name}=${long}`),
      ...[
        'filter[uuid]=%00',
        'filter[identifiers][ndstockid]=%ED%A0%80',
        'page=999999999999999999999',
        '&&=&[=]',
      ],
    ];

    const answers = await Promise.all([
      ...odd.map((query) => northgate.get(`/api/v2/transaction?${query}`)),
      northgate.get(`/api/v2/transaction/${long}`),
      northgate.get('/api/v2/transaction/%2e%2e'),
    ]);

    expect(answers.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
    expect(answers.every(({ headers }) => headers.has('request-id'))).toBe(true);
  });

  test('ERR-5 a correlation id comes back when it is well formed', async () => {
    const well = await northgate.get('/api/v2/transaction', { headers: { 'X-Correlation-Id': 'order-7' } });
    const ill = await northgate.get('/api/v2/transaction', { headers: { 'X-Correlation-Id': 'no spaces' } });

    expect([well.headers.get('x-correlation-id'), ill.headers.get('x-correlation-id')]).toEqual([
      'order-7',
      null,
    ]);
  });
});
