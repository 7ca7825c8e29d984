import { describe, expect, test } from '@jest/globals';
import { aStorefront, aV1, shop } from '../../../support/apis/v1-transaction.ts';
import { createMemoryStorefronts } from '../../../support/memory/storefronts.ts';
import { createMemoryTransactions } from '../../../support/memory/transactions.ts';

/** The origin of a retired storefront. */
const closed = 'https://closed.example';

/** The V1 function over stores that record their calls. */
const aWatchedV1 = async () => {
  const asked: string[] = [];
  const transactions = createMemoryTransactions();
  const storefronts = createMemoryStorefronts();
  await storefronts.register(aStorefront('F1', 'north'), { isDefault: true });
  await storefronts.register(aStorefront('F1', 'south', { origins: [closed] }));
  await storefronts.retire('F1 south');
  const noting = <Ports extends object>(ports: Ports): Ports =>
    new Proxy(ports, {
      get: (target, name, receiver) => {
        asked.push(String(name));
        return Reflect.get(target, name, receiver);
      },
    });
  const v1 = await aV1({ transactions: noting(transactions), storefronts: noting(storefronts) });
  return { v1, asked };
};

describe('reads of the stores per request', () => {
  test.each([
    ['TH-01 a uuid without a token: nothing', '?uuid=00000000-0000-4000-8000-000000000001-abcd', {}, []],
    ['a filter without a token: nothing', '?filter[status]=0', {}, []],
    ['too many levels: nothing', '?a[b][c][d][e]=1', {}, []],
    ['an invalid token: nothing', '', { Authorization: 'Bearer x' }, []],
    ['no Origin: the default, then to create', '', {}, ['stageDefault', 'create']],
    ['a known Origin: its storefronts, then to create', '', { Origin: shop }, ['ofOrigin', 'create']],
    [
      'an unknown Origin: both, then to create',
      '',
      { Origin: 'https://x.example' },
      ['ofOrigin', 'stageDefault', 'create'],
    ],
    ['a retired Origin: its storefronts, not the default', '', { Origin: closed }, ['ofOrigin']],
    ['an Origin longer than a key: not for it', '', { Origin: 'x'.repeat(2049) }, ['stageDefault', 'create']],
  ])('%s', async (_name, query, headers, expected) => {
    const { v1, asked } = await aWatchedV1();

    await v1.ask(`/api/transaction${query}`, { headers });

    expect(asked).toEqual(expected);
  });

  test.each([
    ['V1-2 a well-formed uuid: for it', '?uuid=00000000-0000-4000-8000-000000000001-abcd', ['byUuid']],
    ['a malformed uuid: nothing', '?uuid=nonsense', []],
    ['a uuid longer than a key: nothing', `?uuid=${'a'.repeat(2049)}`, []],
    ['V1-3 a filter: for the list', '?filter[status]=0', ['listWithin']],
    ['V1-1 neither: for the newest, then to create', '', ['newestIncomplete', 'stageDefault', 'create']],
  ])('with a session: %s', async (_name, query, expected) => {
    const { v1, asked } = await aWatchedV1();

    await v1.as(await v1.tokens.issue('s1'), `/api/transaction${query}`);

    expect(asked).toEqual(expected);
  });
});

describe('ERR-4 a store that fails', () => {
  const failing = (name: string) => async () => {
    throw Object.assign(new Error('secret detail'), { name });
  };

  test.each([
    ['ThrottlingException', 503],
    ['ValidationException', 500],
  ])('%s is %i with a fixed text and no token', async (name, expected) => {
    const v1 = await aV1({ storefronts: { ofOrigin: failing(name), stageDefault: failing(name) } });

    const { status, text, token } = await v1.ask('/api/transaction', { headers: { Origin: shop } });

    expect({ status, token }).toEqual({ status: expected, token: undefined });
    expect(text).not.toContain('secret detail');
  });

  test('a uuid that exists already is a fault, and the other transaction is not shown', async () => {
    const v1 = await aV1({ random: (size) => new Uint8Array(size) });
    await v1.ask('/api/transaction');

    const { status } = await v1.ask('/api/transaction');

    expect(status).toBe(500);
  });
});
