import { expect, test } from '@jest/globals';
import { aV2Read, many } from '../../../support/apis/v2-read.ts';
import { aNewTransaction } from '../../../support/builders/transactions.ts';
import { createMemoryTransactions } from '../../../support/memory/transactions.ts';

const everything =
  'vehicle,ndMeta,extras,deliveryCollection,selectedPaymentMethod,financeProposal,valuation,customer,payments,financeDefaults';

test.each([
  ['everything expanded', `per-page=50&expand=${everything}`, 50],
  ['an expansion a thousand times over', `per-page=50&expand=${`${everything},`.repeat(1000)}`, 50],
  ['a size beyond the largest', 'per-page=1000000', 50],
  ['a page beyond the end', 'page=1000000000&per-page=50', 0],
])('TH-19 %s is one read of at most fifty records', async (_, query, records) => {
  const store = createMemoryTransactions();
  await store.createMany(many(60).map((changes) => aNewTransaction(changes)));
  const sizes: number[] = [];
  const { get } = await aV2Read({
    reader: {
      byUuid: store.byUuid,
      listWithin: (request) => {
        sizes.push(request.perPage);
        return store.listWithin(request);
      },
    },
  });

  const { status, body } = await get(`/api/v2/transaction?${query}`);

  expect([status, body.data.length]).toEqual([200, records]);
  expect(sizes).toEqual([50]);
});
