import type { Clock } from '../../functions/shared/runtime/clock.ts';
import { queueUrl } from '../aws/names.ts';
import type { CloudQueue } from '../cloudformation/model.ts';
import type { MessagesFile } from '../data/messages-file.ts';
import type { MessageToSend, QueueMessage, SentMessage } from './message.ts';
import { createQueueStore, type QueueStore } from './store.ts';

/** An SQS queue for use within the stage's process. */
export type Queue = {
  arn: string;
  url: string;
  send: (message: MessageToSend) => Promise<SentMessage>;
  /** Returns at once, with an empty list if no message is visible. */
  receive: (max: number) => Promise<QueueMessage[]>;
  remove: (receiptHandle: string) => Promise<void>;
};

export type Queues = {
  byArn: ReadonlyMap<string, Queue>;
  declared: readonly CloudQueue[];
  store: QueueStore;
  /** The address of the local SQS. */
  endpoint: string;
};

/** Opens the template's queues, with the messages of the file. */
export const openQueues = (
  file: MessagesFile,
  declared: readonly CloudQueue[],
  { now, endpoint }: { now: Clock; endpoint: string },
): Queues => {
  const store = createQueueStore(file);
  const nowMs = () => now().getTime();
  const open = (queue: CloudQueue): Queue => ({
    arn: queue.arn,
    url: queueUrl(endpoint, queue.name),
    send: async (message) => store.send(queue, message, nowMs()),
    receive: async (max) => store.receive(queue, max, nowMs()),
    remove: async (receiptHandle) => store.remove(queue, receiptHandle, nowMs()),
  });
  return { byArn: new Map(declared.map((queue) => [queue.arn, open(queue)])), declared, store, endpoint };
};
