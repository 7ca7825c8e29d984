import type { DeadLetterQueue } from '../../../bin/operator/customers/dead-letters.ts';

/** A queue of texts. */
export type MemoryDeadLetters = DeadLetterQueue & { letters: string[] };

/** Dead letters in an array. */
export const createMemoryDeadLetters = (): MemoryDeadLetters => {
  const queue: MemoryDeadLetters = {
    letters: [],
    count: async () => queue.letters.length,
    remove: async (isWanted) => {
      const before = queue.letters.length;
      queue.letters = queue.letters.filter((text) => !isWanted(text));
      return before - queue.letters.length;
    },
  };
  return queue;
};
