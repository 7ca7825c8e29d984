import type { InvocationOutcome } from './function-pool.ts';

/**
 * The items of a batch that failed, as Lambda reads it: all of a function that failed; else those which the answer names,
 * if the event source asks for that. An answer that names anything else is a failure of the whole batch.
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

/** Undefined for an answer that is none; nothing at all means that nothing failed. */
const namedIn = (answer: unknown): string[] | undefined => {
  if (answer === null) return [];
  if (typeof answer !== 'object') return undefined;
  const { batchItemFailures = [] } = answer as { batchItemFailures?: unknown };
  if (batchItemFailures === null) return [];
  if (!Array.isArray(batchItemFailures)) return undefined;
  return batchItemFailures.map((failure) => String(failure?.itemIdentifier));
};
