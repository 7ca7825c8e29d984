import type { Clock } from './clock.ts';

/**
 * Loads once and answers from memory for the given time. A failed load is not remembered, so the next call tries again.
 */
export const cached = <Value>(
  load: () => Promise<Value>,
  { forMs, clock }: { forMs: number; clock: Clock },
): (() => Promise<Value>) => {
  let held: { value: Promise<Value>; untilMs: number } | undefined;

  const renew = (nowMs: number) => {
    const fresh = { value: load(), untilMs: nowMs + forMs };
    held = fresh;
    fresh.value.catch(() => {
      if (held === fresh) held = undefined;
    });
    return fresh.value;
  };

  return () => {
    const nowMs = clock().getTime();
    return held && nowMs < held.untilMs ? held.value : renew(nowMs);
  };
};
