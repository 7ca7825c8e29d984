import type { Call, Process } from '../../simulation/kernel/process.ts';
import { claimsLost } from '../../simulation/service/history.ts';
import type { createPartitionMeter, Peak } from './partition-meter.ts';

/** What a world came to. */
export type FlushFigures = {
  events: number;
  /** From the first claim until the last event is completed. */
  seconds: number;
  perSecond: number;
  lostClaims: number;
  /** From a change until its event is completed, at worst. */
  worstMs: number;
  /** How many runs completed something. */
  runs: number;
  peaks: { read: Peak; write: Peak };
};

/** Sums up what happens, call by call. */
export const createFigures = ({ highest }: Pick<ReturnType<typeof createPartitionMeter>, 'highest'>) => {
  const changedAt = new Map<string, number>();
  const runs = new Set<string>();
  const seen = { first: Number.POSITIVE_INFINITY, last: 0, completed: 0, lost: 0, worstMs: 0 };

  const completed = (nowMs: number, process: Process, uuid: string) => {
    seen.completed += 1;
    seen.last = nowMs;
    seen.worstMs = Math.max(seen.worstMs, nowMs - (changedAt.get(uuid) ?? nowMs));
    changedAt.delete(uuid);
    runs.add(process.name);
  };

  return {
    changed: (uuid: string, atMs: number) => changedAt.set(uuid, atMs),
    completed: () => seen.completed,
    note: (nowMs: number, process: Process, call: Call, answer: unknown) => {
      const { port, method, args } = call;
      if (port !== 'debounceRows') return;
      const [first] = args;
      if (method === 'claim' || method === 'claimTogether') seen.first = Math.min(seen.first, nowMs);
      seen.lost += claimsLost(call, answer);
      if (method === 'complete' && answer === true)
        completed(nowMs, process, (first as { uuid: string }).uuid);
    },
    sum: (): FlushFigures => {
      const seconds = (seen.last - seen.first) / 1_000;
      return {
        ...{ events: seen.completed, seconds, perSecond: seen.completed / seconds, lostClaims: seen.lost },
        ...{ worstMs: seen.worstMs, runs: runs.size },
        peaks: { read: highest('read'), write: highest('write') },
      };
    },
  };
};
