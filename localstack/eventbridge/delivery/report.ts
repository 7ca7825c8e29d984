import { nameInArn } from '../records.ts';
import type { AttemptOutcome, NextStep } from './next-step.ts';
import type { BusDelivery } from './store.ts';

/** One attempt, for the ledger: EventBridge itself tells of failures only. */
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
  /** One line of the bus's log: never a body, never the value of a header. */
  log: (line: Record<string, unknown>) => void;
};

/** A line in the log; and for events of our own service, which have `delivery.id` and `to`, a record. */
export const createReporter =
  ({ recordAttempt, log }: Reporting) =>
  async (report: AttemptReport): Promise<void> => {
    const { id, detail } = JSON.parse(report.delivery.event) as BusEvent;
    const facts = factsOf(report);
    log({
      at: new Date(report.startedMs).toISOString(),
      event: id,
      delivery: detail?.delivery?.id,
      destination: nameInArn(report.delivery.target.Arn),
      ...facts,
      tookMs: report.endedMs - report.startedMs,
      verdict: report.nextStep.kind,
    });
    if (typeof detail?.delivery?.id !== 'string' || typeof detail.to !== 'string') return;
    const record = { eventId: detail.delivery.id, clientId: detail.to, atMs: report.startedMs, ...facts };
    // An engine that is away must not make a delivered event look undelivered.
    await recordAttempt({ ...record, delivered: report.nextStep.kind === 'delivered' }).catch((error) =>
      log({ at: new Date(report.endedMs).toISOString(), event: id, notRecorded: String(error) }),
    );
  };

type BusEvent = { id: string; detail?: { to?: unknown; delivery?: { id?: unknown } } };

const factsOf = ({ attempt, outcome, nextStep }: AttemptReport) => ({
  attempt,
  ...(outcome.ok ? { status: outcome.value.status } : { error: outcome.reason }),
  ...(nextStep.kind === 'retry' && { willRetryAtMs: nextStep.atMs }),
});
