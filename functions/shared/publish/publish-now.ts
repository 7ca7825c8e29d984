import type { DueRowKey } from '../domain/event/debounce-row.ts';
import { createInvocation } from './invocation.ts';
import { loadAll } from './load-all.ts';
import { publishTasks, tasksOf } from './portions.ts';
import type { PublishDeps } from './publish-deps.ts';

/** What became of some rows that were named. */
export type PublishedNow = {
  polled: number;
  claimed: number;
  failed: number;
  /** Those that are still due: in flight, or not begun. */
  left: DueRowKey[];
};

/** As many writers at once all come through, and each of them may come between a reading and its claim. */
const mostClaims = 20;

/**
 * Publishes these rows without asking the index. A change between reading and claim makes the claim lose: it is made anew on
 * what is stored then (EV-16). What somebody else has in flight is left to them.
 */
export const publishNow = async (
  deps: PublishDeps,
  keys: readonly DueRowKey[],
  beginUntilMs: number,
): Promise<PublishedNow> => {
  const counts = { polled: keys.length, claimed: 0, failed: 0 };
  const invocation = createInvocation(deps, {
    beginUntilMs,
    onFault: (fault, facts) => {
      counts.failed += 1;
      deps.log('flushFailed', facts, fault);
    },
  });
  let isOver = false;
  for (let tries = 0; tries < mostClaims && !isOver; tries += 1) {
    const tasks = await tasksOf(await loadAll(keys, invocation), invocation);
    const { claimed, isCutShort } = await publishTasks(tasks, invocation);
    counts.claimed += claimed;
    isOver = claimed === tasks.length || isCutShort || counts.failed > 0;
  }
  const rows = await deps.debounceRows.getAll(keys);
  return { ...counts, left: rows.filter(({ dueAtMs }) => dueAtMs !== undefined) };
};
