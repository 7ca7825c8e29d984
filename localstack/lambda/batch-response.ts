import type { InvocationOutcome } from './function-pool.ts';

/**
 * The ids of a batch that failed, by Lambda's rules: all if the function failed; otherwise those that its answer names, if the
 * event source reports item failures. An answer with an unknown id fails the whole batch.
 */
export const failedItems = (
  outcome: InvocationOutcome,
  ids: readonly string[],
  reportsItemFailures: boolean,
): readonly string[] => {
  if (!outcome.ok) return ids;
  if (!reportsItemFailures) return [];
  const named = namedIn(JSON.parse(outcome.value));
  return named?.every((id) => ids.includes(id)) ? named : ids;
};

/** The ids in an answer; undefined for an invalid answer. Without any, nothing failed. */
const namedIn = (answer: unknown): string[] | undefined => {
  if (answer === null) return [];
  if (typeof answer !== 'object') return undefined;
  const { batchItemFailures = [] } = answer as { batchItemFailures?: unknown };
  if (batchItemFailures === null) return [];
  if (!Array.isArray(batchItemFailures)) return undefined;
  return batchItemFailures.map((failure) => String(failure?.itemIdentifier));
};
