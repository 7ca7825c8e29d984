import { flushDue } from '../shared/publish/flush.ts';
import type { PublishDeps } from '../shared/publish/publish-deps.ts';
import type { Report } from '../shared/runtime/metrics.ts';
import type { Ticks } from './ticks.ts';

/** What the handler works with. */
export type Deps = {
  publishing: PublishDeps;
  ticks: Ticks;
  /** Asks for another run at once. */
  sendTick: () => Promise<void>;
  report: Report;
};

/** What Lambda says about the time that is left to a run. */
export type RunContext = { getRemainingTimeInMillis: () => number };

/** What became of the entries of one run. */
export type EntryTally = { sent: number; unconfirmed: number; oversize: number; parked: number };

/** A group's reads and claims, 2 × 3 s to send it, and its notes: none begins in the last nine seconds of a run. */
const lastGroupMs = 9_000;

/**
 * Publishes what is due, whenever a tick comes. The schedule's run sends ticks ahead, and leaves the looking to them while
 * they come. When they do not, or cannot be sent, it looks itself, after it has sent them: they take moments, while a flush
 * may take the whole run and would make the next minutes slow as well. Then a run that could not send counts as failed. A
 * run that has no time for everything asks for the next run at once.
 */
export const createHandler =
  ({ publishing, ticks, sendTick, report }: Deps) =>
  async (event: unknown, context: RunContext): Promise<void> => {
    const ticksFault = isTick(event) ? undefined : await faultOf(ticks.sendAhead());
    if (!isTick(event) && !ticksFault && ticks.areComing()) return;
    const lookedAtMs = publishing.clock().getTime();
    const { isCutShort } = await flush(publishing, context, report);
    ticks.noteLook(lookedAtMs);
    if (isCutShort) await sendTick();
    if (ticksFault) throw ticksFault;
  };

/** Ticks come from the queue, however many together; each says only that it is time to look. */
const isTick = (event: unknown) => typeof event === 'object' && event !== null && 'Records' in event;

const faultOf = (work: Promise<void>): Promise<Error | undefined> =>
  work.then(
    () => undefined,
    (fault: unknown) => (fault instanceof Error ? fault : new Error('Unknown fault')),
  );

const flush = async (
  deps: PublishDeps,
  context: RunContext,
  report: Report,
): Promise<{ isCutShort: boolean }> => {
  const { publishing, tally, delays } = tallied(deps);
  const beginUntilMs = deps.clock().getTime() + context.getRemainingTimeInMillis() - lastGroupMs;
  const { isCutShort, ...counts } = await flushDue(publishing, { beginUntilMs });
  const { looked, failed, oldestDueAgeMs } = counts;
  const { oversize, ...entries } = tally;
  if (looked > 0) deps.log('flushEnded', { ...counts, sent: tally.sent, oversize });
  report({ oldestDueAgeMs, failed, ...entries, ...delays });
  return { isCutShort };
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
