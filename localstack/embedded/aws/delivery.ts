import { setTimeout as pause } from 'node:timers/promises';
import { refuse } from '../../../functions/shared/domain/outcome.ts';
import {
  createPinnedPost,
  type PinnedPost,
  publicOrLoopback,
} from '../../../functions/shared/outbound/probe/pinned-post.ts';
import type { State } from '../state.ts';
import { arn, type QueueName, queues as queueWiring } from '../wiring.ts';
import { nameInArn } from './api-destinations.ts';
import {
  type AttemptOutcome,
  type Cause,
  type Delivery,
  deadLetterOf,
  type NextStep,
  nextStep,
  requestOf,
} from './attempt.ts';
import type { BusRecords } from './bus.ts';
import type { Queues } from './queues.ts';

/** An attempt, for the log and the stage's page. */
export type Attempt = {
  /** The event as it was accepted. */
  event: { id: string; 'detail-type': string; detail?: Record<string, unknown> };
  destination: string;
  /** Counted from 1. */
  attempt: number;
  startedMs: number;
  result: { status: number } | { error: string };
  next: NextStep;
};

/** An attempt in words: `attempt 2: status 503, again at 2026-11-21T13:00:07.000Z`. */
export const saidOf = ({ attempt, result, next }: Attempt): string => {
  const answered = 'status' in result ? `status ${result.status}` : result.error;
  const ends = { delivered: 'delivered', dead: 'given up' };
  const after = next.kind === 'retry' ? `again at ${new Date(next.atMs).toISOString()}` : ends[next.kind];
  return `attempt ${attempt}: ${answered}, ${after}`;
};

export type DeliveryOptions = {
  state: State;
  records: BusRecords;
  queues: Queues;
  /** Hears of each attempt before its result is stored. */
  onAttempt: (attempt: Attempt) => Promise<void> | void;
  /** A number from 0 to 1, for the pauses between attempts. */
  random?: () => number;
  post?: PinnedPost;
};

/** Attempts at one destination at a time: a receiver that hangs holds that many connections, for 5 s each. */
const mostAtOnce = 10;
const pollMs = 100;
/** How long `stop` waits for running attempts. */
const patienceMs = 1_000;

const postPinned = createPinnedPost({ isAllowed: publicOrLoopback });

/** Accepted events, and the sending of each until it is delivered or given up. */
export const openDeliveries = ({
  state,
  records,
  queues,
  onAttempt,
  random = Math.random,
  post = postPinned,
}: DeliveryOptions) => {
  const { db, inOneStep } = state;
  const insert = db.prepare(
    'INSERT INTO deliveries (destination, rule, target, event, acceptedMs, dueMs) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const dueDestinations = db.prepare('SELECT DISTINCT destination FROM deliveries WHERE dueMs <= ?');
  const dueAt = db.prepare(
    'SELECT * FROM deliveries WHERE destination = ? AND dueMs <= ? ORDER BY dueMs, id LIMIT ?',
  );
  const nextDue = db.prepare('SELECT MIN(dueMs) AS ms FROM deliveries');
  const postpone = db.prepare('UPDATE deliveries SET attempts = ?, dueMs = ? WHERE id = ?');
  const remove = db.prepare('DELETE FROM deliveries WHERE id = ?');
  const read = (row: unknown): Delivery => {
    const { target, ...delivery } = row as Omit<Delivery, 'target'> & { target: string };
    return { ...delivery, target: JSON.parse(target) };
  };

  /** Running attempts and the starts of the last second, by destination: each has limits of its own (S-52). */
  const destinations = new Map<string, { running: Set<number>; startsMs: number[] }>();
  const attempts = new Set<Promise<void>>();
  const stopping = new AbortController();
  let isStopped = false;

  const sendTo = (destination: string) => {
    const nowMs = Date.now();
    const { running, startsMs } = destinations.get(destination) ?? { running: new Set(), startsMs: [] };
    const recent = startsMs.filter((ms) => ms > nowMs - 1_000);
    destinations.set(destination, { running, startsMs: recent });
    const perSecond = records.destinations.get(nameInArn(destination))?.InvocationRateLimitPerSecond ?? 300;
    const free = Math.min(mostAtOnce - running.size, perSecond - recent.length);
    if (free <= 0) return;
    const due = dueAt.all(destination, nowMs, running.size + free).map(read);
    for (const delivery of due.filter(({ id }) => !running.has(id)).slice(0, free)) {
      running.add(delivery.id);
      recent.push(nowMs);
      const attempt = send(delivery)
        .finally(() => {
          running.delete(delivery.id);
          attempts.delete(attempt);
        })
        .then(() => {
          if (!isStopped) sendTo(destination);
        });
      attempts.add(attempt);
    }
  };

  const sendDue = () => {
    if (isStopped) return;
    for (const { destination } of dueDestinations.all(Date.now())) sendTo(String(destination));
  };

  const send = async (delivery: Delivery) => {
    const startedMs = Date.now();
    const attempt = delivery.attempts + 1;
    const outcome = await ask(delivery);
    // Aborted by the end of the stage: this does not count as an attempt, and the next start repeats it.
    if (!outcome.ok && stopping.signal.aborted) return;
    const next = nextStep(outcome, { delivery, attempt, nowMs: Date.now(), jitter: random() });
    await onAttempt({
      event: JSON.parse(delivery.event),
      destination: nameInArn(delivery.target.Arn),
      result: outcome.ok ? { status: outcome.value.status } : { error: outcome.reason },
      ...{ attempt, startedMs, next },
    });
    if (next.kind === 'delivered') remove.run(delivery.id);
    else if (next.kind === 'retry') postpone.run(attempt, next.atMs, delivery.id);
    else bury({ ...delivery, attempts: attempt }, { outcome, exhausted: next.exhausted });
  };

  const ask = async (delivery: Delivery): Promise<AttemptOutcome> => {
    const { Arn } = delivery.target;
    const isTarget = records.rules.get(delivery.rule)?.targets.some((one) => one.Arn === Arn);
    const destination = isTarget ? records.destinations.get(nameInArn(Arn)) : undefined;
    const connection = destination && records.connections.get(nameInArn(destination.ConnectionArn));
    if (destination?.ApiDestinationArn !== Arn || connection?.ConnectionArn !== destination.ConnectionArn)
      return refuse('target removed');
    return post(requestOf(delivery, destination, connection), stopping.signal);
  };

  const bury = (delivery: Delivery, cause: Cause) =>
    inOneStep(() => {
      const queue = queueOf(delivery.target.DeadLetterConfig.Arn);
      if (queue) queues.send(queue, deadLetterOf(delivery, cause));
      remove.run(delivery.id);
    });

  const timer = setInterval(sendDue, pollMs);
  return {
    accept: ({ rule, target, event }: Pick<Delivery, 'rule' | 'target' | 'event'>) => {
      const nowMs = Date.now();
      insert.run(target.Arn, rule, JSON.stringify(target), event, nowMs, nowMs);
    },
    sendAccepted: sendDue,
    /** When the next attempt is due, in milliseconds; undefined when nothing waits. */
    nextDueMs: (): number | undefined => (nextDue.get() as { ms: number | null }).ms ?? undefined,
    isSending: () => attempts.size > 0,
    /** Aborts attempts that hang. The next start makes them again. */
    stop: async () => {
      isStopped = true;
      clearInterval(timer);
      const over = Promise.allSettled(attempts);
      await Promise.race([over, pause(patienceMs, undefined, { ref: false })]);
      stopping.abort();
      await over;
    },
  };
};

/** The queue with this ARN. */
const queueOf = (queueArn: string): QueueName | undefined =>
  (Object.keys(queueWiring) as QueueName[]).find((name) => arn('sqs', name) === queueArn);
