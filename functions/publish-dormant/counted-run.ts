import { type FlushBounds, type FlushCounts, flushDue } from '../shared/publish/flush.ts';
import type { PublishDeps } from '../shared/publish/publish-deps.ts';
import type { Report } from '../shared/runtime/metrics.ts';

/** What Lambda says about the time that is left to a run. */
export type RunContext = { getRemainingTimeInMillis: () => number };

/** What became of the entries of one run. */
export type EntryTally = { sent: number; unconfirmed: number; oversize: number; parked: number };

/** One run of the function: when its time is over, and its way to publish. */
export type Run = {
  endsAtMs: number;
  flush: (bounds: Omit<FlushBounds, 'beginUntilMs'>) => Promise<FlushCounts>;
};

/** A group's reads and claims, 2 × 3 s to send it, and its notes: none begins in the last nine seconds of a run. */
const lastGroupMs = 9_000;

/** Begins a run: what each of its flushes comes to is reported and logged. */
export const beginRun = (parts: PublishDeps, report: Report, context: RunContext): Run => {
  const endsAtMs = parts.clock().getTime() + context.getRemainingTimeInMillis();
  const flush: Run['flush'] = async (bounds) => {
    const { publishing, tally, delays } = tallied(parts);
    const outcome = await flushDue(publishing, { ...bounds, beginUntilMs: endsAtMs - lastGroupMs });
    const { isCutShort: _, backlog: __, ...counts } = outcome;
    const { looked, failed, oldestDueAgeMs } = counts;
    const { oversize, ...entries } = tally;
    if (looked > 0) parts.log('flushEnded', { ...counts, sent: tally.sent, oversize });
    report({ oldestDueAgeMs, failed, ...entries, ...delays });
    return outcome;
  };
  return { endsAtMs, flush };
};

/** How late the latest update of a run was; absent where none was sent. */
type Delays = { updateDelayMs?: number };

/** The same publishing, counted on its way out. */
export const tallied = (
  publishing: PublishDeps,
): { publishing: PublishDeps; tally: EntryTally; delays: Delays } => {
  const delays: Delays = {};
  const onTold: PublishDeps['onTold'] = (type, delayMs) => {
    if (type === 'TransactionCompleted') publishing.log('completionTold', { delayMs });
    else delays.updateDelayMs = Math.max(delays.updateDelayMs ?? 0, delayMs);
  };
  const tally: EntryTally = { sent: 0, unconfirmed: 0, oversize: 0, parked: 0 };
  const bus: PublishDeps['bus'] = {
    put: async (entries) => {
      const answers = await publishing.bus.put(entries);
      const accepted = entries.filter((_, index) => answers[index]?.outcome === 'accepted');
      tally.sent += accepted.length;
      tally.unconfirmed += answers.filter(({ outcome }) => outcome === 'unconfirmed').length;
      tally.oversize += accepted.filter(({ omitted }) => omitted.length > 0).length;
      return answers;
    },
  };
  const log: PublishDeps['log'] = (name, facts, fault) => {
    if (name === 'deliveryParked') tally.parked += 1;
    publishing.log(name, facts, fault);
  };
  return { publishing: { ...publishing, bus, log, onTold }, tally, delays };
};
