import { expect, test } from '@jest/globals';
import { address, aStorefront, aV1, shop } from '../../../support/apis/v1-transaction.ts';
import { type Ask, sending } from '../../../support/builders/http-event.ts';
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

const from = (origin: string) => ({ headers: { Origin: origin } });
const tooLong = 'a'.repeat(2_049);
const nobody = '';
test.each<[string, string, string, Ask, string[]]>([
  ['for a uuid without a token', nobody, `?uuid=${uuid}`, {}, []],
  ['for a path without a token', nobody, `/${uuid}`, {}, []],
  ['for a filter without a token', nobody, '?filter[status]=0', {}, []],
  ['for too many levels', nobody, '?a[b][c][d][e]=1', {}, []],
  ['for a disguised uuid', nobody, `?%20uuid=${uuid}`, {}, []],
  ['for a disguised uuid of a session', 's1', `?amp;uuid=${uuid}`, {}, []],
  ['for a disguised filter of a session', 's1', '?%20filter[status]=0', {}, []],
  ['for a disguised location', nobody, '?amp;location=south', from(shop), ['ofOrigin']],
  ['for a create with a disguised selection', nobody, '?%20fields=uuid', sending('POST', {}), []],
  ['for a change with a disguised selection', 's1', `/${uuid}?%20fields=uuid`, sending('PATCH', {}), []],
  ['for an invalid token', nobody, '', { headers: { Authorization: 'Bearer x' } }, []],
  ['without an Origin', nobody, '', {}, ['stageDefault', 'create']],
  ['for a known Origin', nobody, '', from(shop), ['ofOrigin', 'create']],
  ['for an unknown Origin', nobody, '', from('https://x.example'), ['ofOrigin', 'stageDefault', 'create']],
  ['for the Origin of a retired storefront', nobody, '', from(closed), ['ofOrigin']],
  ['for an Origin longer than a key', nobody, '', from(tooLong), ['stageDefault', 'create']],
  ['for a uuid of a session', 's1', `?uuid=${uuid}`, {}, ['byUuid']],
  ['for a malformed uuid', 's1', '?uuid=nonsense', {}, []],
  ['for a uuid longer than a key', 's1', `?uuid=${tooLong}`, {}, []],
  ['for a change of a uuid longer than a key', 's1', `/${tooLong}`, sending('PATCH', {}), []],
  ['for a filter', 's1', '?filter[status]=0', {}, ['listWithin']],
  ['for a session', 's1', '', {}, ['newestIncomplete', 'stageDefault', 'create']],
])('TH-01 OWN-1 V1-1 V1-2 V1-3 the stores are asked %s', async (...row) => {
  const [, session, query, ask, expected] = row;
  const { v1, asked } = await aWatchedV1();
  const target = `${address}${query}`;

  await (session === nobody ? v1.ask(target, ask) : v1.as(await v1.tokens.issue(session), target, ask));

  expect(asked).toEqual(expected);
});

test('ERR-4 a uuid that is taken already is a fault, and the other transaction is not shown', async () => {
  const v1 = await aV1({ random: (size) => new Uint8Array(size) });
  await v1.ask(address);

  expect((await v1.ask(address)).status).toBe(500);
});
