import { dueShards } from '../functions/shared/store/debounce/debounce-row-store.ts';
import type { StageConfig } from './config.ts';

/**
 * How many invocations of `publish-dormant` its queues start at most at once, beside its workers: event sources of a queue take
 * no less than two. Polls and completions have invocations of their own, so that no backlog holds them up.
 */
export const pollsAtOnce = 2;
export const completionsAtOnce = 2;

/** With the one that the schedule starts each minute. */
export const publisherInvocations = ({ flushWorkers }: Pick<StageConfig, 'flushWorkers'>): number =>
  flushWorkers + pollsAtOnce + completionsAtOnce + 1;

/** Each due shard has one worker at a time, and there is one more shard for what is sent again. */
const mostWorkers = dueShards + 1;

/** Throws, in one sentence, when a stage has more workers than due shards, or than it reserves executions for. */
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
