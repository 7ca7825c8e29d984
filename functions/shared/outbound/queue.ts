import {
  SendMessageBatchCommand,
  type SendMessageBatchRequestEntry,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { chunksOf } from '../runtime/chunks.ts';

/** An SQS queue to send to. */
export type OutboundQueue = { client: Pick<SQSClient, 'send'>; queueUrl: string };

const largestBatch = 10;

/** Sends messages. Refused ones are sent once more; then it is a fault. */
export const sendMessages = async (
  { client, queueUrl }: OutboundQueue,
  messages: SendMessageBatchRequestEntry[],
): Promise<void> => {
  const send = async (entries: SendMessageBatchRequestEntry[]) => {
    const answers = await Promise.all(
      chunksOf(entries, largestBatch).map((Entries) =>
        client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries })),
      ),
    );
    const failed = new Set(answers.flatMap(({ Failed = [] }) => Failed).map(({ Id }) => Id));
    return entries.filter(({ Id }) => failed.has(Id));
  };
  const left = await send(await send(messages));
  if (left.length > 0) throw new Error(`The queue did not accept ${left.length} messages`);
};
