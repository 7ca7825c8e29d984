import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { tickDelays } from '../shared/domain/event/timing.ts';
import { chunksOf } from '../shared/runtime/chunks.ts';

type TickQueue = { queueUrl: string };
type DelayedTicksConfig = TickQueue & { tickSeconds: number };

/** The ticks go out before the flush, so they may not take long; those of other minutes are under way. */
export const createQueueClient = (): SQSClient =>
  new SQSClient({ maxAttempts: 2, requestHandler: { requestTimeout: 1_000, throwOnRequestTimeout: true } });

const largestBatch = 10;

/**
 * Sends the delayed messages that close the gap between two runs of a schedule. A message is empty: its receiver looks at
 * what is due. What the queue does not take is sent once more, and then it is a fault.
 */
export const createDelayedTicks =
  (client: Pick<SQSClient, 'send'>, { queueUrl, tickSeconds }: DelayedTicksConfig) =>
  (): Promise<void> =>
    sendTicks(client, { queueUrl }, tickDelays(tickSeconds));

/** Sends one tick without delay: thousands that are due together are worked on without a pause until the next tick. */
export const createNextTick = (client: Pick<SQSClient, 'send'>, queue: TickQueue) => (): Promise<void> =>
  sendTicks(client, queue, [0]);

const sendTicks = async (
  client: Pick<SQSClient, 'send'>,
  { queueUrl }: TickQueue,
  delays: readonly number[],
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
  const left = await send(await send(delays.map(toEntry)));
  if (left.length > 0) throw new Error(`The queue did not take ${left.length} ticks`);
};

/** SQS refuses an empty body. */
const toEntry = (delay: number): SendMessageBatchRequestEntry => ({
  Id: `after-${delay}`,
  DelaySeconds: delay,
  MessageBody: '-',
});
