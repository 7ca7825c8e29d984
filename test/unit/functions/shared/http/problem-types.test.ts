import { describe, expect, test } from '@jest/globals';
import { aStorefront, aV1, shop } from '../../../../support/apis/v1-transaction.ts';
import { type AskWith, aV2Write } from '../../../../support/apis/v2-write.ts';
import { anOwner, uuidOf } from '../../../../support/builders/transactions.ts';

type Body = { type: string; status: number; errors?: { field: string }[] };

/** Status, name and fields: what a program goes by. */
const factsOf = ({ type, status, errors = [] }: Body) => {
  const name = type.replace('https://api.example/docs/problems#', '');
  return [status, name, ...errors.map(({ field }) => field)].join(' ');
};

const uuid = uuidOf(1);
const one = `/api/v2/transaction/${uuid}`;
const pay = '/api/v2/payment';
const payment = { transaction: uuid, type: 1, value: '9.99', status: 0 };
const gzip = { 'Content-Encoding': 'gzip' };
const post = (body: unknown, more: AskWith = {}): AskWith => ({ method: 'POST', body, ...more });
const asRead = `read.${'ABCDEFGHIJKLMNOPQRSTUVWXYZ'}`;

describe('ERR-1 each refusal of a V2 write has its own type, and names its fault', () => {
  test.each<[string, string, AskWith, string]>([
    ['no such address', '/api/v2/none', {}, '404 not-found'],
    ['no such transaction', `/api/v2/transaction/${uuidOf(9)}`, { body: {} }, '404 not-found'],
    ...[uuidOf(9), uuidOf(2), uuidOf(3), 'none'].map((transaction): [string, string, AskWith, string] => [
      `a payment for the unknown, hidden, deleted or malformed ${transaction}`,
      pay,
      post({ ...payment, transaction }),
      '404 transaction-not-found transaction',
    ]),
    ['a token without the OAuth scope', one, { body: {}, partner: asRead }, '403 insufficient-scope'],
    ['a location that is not open', one, { body: { location: 'x' } }, '403 no-storefront location'],
    ['a franchise that is not open', one, { body: { franchise: 'x' } }, '403 no-storefront franchise'],
    ['a location of two franchises', one, { body: { location: 'two' } }, '422 several-franchises franchise'],
    ['no JSON', one, { body: '{' }, '400 malformed-body'],
    ['a list', one, { body: '[]' }, '400 malformed-body'],
    [
      'a key with a space',
      one,
      { body: {}, headers: { 'Idempotency-Key': 'a b' } },
      '400 malformed-idempotency-key Idempotency-Key',
    ],
    ['101 parameters', `${one}?${'a=1&'.repeat(101)}`, { body: {} }, '400 bad-request'],
    ['text', one, { body: '{}', headers: { 'Content-Type': 'text/plain' } }, '415 unsupported-media-type'],
    ['gzip', one, { body: '{}', headers: gzip }, '415 unsupported-content-encoding'],
    ['an old version', one, { body: {}, headers: { 'If-Match': '"7.x"' } }, '412 precondition-failed'],
    ['a body of 100,001 bytes', one, { body: ' '.repeat(100_001) }, '413 content-too-large'],
    [
      'a transaction beyond its room',
      one,
      { body: { customer: { note: 'x'.repeat(60_000) } } },
      '413 transaction-too-large',
    ],
    [
      'a tried payment beyond its room',
      pay,
      post({ ...payment, settings: 'x'.repeat(99_800) }),
      '413 payments-too-large',
    ],
    ['a member that is ours', one, { body: { status: 1 } }, '422 invalid-parameters status'],
    ['a number', one, { body: '{"vehicle":{"doors":1e-400}}' }, '422 number-out-of-range vehicle.doors'],
  ])('%s', async (_what, target, asked, facts) => {
    const registered = ['F1', 'F2'].map((franchise) => ({
      ...aStorefront(franchise, 'two'),
      owner: anOwner({ franchise, location: 'two' }),
    }));
    const { ask } = await aV2Write({
      registered,
      transactions: [
        { uuid, vehicle: { note: 'x'.repeat(60_000) } },
        { uuid: uuidOf(2), ndMeta: anOwner({ group: 'hidden' }) },
        { uuid: uuidOf(3), isDeleted: 1 },
      ],
    });

    expect(factsOf((await ask(target, asked)).body)).toEqual(facts);
  });

  test('a key that is reused with another body', async () => {
    const { ask } = await aV2Write({ transactions: [{ uuid }] });
    const headers = { 'Idempotency-Key': 'k1' };
    await ask(pay, post(payment, { headers }));

    const again = await ask(pay, post({ ...payment, value: '1.00' }, { headers }));

    expect(factsOf(again.body)).toEqual('422 idempotency-key-reused Idempotency-Key');
  });

  test('415 says what a body may be', async () => {
    const { ask } = await aV2Write({ transactions: [{ uuid }] });

    const { headers } = await ask(one, { body: '{}', headers: { 'Content-Encoding': 'br' } });

    expect(headers).toMatchObject({
      Accept: 'application/json, application/merge-patch+json',
      'Accept-Encoding': 'identity',
    });
  });
});

describe('ERR-1 each refusal of a checkout has its own type, and names its fault', () => {
  const address = '/api/transaction';
  const patch = {
    method: 'PATCH',
    headers: { 'Content-Type': 'application/json', Origin: shop },
    body: '{"incentive":true}',
  };

  test('a complete transaction, and a full session', async () => {
    const v1 = await aV1();
    await v1.given('s1', { uuid, status: 1 });
    const { token = '' } = await v1.ask(address);
    for (let count = 2; count <= 20; count += 1) await v1.as(token, address, { method: 'POST' });

    const complete = await v1.as(await v1.tokens.issue('s1'), `${address}/${uuid}`, patch);
    const full = await v1.as(token, address, { method: 'POST' });

    expect(factsOf(complete.body)).toEqual('409 transaction-complete');
    expect(factsOf(full.body)).toEqual('409 session-full');
  });

  test.each([
    ['a location of nobody', '?location=nowhere', {}, '403 no-storefront location'],
    ['an origin of nobody', '', { Origin: 'https://other.example' }, '403 no-storefront'],
    ['a link', '', { 'Sec-Fetch-Mode': 'navigate' }, '403 forbidden'],
  ])('%s', async (_what, query, headers, facts) => {
    const v1 = await aV1({ hasStageDefault: false });

    const { body } = await v1.ask(`${address}${query}`, { headers: { Origin: shop, ...headers } });

    expect(factsOf(body)).toEqual(facts);
  });
});
