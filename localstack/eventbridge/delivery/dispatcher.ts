import { setTimeout as pause } from 'node:timers/promises';
import { refuse } from '../../../functions/shared/domain/outcome.ts';
import type { PinnedPost } from '../../../functions/shared/outbound/probe/pinned-post.ts';
import type { Clock } from '../../../functions/shared/runtime/clock.ts';
import type { MessageToSend } from '../../sqs/message.ts';
import { type EventRecords, nameInArn } from '../records.ts';
import { type Cause, deadLetterOf } from './dead-letter.ts';
import { type AttemptOutcome, decideNextStep, type NextStep } from './next-step.ts';
import { createRateLimiter, type RateLimiter } from './rate-limiter.ts';
import type { AttemptReport } from './report.ts';
import { requestOf } from './request.ts';
import type { BusDelivery, DeliveryStore } from './store.ts';

export type DispatcherDeps = {
  deliveries: DeliveryStore;
  records: Pick<EventRecords, 'connections' | 'destinations'>;
  sendToQueue: (arn: string, message: MessageToSend) => void;
  inOneStep: <Result>(work: () => Result) => Result;
  post: PinnedPost;
  report: (report: AttemptReport) => Promise<void>;
  now: Clock;
  /** A number from 0 to 1. */
  random: () => number;
  /** How long `stop` waits for running attempts. */
  patienceMs: number;
};

export type Dispatcher = {
  /** Begins the due attempts that the rate limits allow. */
  dispatchDue: () => void;
  /** `dispatchDue` after events were accepted. */
  dispatchAccepted: () => void;
  /** For a removed target: moves waiting events to the dead-letter queue at once, running ones after their attempt. */
  removeTarget: (ruleArn: string, targetId: string) => void;
  /** Aborts attempts that hang. The next start makes them again. */
  stop: () => Promise<void>;
};

/** Attempts at one destination at a time: a receiver that hangs holds that many connections, for 5 s each. */
const mostAtOnce = 10;
/** The same while events come in, since the publisher of thousands of events shares the machine with the bus. */
const atOnceMeanwhile = 1;
/** How long after accepted events more are expected. */
const meanwhileMs = 500;

/** Sends accepted events to their destinations until each is delivered or given up. The file keeps the progress. */
export const createDispatcher = (deps: DispatcherDeps): Dispatcher => {
  const { deliveries, records, inOneStep, now } = deps;
  const rateLimiters = new Map<string, RateLimiter>();
  const attempts = new Set<Promise<void>>();
  const stopping = new AbortController();
  let stopped = false;
  let acceptedMs = Number.NEGATIVE_INFINITY;

  const rateLimiterOf = (destination: string): RateLimiter => {
    const rateLimiter = rateLimiters.get(destination) ?? createRateLimiter();
    rateLimiters.set(destination, rateLimiter);
    return rateLimiter;
  };

  const dispatchDue = () => {
    if (stopped) return;
    sendUndeliverableToDeadLetterQueue();
    for (const destination of deliveries.dueDestinations(now().getTime())) dispatchTo(destination);
  };

  /** After an attempt, only its destination is queried: with thousands of waiting events, a query for all is slow. */
  const dispatchNext = (destination: string) => {
    if (stopped) return;
    sendUndeliverableToDeadLetterQueue();
    dispatchTo(destination);
  };

  const dispatchTo = (destination: string) => {
    const nowMs = now().getTime();
    const rateLimiter = rateLimiterOf(destination);
    const perSecond = records.destinations.get(nameInArn(destination))?.InvocationRateLimitPerSecond ?? 300;
    const atOnce = nowMs - acceptedMs < meanwhileMs ? atOnceMeanwhile : mostAtOnce;
    const free = rateLimiter.free(nowMs, { atOnce, perSecond });
    if (free === 0) return;
    const due = deliveries.due(destination, nowMs, rateLimiter.running.size + free);
    for (const id of due.filter((dueId) => !rateLimiter.running.has(dueId)).slice(0, free)) {
      rateLimiter.begin(id, nowMs);
      const attempt = run(deliveries.get(id), rateLimiter).finally(() => attempts.delete(attempt));
      attempts.add(attempt);
    }
  };

  const run = async (delivery: BusDelivery, rateLimiter: RateLimiter) => {
    const startedMs = now().getTime();
    const outcome = await send(delivery);
    // Aborted by the end of the stage: this does not count as an attempt, and the next start repeats it.
    if (!outcome.ok && stopping.signal.aborted) return;
    const attempt = delivery.attempts + 1;
    const nextStep = decideNextStep(outcome, {
      attempt,
      acceptedMs: delivery.acceptedMs,
      nowMs: now().getTime(),
      policy: delivery.target.RetryPolicy,
      jitter: deps.random(),
    });
    await deps.report({
      delivery,
      attempt,
      outcome,
      nextStep: nextStep,
      startedMs,
      endedMs: now().getTime(),
    });
    complete({ ...delivery, attempts: attempt }, outcome, nextStep);
    rateLimiter.end(delivery.id);
    dispatchNext(delivery.target.Arn);
  };

  const send = async (delivery: BusDelivery): Promise<AttemptOutcome> => {
    const destination = records.destinations.get(nameInArn(delivery.target.Arn));
    const connection = destination && records.connections.get(nameInArn(destination.ConnectionArn));
    if (destination?.ApiDestinationArn !== delivery.target.Arn) return refuse('no such destination');
    if (connection?.ConnectionArn !== destination.ConnectionArn) return refuse('no such destination');
    const request = requestOf(delivery, destination, connection);
    return request.ok ? deps.post(request.value, stopping.signal) : request;
  };

  const complete = (delivery: BusDelivery, outcome: AttemptOutcome, nextStep: NextStep) => {
    const { id, attempts: made } = delivery;
    if (nextStep.kind === 'delivered') deliveries.remove(id);
    else if (nextStep.kind === 'retry') deliveries.postpone(id, { attempts: made, dueMs: nextStep.atMs });
    else sendToDeadLetterQueue(delivery, { outcome, exhausted: nextStep.exhausted });
  };

  const sendToDeadLetterQueue = (delivery: BusDelivery, cause: Cause) =>
    inOneStep(() => {
      const queue = delivery.target.DeadLetterConfig?.Arn;
      if (queue !== undefined) deps.sendToQueue(queue, deadLetterOf(delivery, cause));
      deliveries.remove(delivery.id);
    });

  const sendUndeliverableToDeadLetterQueue = () => {
    for (const delivery of deliveries.undeliverable()) {
      const isBeingSent = rateLimiters.get(delivery.target.Arn)?.running.has(delivery.id);
      if (!isBeingSent) sendToDeadLetterQueue(delivery, 'target removed');
    }
  };

  return {
    dispatchDue,
    dispatchAccepted: () => {
      acceptedMs = now().getTime();
      dispatchDue();
    },
    removeTarget: (ruleArn, targetId) => {
      deliveries.removeTarget(ruleArn, targetId);
      sendUndeliverableToDeadLetterQueue();
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
