import { expect, test } from '@jest/globals';
import { address, aStorefront, aV1, shop } from '../../../support/apis/v1-transaction.ts';
import { sending } from '../../../support/builders/http-event.ts';
import { createMemoryStorefronts } from '../../../support/memory/storefronts.ts';
import { createMemoryTransactions } from '../../../support/memory/transactions.ts';

/** The origin of a retired storefront. */
const closed = 'https://closed.example';
const uuid = '00000000-0000-4000-8000-000000000001-abcd';

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

test.each([
  ['TH-01 a uuid without a token: nothing', `?uuid=${uuid}`, {}, []],
  ['TH-01 a path without a token: nothing', `/${uuid}`, {}, []],
  ['a filter without a token: nothing', '?filter[status]=0', {}, []],
  ['too many levels: nothing', '?a[b][c][d][e]=1', {}, []],
  ['an invalid token: nothing', '', { Authorization: 'Bearer x' }, []],
  ['no Origin: the default, then to create', '', {}, ['stageDefault', 'create']],
  ['a known Origin: its storefronts, then to create', '', { Origin: shop }, ['ofOrigin', 'create']],
  ['an unknown Origin: both', '', { Origin: 'https://x.example' }, ['ofOrigin', 'stageDefault', 'create']],
  ['a retired Origin: its storefronts, not the default', '', { Origin: closed }, ['ofOrigin']],
  ['an Origin longer than a key: not for it', '', { Origin: 'x'.repeat(2049) }, ['stageDefault', 'create']],
])('the stores are asked, for %s', async (_name, query, headers, expected) => {
  const { v1, asked } = await aWatchedV1();

  await v1.ask(`${address}${query}`, { headers });

  expect(asked).toEqual(expected);
});

test.each([
  ['V1-2 a well-formed uuid: for it', `?uuid=${uuid}`, {}, ['byUuid']],
  ['a malformed uuid: nothing', '?uuid=nonsense', {}, []],
  ['a uuid longer than a key: nothing', `?uuid=${'a'.repeat(2049)}`, {}, []],
  ['a change of one longer than a key: nothing', `/${'a'.repeat(2049)}`, sending('PATCH', {}), []],
  ['V1-3 a filter: for the list', '?filter[status]=0', {}, ['listWithin']],
  ['V1-1 neither: for the newest, then to create', '', {}, ['newestIncomplete', 'stageDefault', 'create']],
])('the stores are asked for a session, with %s', async (_name, query, ask, expected) => {
  const { v1, asked } = await aWatchedV1();

  await v1.as(await v1.tokens.issue('s1'), `${address}${query}`, ask);

  expect(asked).toEqual(expected);
});

test('ERR-4 a uuid that is taken already is a fault, and the other transaction is not shown', async () => {
  const v1 = await aV1({ random: (size) => new Uint8Array(size) });
  await v1.ask(address);

  expect((await v1.ask(address)).status).toBe(500);
});
