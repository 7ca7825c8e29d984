import type { Facts, Sending } from '../facts.ts';

/** I17, I18: goals without a fault, and promises with one. */
export const limits = {
  updated: { none: 140_000, one: 180_000 },
  completed: { none: 2_000, one: 30_000 },
} as const;
/** I20: a reconciler period and three minutes. */
export const repairedWithinMs = 13 * 60_000;

export type Delay = Sending & { delayMs: number };

/** How late each first sending was, counted from the last change that it covers. */
export const delaysOf = ({ sendings, commits }: Facts, type: string): Delay[] => {
  const seen = new Set<string>();
  return sendings.flatMap((one) => {
    const name = `${one.eventId}/${one.clientId}`;
    if (one.isAgain || one.detailType !== type || seen.has(name)) return [];
    seen.add(name);
    const last = commits.get(one.uuid)?.find(({ after }) => after.version === one.to);
    return last ? [{ ...one, delayMs: one.atMs - last.atMs }] : [];
  });
};
