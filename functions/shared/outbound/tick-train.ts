import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { trainDelays } from '../domain/event/settings.ts';

export type TickTrainConfig = { queueUrl: string; tickSeconds: number };

/** It goes out before the flush, so it may not take long; the trains of other minutes are under way. */
export const createQueueClient = (): SQSClient =>
  new SQSClient({ maxAttempts: 2, requestHandler: { requestTimeout: 1_000, throwOnRequestTimeout: true } });

const largestBatch = 10;

/**
 * Sends the train of delayed messages that closes the gap between two runs of a schedule (events 2). A message is empty:
 * whoever receives it looks at what is due. What the queue does not take is sent once more, and then it is a fault.
 */
export const createTickTrain =
  (client: Pick<SQSClient, 'send'>, { queueUrl, tickSeconds }: TickTrainConfig) =>
  async (): Promise<void> => {
    const send = async (entries: SendMessageBatchRequestEntry[]) => {
      const answers = await Promise.all(
        inBatches(entries).map((Entries) =>
          client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries })),
        ),
      );
      const failed = new Set(answers.flatMap(({ Failed = [] }) => Failed).map(({ Id }) => Id));
      return entries.filter(({ Id }) => failed.has(Id));
    };
    const left = await send(await send(trainDelays(tickSeconds).map(toEntry)));
    if (left.length > 0) throw new Error(`The queue did not take ${left.length} ticks`);
  };

/** SQS refuses an empty body. */
const toEntry = (delay: number): SendMessageBatchRequestEntry => ({
  Id: `after-${delay}`,
  DelaySeconds: delay,
  MessageBody: '-',
});

const inBatches = <Entry>(entries: Entry[]): Entry[][] =>
  Array.from({ length: Math.ceil(entries.length / largestBatch) }, (_, index) =>
    entries.slice(index * largestBatch, (index + 1) * largestBatch),
  );
