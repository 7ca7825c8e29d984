import { dueShards } from '../functions/shared/store/debounce/cursor-store.ts';
import type { StageConfig } from './config.ts';

/** Runs of `publish-dormant`: how many lanes there are, and how many runs the queue and everything together start. */
export type FlushRuns = { lanes: number; byQueue: number; inAll: number };

/** Event sources of a queue take no less. */
const leastByQueue = 2;

/**
 * A lane for each run that works on a backlog. Looks go on meanwhile, so the queue may start one more than there are lanes;
 * and the schedule starts one each minute.
 */
export const flushRunsOf = ({ furtherFlushRuns }: Pick<StageConfig, 'furtherFlushRuns'>): FlushRuns => {
  const lanes = furtherFlushRuns + 1;
  const byQueue = Math.max(leastByQueue, lanes + 1);
  return { lanes, byQueue, inAll: byQueue + 1 };
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
      `reservedConcurrency.publishDormant is ${reserved} and must be ${inAll} or more: furtherFlushRuns, the look, one by a tick and one by the schedule.`,
    );
};
