import { setTimeout as pause } from 'node:timers/promises';

/**
 * Reads while a function starts what its first request needs anyway: a start has more of the processor than a request, and
 * leaves an open connection. What fails is read again when it is needed. The start waits for it no longer than this, in
 * milliseconds.
 */
export const readAhead = async (read: () => Promise<unknown>, longestMs = 1_000): Promise<void> => {
  const answered = read().catch(() => undefined);
  await Promise.race([answered, pause(longestMs, undefined, { ref: false })]);
};
