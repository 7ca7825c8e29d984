import { setTimeout as pause } from 'node:timers/promises';

/** Randomness and waiting, passed in so that tests are exact and quick. */
export type Patience = { random: () => number; sleep: (milliseconds: number) => Promise<unknown> };

export const realPatience: Patience = { random: Math.random, sleep: pause };

/** How an attempt ended: refused by a condition, worth another try, or (answer lost) perhaps even done. */
export type Failure = 'condition-failed' | 'not-done' | 'perhaps-done' | 'fatal';

const maximumTries = 10;

/**
 * Runs an attempt until it is answered: at most 10 tries with full jitter, 25 to 400 ms (listing.md, "Writes"). The attempt
 * is told whether an earlier one was perhaps done. A failed condition and a fault are thrown at once.
 */
export const withRetries = async <Result>(
  attempt: (perhapsDone: boolean) => Promise<Result>,
  patience: Patience,
): Promise<Result> => {
  let perhapsDone = false;
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(perhapsDone);
    } catch (error) {
      const failure = failureOf(error);
      if (failure === 'fatal' || failure === 'condition-failed' || tries === maximumTries) throw error;
      perhapsDone ||= failure === 'perhaps-done';
      await patience.sleep(fullJitter(tries, patience.random));
    }
  }
};

/** 25 ms doubles to 400 ms; the whole wait is random (AWS: "full jitter"). */
export const fullJitter = (tries: number, random: () => number) =>
  random() * Math.min(400, 25 * 2 ** (tries - 1));

/** The SDK repeats a request by itself when its answer is lost. */
export const wasSentAgain = (error: unknown) =>
  ((error as { $metadata?: { attempts?: number } }).$metadata?.attempts ?? 1) > 1;

/** Reads an SDK error; no answer, or a 5xx, leaves open whether the request was carried out. */
export const failureOf = (error: unknown): Failure => {
  const { name, $metadata, CancellationReasons } = (error ?? {}) as SdkError;
  if (name === 'TransactionCanceledException') return failureOfReasons(CancellationReasons ?? []);
  if (name === 'ConditionalCheckFailedException') return 'condition-failed';
  if (name !== undefined && notDone.has(name)) return 'not-done';
  if (programFaults.has(String(name))) return 'fatal';
  const status = $metadata?.httpStatusCode;
  return status === undefined || status >= 500 ? 'perhaps-done' : 'fatal';
};

type SdkError = {
  name?: string;
  $metadata?: { httpStatusCode?: number };
  CancellationReasons?: { Code?: string }[];
};

const notDone = new Set([
  'TransactionConflictException',
  'TransactionInProgressException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'ReplicatedWriteConflictException',
]);

const programFaults = new Set([
  'TypeError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'CredentialsProviderError',
]);

const failureOfReasons = (reasons: { Code?: string }[]): Failure => {
  const codes = reasons.map(({ Code }) => Code);
  if (codes.includes('ConditionalCheckFailed')) return 'condition-failed';
  return codes.some((code) => code !== undefined && passing.has(code)) ? 'not-done' : 'fatal';
};

const passing = new Set(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);
