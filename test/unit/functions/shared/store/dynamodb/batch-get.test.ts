import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import { faultProblem } from '../../../../../../functions/shared/middleware/faults.ts';
import { batchGet } from '../../../../../../functions/shared/store/dynamodb/batch-get.ts';

test('ERR-4: keys that an engine at its limit leaves unprocessed for ten rounds are 503, not 500', async () => {
  let rounds = 0;
  const send = async () => {
    rounds += 1;
    return { UnprocessedKeys: { Transactions: { Keys: [{ uuid: 'u1' }] } } };
  };
  const documents = { send } as unknown as DynamoDBDocumentClient;
  const retryDelays = { random: () => 0, sleep: async () => undefined };
  const reading = batchGet({ documents, retryDelays }, { table: 'Transactions', keys: [{ uuid: 'u1' }] });

  const fault = await reading.catch((error: unknown) => error);
  expect(rounds).toBe(10);
  expect(faultProblem(fault)).toMatchObject({ problem: 'unavailable', headers: { 'Retry-After': '2' } });
});
