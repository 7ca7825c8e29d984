import { setTimeout as pause } from 'node:timers/promises';
import { EventBridgeClient, PutRuleCommand, PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  type MessageAttributeValue,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { DeleteCommand, GetCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '../../functions/shared/store/dynamodb/client.ts';
import { accountId } from './account.ts';
import { text } from './answers.ts';
import type { Outputs } from './cdk.ts';
import { outputNamed } from './deployed.ts';
import { type Ministack, region } from './ministack.ts';

type Item = Record<string, unknown>;

/** What lies behind way 2 in the deployed stacks, as far as proofs look at it or move it. */
export type EventPlace = ReturnType<typeof eventPlaceOf>;

export const eventPlaceOf = ({ endpoint }: Ministack, outputs: Outputs) => {
  const config = { endpoint, region, credentials: { accessKeyId: 'test', secretAccessKey: 'test' } };
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

  return {
    get: async (table: keyof typeof tables, Key: Item): Promise<Item | undefined> =>
      (await documents.send(new GetCommand({ TableName: tables[table], Key, ConsistentRead: true }))).Item,
    remove: (table: keyof typeof tables, Key: Item) =>
      documents.send(new DeleteCommand({ TableName: tables[table], Key })),
    /** `set('Partners', key, 'partner.webhookUrl', value)` */
    set: (table: keyof typeof tables, Key: Item, path: string, value: unknown) => {
      const parts = path.split('.');
      return documents.send(
        new UpdateCommand({
          TableName: tables[table],
          Key,
          UpdateExpression: `SET ${parts.map((_, index) => `#p${index}`).join('.')} = :value`,
          ExpressionAttributeNames: Object.fromEntries(parts.map((part, index) => [`#p${index}`, part])),
          ExpressionAttributeValues: { ':value': value },
        }),
      );
    },
    /** Everything that the bus takes goes into a queue from now on, one by one to be had. */
    listen: async () => {
      const EventBusName = outputNamed(outputs, 'EventBusName');
      const { QueueUrl } = await queues.send(new CreateQueueCommand({ QueueName: 'seen' }));
      const EventPattern = JSON.stringify({ source: ['svc.staging.online-payments'] });
      await bus.send(new PutRuleCommand({ Name: 'seen', EventBusName, EventPattern }));
      const target = { Id: 'seen', Arn: `arn:aws:sqs:${region}:${accountId}:seen` };
      await bus.send(new PutTargetsCommand({ Rule: 'seen', EventBusName, Targets: [target] }));
      return async (): Promise<unknown> => {
        const asked = new ReceiveMessageCommand({ QueueUrl, WaitTimeSeconds: 5, MaxNumberOfMessages: 1 });
        const [message] = (await queues.send(asked)).Messages ?? [];
        if (!message) return undefined;
        await queues.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: message.ReceiptHandle }));
        return JSON.parse(message.Body ?? 'null');
      };
    },
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
    delayedTicks: async (): Promise<number> => {
      const { QueueUrls = [] } = await queues.send(new ListQueuesCommand({}));
      const QueueUrl = QueueUrls.find((url) => url.includes('PublisherTicks'));
      const name = 'ApproximateNumberOfMessagesDelayed';
      const asked = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [name] });
      return Number((await queues.send(asked)).Attributes?.[name]);
    },
  };
};

/** Asks until there is an answer that will do, for ten seconds. */
export const until = async <Value>(
  ask: () => Promise<Value>,
  isIt: (value: Value) => boolean,
): Promise<Value> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const value = await ask();
    if (isIt(value)) return value;
    await pause(100);
  }
  throw new Error('It did not come about within 10 s');
};
