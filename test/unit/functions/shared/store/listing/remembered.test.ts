import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { noReadHints } from '../../../../../../functions/shared/store/listing/access.ts';
import { createTransactionReader } from '../../../../../../functions/shared/store/transactions/reader.ts';

test('STO-4 a process remembers a thousand lists and a thousand pages, and then begins anew', async () => {
  const hints = noReadHints();
  const reader = createTransactionReader({
    documents: { send: async () => ({}) } as unknown as DynamoDBDocumentClient,
    ...{ transactionsTable: 'Transactions', listingTable: 'Listing', membersOf: async () => [], hints },
  });
  const remembered = () => [hints.lists.size, hints.pages.size];
  const readListsOf = async (first: number, last: number) => {
    for (let group = first; group <= last; group += 1) {
      const scope = { kind: 'grants' as const, grants: [{ group: `group-${group}` }] };
      await reader.listWithin({ scope, filter: {}, page: 1, perPage: 10 });
    }
  };

  await readListsOf(1, 1_000);
  expect(remembered()).toEqual([1_000, 1_000]);
  await readListsOf(1_001, 1_003);
  expect(remembered()).toEqual([3, 3]);
});
