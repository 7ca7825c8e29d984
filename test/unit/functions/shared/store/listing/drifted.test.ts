import type { DynamoDBDocumentClient, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { idOfGroup } from '../../../../../../functions/shared/domain/ownership/rollup.ts';
import { createTransactionReader } from '../../../../../../functions/shared/store/transactions/reader.ts';

type Command = { input: Partial<QueryCommand['input']> };

test('S-70 a list whose counters have drifted is answered, and the drift is logged', async () => {
  // Eleven are complete, of none.
  const send = async ({ input: { ExpressionAttributeValues, Limit } }: Command) => {
    if (ExpressionAttributeValues?.[':prefix'] === `rg#${idOfGroup('group-a')}#`)
      return { Items: [{ sk: `rg#${idOfGroup('group-a')}#0`, n: 0, d: 11 }] };
    if (Limit === 0) throw Object.assign(new Error('Limit'), { name: 'ValidationException' });
    return {};
  };
  let drifts = 0;
  const reader = createTransactionReader({
    documents: { send: (command: Command) => send(command) } as unknown as DynamoDBDocumentClient,
    ...{ transactionsTable: 'Transactions', listingTable: 'Listing', membersOf: async () => [] },
    onDrift: () => {
      drifts += 1;
    },
  });
  const scope = { kind: 'grants' as const, grants: [{ group: 'group-a' }] };

  const page = await reader.listWithin({ scope, filter: { status: 1 }, page: 2, perPage: 10 });

  expect([page, drifts]).toEqual([{ transactions: [], totalCount: 11 }, 1]);
});
