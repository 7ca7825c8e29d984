import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateApiDestinationCommand,
  CreateConnectionCommand,
  EventBridgeClient,
  PutEventsCommand,
  PutRuleCommand,
  PutTargetsCommand,
} from '@aws-sdk/client-eventbridge';
import {
  type EndpointSettings,
  ruleOf,
  targetOf,
} from '../../../functions/shared/outbound/endpoint/definition.ts';
import type { AttemptRecord } from '../../../localstack/eventbridge/delivery/report.ts';
import { openMessaging } from '../../../localstack/messaging.ts';
import { settingsFor } from '../engine/engine.ts';

const arn = (service: string, name: string) => `arn:aws:${service}:eu-west-2:000000000000:${name}`;
export const testBus = { id: 'Bus', name: 'Bus', arn: arn('events', 'event-bus/Bus') };
const deadLetterQueue = {
  id: 'DeadLetters',
  name: 'DeadLetters',
  arn: arn('sqs', 'DeadLetters'),
  visibilitySeconds: 30,
  retentionSeconds: 1_209_600,
};

/** The embedded stage's bus and queues as a stage starts them, with one bus and one queue, and the SDK's client for it. */
export const startTestBus = async (folder = mkdtempSync(join(tmpdir(), 'messaging-'))) => {
  const recorded: AttemptRecord[] = [];
  const messaging = await openMessaging(join(folder, 'events.db'));
  const served = messaging.serve(
    { buses: [testBus], queues: [deadLetterQueue] },
    {
      logs: folder,
      recordAttempt: async (record) => {
        recorded.push(record);
      },
    },
  );
  const client = new EventBridgeClient(settingsFor(messaging.endpoints.eventbridge));
  return {
    folder,
    client,
    recorded,
    /** What is in the dead-letter queue now; each is answered once in 30 s. */
    deadLetters: async () => (await served.queues.get(deadLetterQueue.arn)?.receive(10)) ?? [],
    stop: async () => {
      client.destroy();
      await served.stop();
      await messaging.stop();
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
  RetryPolicy = { MaximumRetryAttempts: 185, MaximumEventAgeInSeconds: 86_400 },
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
    deadLetterQueueArn: deadLetterQueue.arn,
  };
  await client.send(new PutRuleCommand({ ...ruleOf(place, name), Name: name }));
  const target = { ...targetOf(place, ApiDestinationArn), RetryPolicy };
  await client.send(new PutTargetsCommand({ Rule: name, EventBusName: 'Bus', Targets: [target] }));
};

/** An entry for a partner, as the service sends it. */
export const entryFor = (partner: string, id: string, message: object = { id }) => ({
  EventBusName: 'Bus',
  Source: 'svc.local.online-payments',
  DetailType: 'TransactionUpdated',
  Detail: JSON.stringify({ to: partner, message, delivery: { id, from: '0', to: '1', omitted: '' } }),
});

export const publish = ({ client }: Pick<TestBus, 'client'>, ...Entries: ReturnType<typeof entryFor>[]) =>
  client.send(new PutEventsCommand({ Entries }));

/** Waits for what must come, and not for ever: a test that failed would keep the others from ending. */
export const until = async (holds: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<void> => {
  const lastMs = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > lastMs) throw new Error(`What was waited for did not come within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
