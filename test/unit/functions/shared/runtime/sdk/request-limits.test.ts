import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createProbeClient } from '../../../../../../functions/keep-endpoints/invoke-probe.ts';
import { createEventBridgeClient } from '../../../../../../functions/shared/outbound/event-bus-client.ts';
import { createQueueClient } from '../../../../../../functions/shared/outbound/flush-queues.ts';
import { createDocumentClient } from '../../../../../../functions/shared/store/dynamodb/client.ts';
import { createSecretsClient } from '../../../../../../functions/shared/store/secrets/client.ts';

const { AWS_REGION } = process.env;
beforeEach(() => {
  process.env.AWS_REGION = 'eu-west-2';
});
afterEach(() => {
  if (AWS_REGION === undefined) delete process.env.AWS_REGION;
  else process.env.AWS_REGION = AWS_REGION;
});

type Limits = { requestTimeout?: number; socketTimeout?: number; throwOnRequestTimeout?: boolean };
type Client = {
  config: { maxAttempts: () => Promise<number>; requestHandler: { configProvider: Promise<Limits> } };
};

const limitsOf = async ({ config }: Client) => {
  const { requestTimeout, socketTimeout, throwOnRequestTimeout } = await config.requestHandler.configProvider;
  return [await config.maxAttempts(), requestTimeout, socketTimeout, throwOnRequestTimeout];
};

test.each<[string, () => unknown, number]>([
  ['DynamoDB', createDocumentClient, 3_000],
  ['Secrets Manager', createSecretsClient, 3_000],
  ['EventBridge', createEventBridgeClient, 3_000],
  ['SQS', createQueueClient, 1_000],
])('STO-3 a request to %s is given up after a while, twice at most', async (_, create, timeoutMs) => {
  expect(await limitsOf(create() as Client)).toEqual([2, timeoutMs, timeoutMs, true]);
});

test('V2-13 a check of an address has 20 s, and is invoked once', async () => {
  expect(await limitsOf(createProbeClient() as unknown as Client)).toEqual([1, 20_000, 20_000, true]);
});
