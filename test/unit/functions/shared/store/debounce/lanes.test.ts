import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { createLaneStore } from '../../../../../../functions/shared/store/debounce/lanes.ts';

test('EV-24 who holds lanes is one question, answered as it is now', async () => {
  const asked: unknown[] = [];
  const send = async ({ input }: { input: unknown }) => {
    asked.push(input);
    return {
      Items: [
        { sk: '3', untilMs: 1_001 },
        { sk: '11', untilMs: 1_000 },
      ],
    };
  };
  const documents = { send } as unknown as DynamoDBDocumentClient;
  const lanes = createLaneStore({ documents, debounceTable: 'Debounce', clock: () => new Date(0) });

  expect(await lanes.held(1_000)).toEqual(new Set([3]));
  expect(asked).toMatchObject([{ TableName: 'Debounce', ConsistentRead: true }]);
});
