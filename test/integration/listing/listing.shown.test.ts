import { expect, test } from '@jest/globals';
import type { ListRequest } from '../../../functions/shared/domain/query/list-request.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { aV2Read } from '../../support/apis/v2-read.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { readerWithoutDrift } from '../../support/engine/transaction-reader.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();
const tables = { transactionsTable: 'Transactions', listingTable: 'Listing' };

const vehicle = { identifiers: { ndstockid: 'ND1' } };
const customer = { firstname: 'Ada' };
const payments = [{ id: 1, token: 'secret' }];
const stored = aNewTransaction(
  { uuid: uuidOf(1), vehicle, customer, payments, ndMeta: anOwner() },
  { session: 'session-a' },
);

const aStore = async () => {
  const writer = createTransactionWriter({ documents: engine.documents, ...tables });
  await writer.create(stored);
  return readerWithoutDrift({ documents: engine.documents, ...tables, membersOf: async () => [] });
};

const inGroup = { kind: 'grants', grants: [{ group: anOwner().group }] } as const;
const ofSession = { kind: 'session', session: 'session-a' } as const;

test('STO-7 a list reads own properties, owner and shown elements, and decides by these', async () => {
  const { vehicle: _, customer: __, payments: ___, ...own } = stored.transaction;
  const reader = await aStore();
  const shownOf = async (request: Partial<ListRequest>) => {
    const page = { scope: inGroup, filter: {}, page: 1, perPage: 10, ...request };
    return (await reader.listWithin(page)).transactions.map(({ transaction }) => transaction);
  };

  expect(await shownOf({})).toEqual([stored.transaction]);
  expect(await shownOf({ shown: [] })).toEqual([own]);
  expect(await shownOf({ shown: [], scope: ofSession, filter: { status: 0 } })).toEqual([own]);
  expect(await shownOf({ shown: ['customer', 'ndMeta'] })).toEqual([{ ...own, customer }]);
  expect(await shownOf({ shown: ['customer'], filter: { ndstockid: 'ND1' } })).toEqual([
    { ...own, vehicle, customer },
  ]);
});

test.each([
  '',
  '?expand=customer',
  '?expand=vehicle,payments&fields=uuid,payments.id',
  '?fields=vehicle.identifiers',
  '?fields=ndMeta.group,customer.*',
  '?expand=ndMeta,financeProposal&filter[identifiers][ndstockid]=ND1',
  '?expand=payments&filter[status]=0',
])('STO-7 a response to %j is the same as if whole records were read', async (query) => {
  const reader = await aStore();
  const partners = [aPartner({ grants: [...inGroup.grants] })];
  const readsAll = {
    ...reader,
    listWithin: ({ shown: _, ...request }: ListRequest) => reader.listWithin(request),
  };

  const [narrow, whole] = await Promise.all(
    [reader, readsAll].map(async (each) =>
      (await aV2Read({ reader: each, partners })).get(`/api/v2/transaction${query}`),
    ),
  );

  expect(narrow?.body).toEqual(whole?.body);
  expect(narrow?.body._meta.totalCount).toBe(1);
});
