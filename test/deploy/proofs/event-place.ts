import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  type MessageAttributeValue,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { readEndpoint } from '../../../functions/shared/outbound/endpoint/state.ts';
import { createWorkerRequest } from '../../../functions/shared/outbound/flush-queues.ts';
import { createDocumentClient } from '../../../functions/shared/store/dynamodb/client.ts';
import { signatureKey } from '../../../functions/shared/store/partners/keys.ts';
import { configOf } from '../../../lib/config.ts';
import { text } from '../../journeys/answers.ts';
import { type Emulator, settingsFor } from '../account.ts';
import type { Outputs } from '../cdk.ts';
import { outputNamed } from '../deployed.ts';

/** How long a transaction rests before its changes are sent. */
export const dormancyMs = configOf('staging').eventTimes.dormancySeconds * 1000;
/** A change of this age has rested. */
export const agedMs = dormancyMs + 10_000;

type Item = Record<string, unknown>;

/** The tables, the bus and the queues of the deployed stacks, as far as checks read or change them. */
export type EventPlace = ReturnType<typeof eventPlaceOf>;

const debounceRowKey = (uuid: string) => ({ pk: `TX#${uuid}`, sk: 'NOTIFY' });

export const eventPlaceOf = (emulator: Emulator, outputs: Outputs) => {
  const config = settingsFor(emulator);
  const documents = createDocumentClient(config);
  const queues = new SQSClient(config);
  const bus = new EventBridgeClient(config);
  const tables = {
    Transactions: outputNamed(outputs, 'TransactionsTable'),
    Partners: outputNamed(outputs, 'PartnersTable'),
    Debounce: outputNamed(outputs, 'DebounceTable'),
  };
  const queueUrl = async (name: string) =>
    text((await queues.send(new GetQueueUrlCommand({ QueueName: name }))).QueueUrl);
  const endpointSettings = {
    stage: 'staging',
    busName: outputNamed(outputs, 'EventBusName'),
    deliveryRoleArn: outputNamed(outputs, 'DeliveryRoleArn'),
    deadLetterQueueArn: outputNamed(outputs, 'DeadLetterQueueArn'),
  };
  /** A queue that no output names, by a part of its name. */
  const ownQueueUrl = async (part: string) => {
    const { QueueUrls = [] } = await queues.send(new ListQueuesCommand({}));
    return QueueUrls.find((url) => url.includes(part));
  };

  const get = async (table: keyof typeof tables, Key: Item): Promise<Item | undefined> =>
    (await documents.send(new GetCommand({ TableName: tables[table], Key, ConsistentRead: true }))).Item;
  /** `set('Partners', key, 'webhook.webhookUrl', value)` */
  const set = async (table: keyof typeof tables, Key: Item, path: string, value: unknown) => {
    const parts = path.split('.');
    await documents.send(
      new UpdateCommand({
        TableName: tables[table],
        Key,
        UpdateExpression: `SET ${parts.map((_, index) => `#p${index}`).join('.')} = :value`,
        ExpressionAttributeNames: Object.fromEntries(parts.map((part, index) => [`#p${index}`, part])),
        ExpressionAttributeValues: { ':value': value },
      }),
    );
  };
  const debounceRow = (uuid: string) => get('Debounce', debounceRowKey(uuid));

  return {
    get,
    /** The row of the Debounce table that says when the transaction is due and how far it was sent. */
    debounceRow,
    whenScheduled: (uuid: string) =>
      until(
        () => debounceRow(uuid),
        (found) => found?.dueAtMs !== undefined,
      ),
    removeDebounceRow: (uuid: string) =>
      documents.send(new DeleteCommand({ TableName: tables.Debounce, Key: debounceRowKey(uuid) })),
    /** Moves the last change of a transaction, and with it its place in the index of changes, which is of an hour. */
    setIndexedChangeAt: async (uuid: string, changedAtMs: number) => {
      const part = text((await get('Transactions', { uuid }))?.changedIn)
        .split('#')
        .at(-1);
      const hour = new Date(changedAtMs).toISOString().slice(0, 13);
      await set('Transactions', { uuid }, 'updatedAtMs', changedAtMs);
      await set('Transactions', { uuid }, 'changedIn', `${hour}#${part}`);
    },
    /** Moves the last change of a transaction, and with it the moment at which it is due. */
    setChangedAt: async (uuid: string, changedAtMs: number) => {
      await set('Transactions', { uuid }, 'updatedAtMs', changedAtMs);
      await set('Debounce', debounceRowKey(uuid), 'dueAtMs', changedAtMs + dormancyMs);
    },
    signatureOf: async (clientId: string) => text((await get('Partners', signatureKey(clientId)))?.signature),
    /** What the bus has of a partner's endpoint. */
    endpointOf: (clientId: string) => readEndpoint(bus, endpointSettings, clientId),
    sendDeadLetter: async (body: string, attributes: Record<string, string>) => {
      const name = outputNamed(outputs, 'DeadLetterQueueArn').split(':').at(-1) ?? '';
      const MessageAttributes = Object.fromEntries(
        Object.entries(attributes).map(([key, StringValue]): [string, MessageAttributeValue] => [
          key,
          { DataType: 'String', StringValue },
        ]),
      );
      const QueueUrl = await queueUrl(name);
      await queues.send(new SendMessageCommand({ QueueUrl, MessageBody: body, MessageAttributes }));
    },
    askForWorker: async (shard: number) => {
      const queueUrl = (await ownQueueUrl('PublisherShards')) ?? '';
      await createWorkerRequest({ client: queues, queueUrl })([shard], randomUUID());
    },
    /** Messages of due shards that wait or are being worked on. */
    shardMessages: async (): Promise<number> => {
      const names = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
      const QueueUrl = await ownQueueUrl('PublisherShards');
      const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] });
      const { Attributes = {} } = await queues.send(asked);
      return names.reduce((sum, name) => sum + Number(Attributes[name]), 0);
    },
    delayedTicks: async (): Promise<number> => {
      const QueueUrl = await ownQueueUrl('PublisherTicks');
      const name = 'ApproximateNumberOfMessagesDelayed';
      const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [name] });
      return Number((await queues.send(asked)).Attributes?.[name]);
    },
  };
};

/** Repeats the request until the answer is the wanted one, up to this time. */
export const until = async <Value>(
  ask: () => Promise<Value>,
  isIt: (value: Value) => boolean,
  withinSeconds = 30,
): Promise<Value> => {
  for (let tries = 0; tries < withinSeconds * 10; tries += 1) {
    const value = await ask();
    if (isIt(value)) return value;
    await pause(100);
  }
  throw new Error(`It did not come about within ${withinSeconds} s`);
};
