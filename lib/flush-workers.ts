import { dueShards } from '../functions/shared/store/debounce/debounce-row-store.ts';
import type { StageConfig } from './config.ts';

/**
 * Concurrent invocations of `publish-dormant` by its queues of ticks and completions: the least that an event source allows.
 * They are separate from the workers, so that no backlog delays polls and completions.
 */
export const pollsAtOnce = 2;
export const completionsAtOnce = 2;

/** All concurrent invocations: workers, polls, completions, and the one that the schedule starts each minute. */
export const publisherInvocations = ({ flushWorkers }: Pick<StageConfig, 'flushWorkers'>): number =>
  flushWorkers + pollsAtOnce + completionsAtOnce + 1;

/** Each due shard has one worker at a time, and redrives and replays have a further shard. */
const mostWorkers = dueShards + 1;

/** Throws when a stage has more workers than due shards, or reserves too few executions for them. */
export const assertFlushWorkers = (config: StageConfig): void => {
  const { flushWorkers, reservedConcurrency } = config;
  const isPossible = Number.isInteger(flushWorkers) && flushWorkers >= 2 && flushWorkers <= mostWorkers;
  if (!isPossible) throw new Error(`flushWorkers must be a whole number from 2 to ${mostWorkers}.`);
  const reserved = reservedConcurrency.publishDormant;
  const needed = publisherInvocations(config);
  if (reserved !== undefined && reserved < needed)
    throw new Error(
      `reservedConcurrency.publishDormant is ${reserved} and must be ${needed} or more: one for each worker, two by ticks, two by completions and one by the schedule.`,
    );
};
