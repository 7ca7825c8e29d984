import type { Random } from '../../support/builders/random.ts';

/** A clock that only events move. */
type Clock = { after: (delayMs: number, action: () => void) => void };

/**
 * How long a TransactWriteItems is under way, in milliseconds: an assumption, as no document of AWS says it. A single write
 * takes less than ten, and a transaction writes each item twice, "one to prepare the transaction and one to commit"
 * (developer guide, "Managing complex workflows with DynamoDB transactions"). The first load test decides.
 */
export const inFlightMs = { from: 10, to: 20 };

/** Atomic writes over items. */
export type ModelTable = { write: (items: readonly string[]) => Promise<void> };

/**
 * A write is refused if it meets another one on any of its items, and the other one continues (developer guide,
 * "Transaction conflict handling"). Until its answer it keeps later writes off those of its items that were free.
 */
export const createModelTable = (clock: Clock, random: Random): ModelTable => {
  const underWay = new Set<string>();
  return {
    write: (items) =>
      new Promise((resolve, reject) => {
        const free = items.filter((item) => !underWay.has(item));
        for (const item of free) underWay.add(item);
        clock.after(inFlightMs.from + random.next() * (inFlightMs.to - inFlightMs.from), () => {
          for (const item of free) underWay.delete(item);
          if (free.length < items.length) reject(conflict());
          else resolve();
        });
      }),
  };
};

const conflict = () =>
  Object.assign(new Error('conflict'), {
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'TransactionConflict' }],
  });
