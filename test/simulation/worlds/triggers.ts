import type { SQSEvent } from 'aws-lambda';
import {
  collectTimeoutSeconds,
  keepTimeoutSeconds,
  messageHiddenSeconds,
  publishTimeoutSeconds,
  reconcileTimeoutSeconds,
  usualTimeoutSeconds,
} from '../../../lib/event-times.ts';
import { messagesAtOnce } from '../../../lib/flush-workers.ts';
import type { Ending, Process, ProcessKind } from '../kernel/process.ts';
import { createQueue, type QueueDeps } from '../service/queue.ts';
import { createStream } from '../service/stream.ts';
import type { OpenService } from './open-service.ts';

const minute = 60_000;

/** How long each function may run, in seconds, as the stacks set it up. */
const timeouts: Record<ProcessKind, number> = {
  'capture-change': usualTimeoutSeconds,
  'publish-dormant': publishTimeoutSeconds,
  reconcile: reconcileTimeoutSeconds,
  'collect-dead-letters': collectTimeoutSeconds,
  'keep-endpoints': keepTimeoutSeconds,
  'v2-write': usualTimeoutSeconds,
  'v1-transaction': usualTimeoutSeconds,
  // A person's machine.
  operator: 600,
};

/** Runs a function once; `onEnd` is called with how it ended, also on its death. */
export const startIn =
  ({ processes }: Pick<OpenService, 'processes'>) =>
  <Value>(
    kind: ProcessKind,
    work: (process: Process) => Promise<Value>,
    onEnd?: (ending: Ending<Value>) => void,
  ) =>
    processes.start({ kind, timeoutMs: timeouts[kind] * 1_000 }, work, onEnd);

/** What calls the functions: the stream, the queues and the schedules of the stacks. */
export const connectTriggers = (open: OpenService) => {
  connectStream(open);
  connectQueues(open);
  connectDeadLetters(open);
  connectSchedules(open);
};

const connectStream = (open: OpenService) => {
  const { kernel, faults, history, wires, service, random, plan } = open;
  const start = startIn(open);
  const stream = createStream({
    ...{ kernel, faults, random: random('stream') },
    ...(plan.isStreamWild && { wild: random('wild stream') }),
    isLost: plan.isStreamLost === true,
    call: (records, onEnd) =>
      start(
        'capture-change',
        async (process) => failuresIn(await service.captureChange(process, { Records: records })),
        onEnd,
      ),
    onLost: (uuid) => history.lostRecords.push({ atMs: kernel.nowMs(), uuid }),
  });
  wires.changed = (before, after) => stream.write(before, after, history.epochMs + kernel.nowMs());
};

const connectQueues = (open: OpenService) => {
  const queues = { ...flushQueues(open), endpoints: endpointQueue(open) };
  open.wires.sent = (queue, message, delaySeconds) => queues[queue].send(message, delaySeconds * 1_000);
};

const flushQueues = (open: OpenService) => {
  const { kernel, faults, service, random } = open;
  const start = startIn(open);
  const publish: QueueDeps['call'] = (event, onEnd) =>
    start(
      'publish-dormant',
      async (process) => failuresIn(await service.publishDormant(process, event)),
      onEnd,
    );
  const common = { kernel, faults, call: publish, mayLose: true };
  return {
    publish: createQueue({
      ...{ ...common, random: random('publish'), atMost: messagesAtOnce, batchSize: 10 },
      ...{ visibilityMs: messageHiddenSeconds * 1_000, retentionMs: 280_000 },
    }),
    shards: createQueue({
      ...{ ...common, random: random('shards'), atMost: open.plan.workers ?? 4, batchSize: 1 },
      ...{ visibilityMs: publishTimeoutSeconds * 1_000, retentionMs: minute, call: workedBy(open) },
    }),
  };
};

/** Names partners, now or later. */
const endpointQueue = (open: OpenService) => {
  const { kernel, faults, random, keepEndpoints } = open;
  const call: QueueDeps['call'] = (event, onEnd) =>
    startIn(open)(
      'keep-endpoints',
      async (process) => failuresIn(await keepEndpoints(process, event)),
      onEnd,
    );
  return createQueue({
    ...{ kernel, faults, call, mayLose: true, atMost: 5, random: random('endpoints'), batchSize: 1 },
    ...{ visibilityMs: keepTimeoutSeconds * 1_000, retentionMs: 60 * minute },
  });
};

/** Workers are recorded with their shard while no other worker may have its message (I23). */
const workedBy =
  (open: OpenService): QueueDeps['call'] =>
  (event, onEnd) => {
    const { history, kernel, service } = open;
    const fromMs = kernel.nowMs();
    const worked = { shard: shardIn(event), by: '', fromMs, untilMs: fromMs + publishTimeoutSeconds * 1_000 };
    history.workers.push(worked);
    const work = async (process: Process) => {
      worked.by = process.name;
      return failuresIn(await service.publishDormant(process, event));
    };
    startIn(open)('publish-dormant', work, (ending) => {
      if (ending.ok) worked.untilMs = Math.min(worked.untilMs, kernel.nowMs());
      onEnd(ending);
    });
  };

const shardIn = ({ Records: [record] }: SQSEvent) => Number(record?.body.replace('shard ', ''));

const connectDeadLetters = (open: OpenService) => {
  const { kernel, faults, wires, service, random } = open;
  const start = startIn(open);
  const deadLetters = createQueue({
    ...{ kernel, faults, random: random('dead letters'), atMost: 5, visibilityMs: 30_000 },
    call: (event, onEnd) =>
      start(
        'collect-dead-letters',
        async (process) => failuresIn(await service.collectDeadLetters(process, event)),
        onEnd,
      ),
  });
  wires.buried = deadLetters.send;
};

const connectSchedules = (open: OpenService) => {
  const { service, keepEndpoints } = open;
  const start = startIn(open);
  every(open, 10, () => start('keep-endpoints', (process) => keepEndpoints(process, {})));
  every(open, 1, () =>
    start('publish-dormant', (process) => service.publishDormant(process, { time: 'now' })),
  );
  every(open, 10, () => start('reconcile', (process) => service.reconcile(process, { lookBackMinutes: 30 })));
  open.kernel.at(open.plan.activeMs + 5 * minute, () =>
    start('reconcile', (process) => service.reconcile(process, { isDaily: true })),
  );
};

/** As precise as the scheduler is: some time within the minute. */
const every = ({ plan, kernel, faults, random }: OpenService, minutes: number, what: () => void) => {
  const phases = random('schedule', minutes);
  for (let fromMs = 0; fromMs < plan.activeMs + plan.restMs; fromMs += minutes * minute)
    kernel.at(fromMs + phases.integer(0, minute - 1), () => {
      if (!faults.hits('tick-missed')) what();
      if (faults.hits('tick-doubled')) kernel.after(faults.someMs(0, 30_000), what);
    });
};

const failuresIn = (answer: { batchItemFailures: { itemIdentifier: string }[] } | undefined) =>
  (answer?.batchItemFailures ?? []).map(({ itemIdentifier }) => itemIdentifier);
