import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ListScope } from '../../../functions/shared/domain/query/list-request.ts';
import {
  createTransactionReader,
  type TransactionReader,
} from '../../../functions/shared/store/transactions/reader.ts';
import { createTransactionWriter } from '../../../functions/shared/store/transactions/writer.ts';
import { aNewTransaction, anOwner, uuidOf } from '../../support/builders/transactions.ts';
import { documentsOf, startEngine, type TestEngine } from '../../support/engine/engine.ts';

let engine: TestEngine;
let reader: TransactionReader;
let itemsRead = 0;

/** The same vehicle once in group A (a session's), and forty times in group B. */
beforeAll(async () => {
  engine = await startEngine();
  const tables = { transactionsTable: 'Transactions', listingTable: 'Listing' };
  const vehicle = { identifiers: { ndstockid: 'ND1', salesmasterid: 'SM1' } };
  const writer = createTransactionWriter({ documents: engine.documents, ...tables });
  await writer.create(aNewTransaction({ uuid: uuidOf(1), vehicle }, { session: 'session-a' }));
  await writer.createMany(
    Array.from({ length: 40 }, (_, index) =>
      aNewTransaction({ uuid: uuidOf(index + 2), vehicle, ndMeta: anOwner({ group: 'group-b' }) }),
    ),
  );
  reader = createTransactionReader({ documents: counted(), ...tables, membersOf: async () => [] });
});
afterAll(() => engine.stop());

const counted = () => {
  const documents = documentsOf(engine.client);
  documents.middlewareStack.add(
    (next) => async (args) => {
      const answer = await next(args);
      itemsRead += (answer.output as { Items?: unknown[] }).Items?.length ?? 0;
      return answer;
    },
    { step: 'initialize' },
  );
  return documents;
};

test.each<[string, ListScope]>([
  ['a partner of another group', { kind: 'grants', grants: [{ group: 'group-a' }] }],
  ['a session', { kind: 'session', session: 'session-a' }],
])(
  'S-36 a vehicle filter of %s reads no entry of the group that sells the vehicle often',
  async (_, scope) => {
    itemsRead = 0;

    const page = await reader.listWithin({ scope, filter: { ndstockid: 'ND1' }, page: 1, perPage: 10 });

    expect(page.transactions.map(({ transaction }) => transaction.uuid)).toEqual([uuidOf(1)]);
    expect(page.totalCount).toBe(1);
    expect(itemsRead).toBe(1);
  },
);
