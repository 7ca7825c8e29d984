import { setTimeout as pause } from 'node:timers/promises';
import { failureOf, hasTimedOut } from './failure.ts';

/** Randomness and waiting, passed in so that tests are exact and fast. */
export type RetryDelays = { random: () => number; sleep: (milliseconds: number) => Promise<unknown> };

export const realRetryDelays: RetryDelays = { random: Math.random, sleep: pause };

const maximumTries = 10;

/**
 * Repeats an attempt until it is answered: at most 10 tries with full jitter, 25 to 400 ms. Tells the attempt whether
 * an earlier one may have been done. Throws a failed condition and a fault at once. Throws after a missing answer, too:
 * the SDK has tried twice by then, and the caller has no time for more.
 */
export const withRetries = async <Result>(
  attempt: (perhapsDone: boolean) => Promise<Result>,
  { random, sleep }: RetryDelays = realRetryDelays,
): Promise<Result> => {
  let perhapsDone = false;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(perhapsDone);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === 'fatal' || failure === 'condition-failed' || hasTimedOut(error)) throw error;
      if (tries === maximumTries) throw error;
      perhapsDone ||= failure === 'perhaps-done';
      await sleep(fullJitter(tries, random));
    }
  }
};

/** 25 ms doubles to 400 ms, and the whole delay is random (AWS: "full jitter"). */
export const fullJitter = (tries: number, random: () => number) =>
  random() * Math.min(400, 25 * 2 ** (tries - 1));
