import { NoAnswerError, ProblemError, TokenRefusedError } from './errors.ts';
import { isTransient, pauseMs } from './retry.ts';
import type { Settings } from './settings.ts';

type PatienceDeps = Pick<Settings, 'attempts' | 'longestWaitMs' | 'random' | 'sleep'>;

/** Retries, with pauses, until it works or the attempts are used up. */
export const withPatience = async <Value>(
  attempt: (failures: number) => Promise<Value>,
  { mayRepeat, signal }: { mayRepeat: boolean; signal: AbortSignal | undefined },
  deps: PatienceDeps,
): Promise<Value> => {
  for (let failures = 0; ; failures += 1) {
    try {
      return await attempt(failures);
    } catch (fault) {
      const askedMs = askedWaitMs(fault);
      const isLast = failures + 1 >= deps.attempts || (askedMs ?? 0) > deps.longestWaitMs;
      if (isLast || !mayRepeat || !isPassing(fault, failures)) throw fault;
      await deps.sleep(pauseMs({ failures, askedMs, random: deps.random }), signal);
    }
  }
};

/**
 * Whether a retry may help. For a conflict, only if an earlier attempt of this call was sent: the service may still be
 * processing it under the same idempotency key.
 */
const isPassing = (fault: unknown, failures: number): boolean => {
  if (fault instanceof NoAnswerError) return true;
  if (!(fault instanceof ProblemError || fault instanceof TokenRefusedError)) return false;
  return isTransient(fault.status) || (fault.status === 409 && failures > 0);
};

const askedWaitMs = (fault: unknown): number | undefined =>
  fault instanceof ProblemError || fault instanceof TokenRefusedError ? fault.retryAfterMs : undefined;
