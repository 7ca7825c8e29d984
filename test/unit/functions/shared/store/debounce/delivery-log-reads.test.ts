import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { createDeliveryLogStore } from '../../../../../../functions/shared/store/debounce/delivery-log.ts';
import { createDeliveryLogPages } from '../../../../../../functions/shared/store/debounce/delivery-log-page.ts';
import { uuidOf } from '../../../../../support/builders/transactions.ts';

const uuid = uuidOf(1);

/** A delivery log over an index that never ends, and what it was asked for. */
const endless = () => {
  const asked: Record<string, unknown>[] = [];
  const send = async ({ input }: { input: Record<string, unknown> }) => {
    asked.push(input);
    return { Items: [], LastEvaluatedKey: { pk: `EV#${asked.length}`, claimedAtMs: 1_000 - asked.length } };
  };
  const documents = { send } as unknown as DynamoDBDocumentClient;
  const clock = () => new Date('2026-11-22T12:00:00Z');
  const access = { documents, debounceTable: 'Debounce', clock };
  return { asked, deliveryLog: createDeliveryLogStore(access), pages: createDeliveryLogPages(access) };
};

test('EV-12 a partner’s deliveries of a transaction are found by its events, and no more are read than needed', async () => {
  const { asked, deliveryLog } = endless();

  const found = [];
  for await (const one of deliveryLog.deliveriesOfTransaction(uuid, {
    clientId: 'P1',
    sinceMs: 5,
    atMostPages: 3,
  }))
    found.push(one);

  expect(found).toEqual([]);
  expect(asked).toHaveLength(3);
  expect(asked[0]).toEqual({
    TableName: 'Debounce',
    IndexName: 'byTransaction',
    KeyConditionExpression: '#value = :value AND #claimedAtMs BETWEEN :first AND :last',
    ExpressionAttributeNames: { '#value': 'uuid', '#claimedAtMs': 'claimedAtMs' },
    ExpressionAttributeValues: {
      ':value': uuid,
      ':first': 5,
      ':last': 9_007_199_254_740_990,
    },
    Limit: 1_000,
    ScanIndexForward: false,
  });
});

test('V2-7 a page for a transaction skips five thousand entries at most, and the next page continues there', async () => {
  const { asked, pages } = endless();

  const page = await pages.deliveryPage({ clientId: 'P1', uuid, limit: 50 });

  expect(asked.map(({ Limit, ExclusiveStartKey }) => [Limit, ExclusiveStartKey])).toEqual([
    [1_000, undefined],
    [1_000, { pk: 'EV#1', claimedAtMs: 999 }],
    [1_000, { pk: 'EV#2', claimedAtMs: 998 }],
    [1_000, { pk: 'EV#3', claimedAtMs: 997 }],
    [1_000, { pk: 'EV#4', claimedAtMs: 996 }],
  ]);
  expect(page).toEqual({ deliveries: [], next: { claimedAtMs: 995 } });
});
