import { createPinnedPost, publicOrLoopback } from '../../functions/shared/outbound/probe/pinned-post.ts';
import type { Clock } from '../../functions/shared/runtime/clock.ts';
import type { Operations } from '../aws/json-protocol.ts';
import type { CloudBus } from '../cloudformation/model.ts';
import type { MessagesFile } from '../data/messages-file.ts';
import type { Queues } from '../sqs/queue.ts';
import { createDispatcher } from './delivery/dispatcher.ts';
import { createReporter, type Reporting } from './delivery/report.ts';
import { createDeliveryStore } from './delivery/store.ts';
import { createEventRecords } from './records.ts';
import { eventOperations } from './server.ts';

export type BusDeps = Reporting & {
  file: MessagesFile;
  buses: readonly CloudBus[];
  queues: Queues;
  now: Clock;
  /** Sends a request; replaced in tests. */
  post?: typeof usualPost;
  random?: () => number;
};

export type Bus = { operations: Operations; stop: () => Promise<void> };

const usualPost = createPinnedPost({ isAllowed: publicOrLoopback });
/** The longest delay of a retry. */
const dispatchEveryMs = 100;
const patienceMs = 1000;

/** The stage's EventBridge. It keeps each accepted event until it is delivered or given up. */
export const startBus = ({ file, queues, now, ...deps }: BusDeps): Bus => {
  const { inOneStep } = file;
  const records = createEventRecords(file);
  const deliveries = createDeliveryStore(file);
  const dispatcher = createDispatcher({
    deliveries,
    records,
    inOneStep,
    now,
    sendToQueue: (arn, message) => {
      const queue = queues.declared.find((declared) => declared.arn === arn);
      if (queue) queues.store.send(queue, message, now().getTime());
      else deps.log({ at: now().toISOString(), lostForWantOfQueue: arn });
    },
    post: deps.post ?? usualPost,
    report: createReporter(deps),
    random: deps.random ?? Math.random,
    patienceMs,
  });
  const { dispatchDue, dispatchAccepted, removeTarget, stop } = dispatcher;
  const timer = setInterval(dispatchDue, dispatchEveryMs);
  return {
    operations: eventOperations({
      buses: deps.buses,
      records,
      deliveries,
      inOneStep,
      removeTarget,
      dispatchAccepted,
      now,
      ...(deps.emit && { emit: deps.emit }),
    }),
    stop: async () => {
      clearInterval(timer);
      await stop();
    },
  };
};
