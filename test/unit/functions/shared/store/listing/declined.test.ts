import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import type { ListRequest } from '../../../../../../functions/shared/domain/query/list-request.ts';
import { readerWithoutDrift } from '../../../../../support/engine/transaction-reader.ts';

type Command = { input: object };

/** A reader of nothing, whose engine declines each request once. */
const aReader = () => {
  const sent: string[] = [];
  const declined = new Set<string>();
  const send = async ({ constructor: { name }, input }: Command) => {
    const request = `${name} ${JSON.stringify(input)}`;
    sent.push(name);
    if (declined.has(request)) return {};
    declined.add(request);
    throw Object.assign(new Error('declined'), { name: 'ThrottlingException' });
  };
  const reader = readerWithoutDrift({
    documents: { send } as unknown as DynamoDBDocumentClient,
    ...{ transactionsTable: 'Transactions', listingTable: 'Listing', membersOf: async () => [] },
    retryDelays: { random: () => 0, sleep: async () => {} },
  });
  return { reader, sent };
};

const ofGroup = { kind: 'grants', grants: [{ group: 'group-a' }] } as const;

test.each<[what: string, request: Partial<ListRequest>, sent: string[]]>([
  ['the root and the first entries', {}, ['QueryCommand', 'QueryCommand', 'QueryCommand', 'QueryCommand']],
  ['the run of a vehicle', { filter: { ndstockid: 'stock-1' } }, ['QueryCommand', 'QueryCommand']],
  ['one by its uuid', { filter: { uuid: 'one' } }, ['GetCommand', 'GetCommand']],
])('STO-2 a list asks again for what is declined once: %s', async (_, request, sent) => {
  const store = aReader();

  const page = await store.reader.listWithin({
    scope: ofGroup,
    filter: {},
    page: 1,
    perPage: 10,
    ...request,
  });

  expect(page).toEqual({ transactions: [], totalCount: 0 });
  expect(store.sent.toSorted()).toEqual(sent);
});
