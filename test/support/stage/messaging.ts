import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateApiDestinationCommand,
  CreateConnectionCommand,
  EventBridgeClient,
  PutRuleCommand,
  PutTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import {
  type EndpointSettings,
  ruleOf,
  targetOf,
} from '../../../functions/shared/outbound/endpoint/definition.ts';
import { busOperations, busRecords } from '../../../localstack/embedded/aws/bus.ts';
import { type Attempt, openDeliveries } from '../../../localstack/embedded/aws/delivery.ts';
import { openAws } from '../../../localstack/embedded/aws/protocol.ts';
import { openQueues } from '../../../localstack/embedded/aws/queues.ts';
import { openState } from '../../../localstack/embedded/state.ts';
import { arn, busName } from '../../../localstack/embedded/wiring.ts';
import { settingsFor } from '../engine/engine.ts';

const testBus = { name: busName, arn: arn('events', `event-bus/${busName}`) };

/** The embedded stage's bus and queues as a stage starts them, and the SDK's client for it. */
export const startTestBus = async (folder = mkdtempSync(join(tmpdir(), 'messaging-'))) => {
  const recorded: Attempt[] = [];
  const state = openState(join(folder, 'state.db'));
  const aws = await openAws();
  const queues = openQueues(state);
  const records = busRecords(state);
  const onAttempt = (attempt: Attempt) => void recorded.push(attempt);
  const deliveries = openDeliveries({ state, records, queues, onAttempt });
  aws.serve(busOperations(state, records, deliveries));
  const client = new EventBridgeClient(settingsFor(aws.url));
  return {
    folder,
    client,
    recorded,
    /** What is in the dead-letter queue now; each is answered once in 30 s. */
    deadLetters: () => queues.receive('dead-letters', 10),
    stop: async () => {
      client.destroy();
      await deliveries.stop();
      await aws.stop();
      state.close();
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
};
export type TestBus = Awaited<ReturnType<typeof startTestBus>>;

/** Connection, destination, rule and target of a partner, as the operator's tool makes them. */
export const registerPartner = async (
  { client }: Pick<TestBus, 'client'>,
  name: string,
  url: string,
  {
    RetryPolicy = { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 },
    deadLetterQueueArn = arn('sqs', 'dead-letters'),
  } = {},
) => {
  const AuthParameters = {
    ApiKeyAuthParameters: { ApiKeyName: 'X-Webhook-Signature', ApiKeyValue: `${name}-signature` },
  };
  const { ConnectionArn } = await client.send(
    new CreateConnectionCommand({ Name: name, AuthorizationType: 'API_KEY', AuthParameters }),
  );
  const { ApiDestinationArn } = await client.send(
    new CreateApiDestinationCommand({
      Name: name,
      ConnectionArn,
      InvocationEndpoint: url,
      HttpMethod: 'POST',
    }),
  );
  const place: EndpointSettings = {
    stage: 'local',
    busName: testBus.name,
    deliveryRoleArn: 'arn:aws:iam::000000000000:role/delivery',
    deadLetterQueueArn,
  };
  await client.send(new PutRuleCommand({ ...ruleOf(place, name), Name: name }));
  const target = { ...targetOf(place, ApiDestinationArn), RetryPolicy };
  await client.send(new PutTargetsCommand({ Rule: name, EventBusName: testBus.name, Targets: [target] }));
};

/** Waits for what must come, and not for ever: a test that failed would keep the others from ending. */
export const until = async (holds: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<void> => {
  const lastMs = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > lastMs) throw new Error(`What was waited for did not come within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
