import type { Emit } from '../../feed/happening.ts';
import { eventFactsOf } from '../event-facts.ts';
import { nameInArn } from '../records.ts';
import type { AttemptOutcome, NextStep } from './next-step.ts';
import type { BusDelivery } from './store.ts';

/** An attempt, for the delivery log. EventBridge itself reports only failures. */
export type AttemptRecord = {
  eventId: string;
  clientId: string;
  atMs: number;
  status?: number;
  error?: string;
  attempt: number;
  delivered: boolean;
  willRetryAtMs?: number;
};

export type AttemptReport = {
  delivery: BusDelivery;
  attempt: number;
  outcome: AttemptOutcome;
  nextStep: NextStep;
  startedMs: number;
  endedMs: number;
};

export type Reporting = {
  recordAttempt: (record: AttemptRecord) => Promise<void>;
  /** Writes a line of the bus's log, without bodies and header values. */
  log: (line: Record<string, unknown>) => void;
  /** Reports a happening to the console. */
  emit?: Emit;
};

/** Writes a log line for each attempt, and a record for events of our service, which have `delivery.id` and `to`. */
export const createReporter = ({ recordAttempt, log, emit = () => {} }: Reporting) => {
  /** A fault of the engine must not make a delivered event look undelivered. */
  const recordSafely = (record: AttemptRecord, { id, endedMs }: { id: string; endedMs: number }) =>
    recordAttempt(record).catch((error) =>
      log({ at: new Date(endedMs).toISOString(), event: id, notRecorded: String(error) }),
    );

  return async (report: AttemptReport): Promise<void> => {
    const { delivery, startedMs, endedMs, nextStep } = report;
    const event = JSON.parse(delivery.event) as BusEvent;
    const { id, detail } = event;
    const facts = factsOf(report);
    const destination = nameInArn(delivery.target.Arn);
    log({
      at: new Date(startedMs).toISOString(),
      event: id,
      delivery: detail?.delivery?.id,
      destination,
      ...facts,
      tookMs: endedMs - startedMs,
      verdict: nextStep.kind,
    });
    if (typeof detail?.delivery?.id === 'string' && typeof detail.to === 'string') {
      const record = { eventId: detail.delivery.id, clientId: detail.to, atMs: startedMs, ...facts };
      await recordSafely({ ...record, delivered: nextStep.kind === 'delivered' }, { id, endedMs });
    }
    const { willRetryAtMs: _, ...outcome } = facts;
    emit({ kind: 'attempted', destination, ...eventFactsOf(event), ...outcome, verdict: nextStep.kind });
  };
};

type BusEvent = { id: string; detail?: { to?: unknown; delivery?: { id?: unknown } } };

const factsOf = ({ attempt, outcome, nextStep }: AttemptReport) => ({
  attempt,
  ...(outcome.ok ? { status: outcome.value.status } : { error: outcome.reason }),
  ...(nextStep.kind === 'retry' && { willRetryAtMs: nextStep.atMs }),
});
