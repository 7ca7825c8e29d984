import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { createChangeIndex } from '../../../../../../functions/shared/store/transactions/changed-index.ts';

type Asked = { ExclusiveStartKey?: unknown; ExpressionAttributeValues: { ':partition': string } };

const fromMs = Date.parse('2026-11-21T13:00:00Z');
const toMs = Date.parse('2026-11-21T14:00:00Z');

test('I20 a part of the index is read beyond its first page, so that no lost change is missed', async () => {
  const asked: [string, unknown][] = [];
  const send = async ({ input }: { input: Asked }) => {
    const { ExclusiveStartKey: start, ExpressionAttributeValues: values } = input;
    asked.push([values[':partition'], start]);
    const uuid = `${values[':partition']} ${start === undefined ? 'first' : 'second'}`;
    return {
      Items: [{ uuid, version: 2, notifyFromVersion: 1, updatedAtMs: fromMs }],
      ...(start === undefined && { LastEvaluatedKey: { uuid } }),
    };
  };
  const documents = { send } as unknown as DynamoDBDocumentClient;
  const index = createChangeIndex({ documents, transactionsTable: 'Transactions' });

  const found: string[] = [];
  for await (const { uuid } of index.changedBetween({ fromMs, toMs })) found.push(uuid);

  const parts = [0, 1, 2, 3].map((part) => `2026-11-21T13#${part}`);
  expect(found).toEqual(parts.flatMap((part) => [`${part} first`, `${part} second`]));
  expect(asked).toEqual([
    ...parts.map((part) => [part, undefined]),
    ...parts.map((part) => [part, { uuid: `${part} first` }]),
  ]);
});
