import { SendMessageBatchCommand, type SendMessageBatchRequestEntry, SQSClient } from '@aws-sdk/client-sqs';
import { type Lane, laneText } from '../domain/event/lane.ts';
import { chunksOf } from '../runtime/chunks.ts';
import { requestLimits } from '../runtime/sdk/request-limits.ts';

/** One of the two queues of the flush: ticks make it look at what is due, and others name a lane of it (EV-24). */
export type FlushQueue = { client: Pick<SQSClient, 'send'>; queueUrl: string };

/** Messages go out beside the work that matters, so they may not take long. */
export const createQueueClient = (): SQSClient => new SQSClient(requestLimits(1_000));

const largestBatch = 10;

/** Sends ticks that are seen after so many seconds. A message is empty: its receiver looks at what is due. */
export const sendTicks = (queue: FlushQueue, delays: readonly number[]): Promise<void> =>
  sendAll(queue, delays.map(toTick));

/** Asks for a run on each of these lanes, at once. */
export const sendLanes = (queue: FlushQueue, lanes: readonly Lane[]): Promise<void> =>
  sendAll(queue, lanes.map(toRequest));

/** What the queue does not take is sent once more, and then it is a fault. */
const sendAll = async ({ client, queueUrl }: FlushQueue, messages: SendMessageBatchRequestEntry[]) => {
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
  if (left.length > 0) throw new Error(`The queue did not take ${left.length} messages`);
};

/** SQS refuses an empty body. */
const toTick = (delay: number): SendMessageBatchRequestEntry => ({
  Id: `after-${delay}`,
  DelaySeconds: delay,
  MessageBody: '-',
});

const toRequest = (lane: Lane): SendMessageBatchRequestEntry => ({
  Id: `lane-${lane.lane}`,
  MessageBody: laneText(lane),
});

/**
 * Asks for a flush at once, by a function that made something due. The second tick is for an index that shows it late.
 */
export const createFlushRequest = (queue: FlushQueue) => (): Promise<void> => sendTicks(queue, [0, 1]);
