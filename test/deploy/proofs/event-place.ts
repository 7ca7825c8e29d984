import { setTimeout as pause } from 'node:timers/promises';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import {
  GetQueueUrlCommand,
  type MessageAttributeValue,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { readEndpoint } from '../../../functions/shared/outbound/endpoint/state.ts';
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
  const endpointSettings = {
    stage: 'staging',
    busName: outputNamed(outputs, 'EventBusName'),
    deliveryRoleArn: outputNamed(outputs, 'DeliveryRoleArn'),
    deadLetterQueueArn: outputNamed(outputs, 'DeadLetterQueueArn'),
  };
  const get = async (table: keyof typeof tables, Key: Item): Promise<Item | undefined> =>
    (await documents.send(new GetCommand({ TableName: tables[table], Key, ConsistentRead: true }))).Item;
  const set = async (table: keyof typeof tables, Key: Item, name: string, value: unknown) => {
    await documents.send(
      new UpdateCommand({
        TableName: tables[table],
        Key,
        UpdateExpression: 'SET #name = :value',
        ExpressionAttributeNames: { '#name': name },
        ExpressionAttributeValues: { ':value': value },
      }),
    );
  };
  const debounceRow = (uuid: string) => get('Debounce', debounceRowKey(uuid));

  return {
    get,
    whenScheduled: (uuid: string) =>
      until(
        () => debounceRow(uuid),
        (found) => found?.dueAtMs !== undefined,
      ),
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
      const { QueueUrl } = await queues.send(new GetQueueUrlCommand({ QueueName: name }));
      await queues.send(new SendMessageCommand({ QueueUrl, MessageBody: body, MessageAttributes }));
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
