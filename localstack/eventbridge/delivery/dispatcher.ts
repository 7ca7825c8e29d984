import { setTimeout as pause } from 'node:timers/promises';
import { refuse } from '../../../functions/shared/domain/outcome.ts';
import type { PinnedPost } from '../../../functions/shared/outbound/probe/pinned-post.ts';
import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import type { MessageToSend } from '../../sqs/message.ts';
import { type EventRecords, nameInArn } from '../records.ts';
import { type Cause, deadLetterOf } from './dead-letter.ts';
import { createLane, type Lane } from './lane.ts';
import type { AttemptReport } from './report.ts';
import { requestOf } from './request.ts';
import type { Delivery, DeliveryStore } from './store.ts';
import { type AttemptOutcome, judgeAttempt, type Verdict } from './verdict.ts';

export type DispatcherDeps = {
  deliveries: DeliveryStore;
  records: Pick<EventRecords, 'connections' | 'destinations'>;
  sendToQueue: (arn: string, message: MessageToSend) => void;
  inOneStep: <Result>(work: () => Result) => Result;
  post: PinnedPost;
  report: (report: AttemptReport) => Promise<void>;
  now: Clock;
  /** From 0 to 1. */
  random: () => number;
  /** How long the end of the stage waits for attempts that run. */
  patienceMs: number;
};

export type Dispatcher = {
  /** Begins what is due and may begin. */
  pump: () => void;
  /** A target was removed: what waits for it goes to the dead-letter queue at once, what is being sent after this attempt. */
  recall: (ruleArn: string, targetId: string) => void;
  /** Attempts that hang are cut short then; they are made again at the next start. */
  stop: () => Promise<void>;
};

/** Sends accepted events to their destinations until each is delivered or given up; the file knows how far it came. */
export const createDispatcher = (deps: DispatcherDeps): Dispatcher => {
  const { deliveries, records, inOneStep, now } = deps;
  const lanes = new Map<string, Lane>();
  const attempts = new Set<Promise<void>>();
  const stopping = new AbortController();
  let stopped = false;

  const laneOf = (destination: string): Lane => {
    const lane = lanes.get(destination) ?? createLane();
    lanes.set(destination, lane);
    return lane;
  };

  const pump = () => {
    if (stopped) return;
    buryRecalled();
    for (const destination of deliveries.dueDestinations(now().getTime())) fill(destination);
  };

  const fill = (destination: string) => {
    const nowMs = now().getTime();
    const lane = laneOf(destination);
    const perSecond = records.destinations.get(nameInArn(destination))?.InvocationRateLimitPerSecond ?? 300;
    const free = lane.free(nowMs, perSecond);
    const due = deliveries.due(destination, nowMs, lane.running.size + free);
    for (const delivery of due.filter(({ id }) => !lane.running.has(id)).slice(0, free)) {
      lane.begin(delivery.id, nowMs);
      const attempt = run(delivery, lane).finally(() => attempts.delete(attempt));
      attempts.add(attempt);
    }
  };

  const run = async (delivery: Delivery, lane: Lane) => {
    const startedMs = now().getTime();
    const outcome = await send(delivery);
    // Cut short by the end of the stage: no attempt, and so the first thing to do at the next start.
    if (!outcome.ok && stopping.signal.aborted) return;
    const attempt = delivery.attempts + 1;
    const verdict = judgeAttempt(outcome, {
      attempt,
      acceptedMs: delivery.acceptedMs,
      nowMs: now().getTime(),
      policy: delivery.target.RetryPolicy,
      jitter: deps.random(),
    });
    await deps.report({ delivery, attempt, outcome, verdict, startedMs, endedMs: now().getTime() });
    settle({ ...delivery, attempts: attempt }, outcome, verdict);
    lane.end(delivery.id);
    pump();
  };

  const send = async (delivery: Delivery): Promise<AttemptOutcome> => {
    const destination = records.destinations.get(nameInArn(delivery.target.Arn));
    const connection = destination && records.connections.get(nameInArn(destination.ConnectionArn));
    if (destination?.ApiDestinationArn !== delivery.target.Arn) return refuse('no such destination');
    if (connection?.ConnectionArn !== destination.ConnectionArn) return refuse('no such destination');
    const request = requestOf(delivery, destination, connection);
    return request.ok ? deps.post(request.value, stopping.signal) : request;
  };

  const settle = (delivery: Delivery, outcome: AttemptOutcome, verdict: Verdict) => {
    const { id, attempts: made } = delivery;
    if (verdict.kind === 'delivered') deliveries.remove(id);
    else if (verdict.kind === 'retry') deliveries.postpone(id, { attempts: made, dueMs: verdict.atMs });
    else bury(delivery, { outcome, exhausted: verdict.exhausted });
  };

  const bury = (delivery: Delivery, cause: Cause) =>
    inOneStep(() => {
      const queue = delivery.target.DeadLetterConfig?.Arn;
      if (queue !== undefined) deps.sendToQueue(queue, deadLetterOf(delivery, cause));
      deliveries.remove(delivery.id);
    });

  const buryRecalled = () => {
    for (const delivery of deliveries.recalled()) {
      const isBeingSent = lanes.get(delivery.target.Arn)?.running.has(delivery.id);
      if (!isBeingSent) bury(delivery, 'recalled');
    }
  };

  return {
    pump,
    recall: (ruleArn, targetId) => {
      deliveries.recall(ruleArn, targetId);
      buryRecalled();
    },
    stop: async () => {
      stopped = true;
      const over = Promise.allSettled(attempts);
      await Promise.race([over, pause(deps.patienceMs, undefined, { ref: false })]);
      stopping.abort();
      await over;
    },
  };
};
