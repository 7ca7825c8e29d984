import { shards } from '../functions/shared/events/table.ts';
import type { StageConfig } from './config.ts';

/**
 * Concurrent invocations of `publish-dormant` by its own queue: a poll every ten seconds may take fifteen, so two are left for
 * completions and tests. They are separate from the workers, so that no backlog delays them.
 */
export const messagesAtOnce = 4;

/** All concurrent invocations: workers, those by messages, and the one that the schedule starts each minute. */
export const publisherInvocations = ({ flushWorkers }: Pick<StageConfig, 'flushWorkers'>): number =>
  flushWorkers + messagesAtOnce + 1;

/** Each due shard has one worker at a time. */
const mostWorkers = Object.values(shards).flat().length;

/** Throws when a stage has more workers than due shards, or reserves too few executions for them. */
export const assertFlushWorkers = (config: StageConfig): void => {
  const { flushWorkers, reservedConcurrency } = config;
  const isPossible = Number.isInteger(flushWorkers) && flushWorkers >= 2 && flushWorkers <= mostWorkers;
  if (!isPossible) throw new Error(`flushWorkers must be a whole number from 2 to ${mostWorkers}.`);
  const reserved = reservedConcurrency.publishDormant;
  const needed = publisherInvocations(config);
  if (reserved !== undefined && reserved < needed)
    throw new Error(
      `reservedConcurrency.publishDormant is ${reserved} and must be ${needed} or more: one for each worker, four by messages and one by the schedule.`,
    );
};
