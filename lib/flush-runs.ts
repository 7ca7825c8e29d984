import { dueShards } from '../functions/shared/store/debounce/cursor-store.ts';
import type { StageConfig } from './config.ts';

/**
 * Runs of `publish-dormant`: how many lanes there are, and how many runs its two queues and everything together start at most
 * at once.
 */
export type FlushRuns = { lanes: number; byTicks: number; byLanes: number; inAll: number };

/** Event sources of a queue take no less. */
const leastByQueue = 2;

/**
 * A lane for each run that works on a backlog, and a run for each message that names one. Looks have runs of their own, so
 * that they go on meanwhile: two by ticks, since one may last until the next, and one that the schedule starts each minute.
 */
export const flushRunsOf = ({ furtherFlushRuns }: Pick<StageConfig, 'furtherFlushRuns'>): FlushRuns => {
  const lanes = furtherFlushRuns + 1;
  const byTicks = leastByQueue;
  const byLanes = Math.max(leastByQueue, lanes);
  return { lanes, byTicks, byLanes, inAll: byLanes + byTicks + 1 };
};

/** Throws, in one sentence, when a stage has more runs than parts of the index, or than it reserves executions for. */
export const assertFlushRuns = (config: StageConfig): void => {
  const { furtherFlushRuns, reservedConcurrency } = config;
  const { inAll } = flushRunsOf(config);
  const isPossible =
    Number.isInteger(furtherFlushRuns) && furtherFlushRuns >= 0 && furtherFlushRuns < dueShards;
  if (!isPossible) throw new Error(`furtherFlushRuns must be a whole number from 0 to ${dueShards - 1}.`);
  const reserved = reservedConcurrency.publishDormant;
  if (reserved !== undefined && reserved < inAll)
    throw new Error(
      `reservedConcurrency.publishDormant is ${reserved} and must be ${inAll} or more: one for each lane, two by ticks and one by the schedule.`,
    );
};
